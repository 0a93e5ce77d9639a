import { expect, test } from 'vitest';
import { Alert } from '../../../webview/shared/alert.ts';
import {
  ConnectionLostError,
  PageRequestError,
  RequestTimeoutError,
} from '../../../webview/shared/errors.ts';

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

test.each([
  new ConnectionLostError('The connection to the daemon was lost.'),
  new RequestTimeoutError("The daemon did not answer 'runs.list' within 30 s."),
  new Error("The action for the run 'a' failed.", { cause: new ConnectionLostError('Lost.') }),
])('once the daemon answers again, an alert disappears: %s', error => {
  const { alert, shown } = hidden();
  alert.show(error);
  expect(shown()).toBe(error.message);
  alert.connected();
  expect(shown()).toBeUndefined();
});
