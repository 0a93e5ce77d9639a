import { expect, test } from 'vitest';
import { Alert } from '../../../webview/shared/alert.ts';
import { ConnectionLostError, PageRequestError } from '../../../webview/shared/errors.ts';

function hidden(): { alert: Alert; shown: () => string | null | undefined } {
  const element = { hidden: true, textContent: '' };
  const alert = new Alert(element);
  return { alert, shown: () => (element.hidden ? undefined : element.textContent) };
}

test('an error stays until it is closed, also across a reconnect', () => {
  const { alert, shown } = hidden();
  alert.show(new PageRequestError("There is no run 'a'.", 'not-found'));
  alert.connected();
  expect(shown()).toBe("There is no run 'a'.");
  alert.hide();
  expect(shown()).toBeUndefined();
});

test('an error about a lost connection disappears after the reconnect', () => {
  const { alert, shown } = hidden();
  alert.show(new ConnectionLostError('The connection to the daemon was lost.'));
  expect(shown()).toBe('The connection to the daemon was lost.');
  alert.connected();
  expect(shown()).toBeUndefined();
});
