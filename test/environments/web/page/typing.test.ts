// A long text on a page whose key listeners are slow: each reply of the browser has a deadline.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import type { CdpSession } from '../../../../runtime/environments/web/browser/session.ts';
import { WindowClipboard } from '../../../../runtime/environments/web/page/clipboard.ts';
import { pageInputs } from '../../../../runtime/environments/web/page/input.ts';
import { WebPage } from '../../../../runtime/environments/web/page/page.ts';
import { WORLD } from '../../../../runtime/environments/web/page/scripts.ts';

const MAIN = 'main frame';
const SIZE = { width: 100, height: 100 };

const LONG_TEXT = 'slow page '.repeat(500);

/** A page that answers each input one `setImmediate` later. Its dialog opens before its first input (0), or in place of an answer. */
function openPage(dialogAt = Number.POSITIVE_INFINITY) {
  const found = { text: '', unanswered: 0, most: 0 };
  const listeners: { readonly event: string; readonly listener: (params: unknown) => void }[] = [];
  const emit = (event: string, params: unknown) => {
    for (const each of listeners) if (each.event === event) each.listener(params);
  };
  let [inputs, isBlocked] = [0, false];
  const openDialog = () => {
    isBlocked = true;
    emit('Page.javascriptDialogOpening', { type: 'alert' });
  };
  const session = {
    isOpen: true,
    send: async (method: string, params?: { readonly text?: string }) => {
      if (method !== 'Input.dispatchKeyEvent') return { result: { value: true } };
      found.text += params?.text ?? '';
      inputs += 1;
      const number = inputs;
      found.unanswered += 1;
      found.most = Math.max(found.most, found.unanswered);
      await turn();
      if (number === dialogAt) openDialog();
      if (isBlocked) await new Promise(() => undefined);
      found.unanswered -= 1;
      return {};
    },
    on: (event: string, listener: (params: unknown) => void) => {
      listeners.push({ event, listener });
      return () => undefined;
    },
  };
  const page = new WebPage(session as unknown as CdpSession, {
    ...{ frame: MAIN, size: SIZE, clock: new VirtualClock(), clipboard: new WindowClipboard() },
  });
  emit('Runtime.executionContextCreated', {
    context: { id: 1, name: WORLD, auxData: { isDefault: false, frameId: MAIN } },
  });
  if (dialogAt === 0) openDialog();
  return { page, found };
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve));

test.each([
  { text: 'sixteen letters.', how: 'a short text is sent at once' },
  { text: LONG_TEXT, how: 'a long text is sent in order, 16 letters ahead of the page' },
])('$how', async ({ text }) => {
  const { page, found } = openPage();
  await page.settle(pageInputs({ kind: 'type', text }, SIZE));
  // A letter is two inputs.
  expect(found).toEqual({ text, unanswered: 0, most: 32 });
});

test.each([
  { dialogAt: 0, when: 'before' },
  { dialogAt: 100, when: 'in the middle of' },
])('all of a long text is sent before the answer to a dialog that opens $when it', async ({ dialogAt }) => {
  const { page, found } = openPage(dialogAt);
  void page.settle(pageInputs({ kind: 'type', text: LONG_TEXT }, SIZE));
  // More than the page needs for the inputs before the dialog.
  for (let turns = 0; turns <= dialogAt; turns++) await turn();
  expect(found.text).toBe(LONG_TEXT);
});
