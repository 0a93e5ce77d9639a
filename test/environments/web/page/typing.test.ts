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

/** A page that answers one input after another. */
function openPage() {
  const found = { text: '', unanswered: 0, most: 0 };
  const contextListeners: ((params: unknown) => void)[] = [];
  const session = {
    isOpen: true,
    send: async (method: string, params?: { readonly text?: string }) => {
      if (method !== 'Input.dispatchKeyEvent') return { result: { value: true } };
      found.text += params?.text ?? '';
      found.unanswered += 1;
      found.most = Math.max(found.most, found.unanswered);
      await new Promise(resolve => setImmediate(resolve));
      found.unanswered -= 1;
      return {};
    },
    on: (event: string, listener: (params: unknown) => void) => {
      if (event === 'Runtime.executionContextCreated') contextListeners.push(listener);
      return () => undefined;
    },
  };
  const page = new WebPage(session as unknown as CdpSession, {
    ...{ frame: MAIN, size: SIZE, clock: new VirtualClock(), clipboard: new WindowClipboard() },
  });
  for (const listener of contextListeners)
    listener({ context: { id: 1, name: WORLD, auxData: { isDefault: false, frameId: MAIN } } });
  return { page, found };
}

test.each([
  { text: 'sixteen letters.', how: 'a short text is sent at once' },
  { text: 'slow page '.repeat(500), how: 'a long text is sent in order, 16 letters ahead of the page' },
])('$how', async ({ text }) => {
  const { page, found } = openPage();
  await page.settle(pageInputs({ kind: 'type', text }, SIZE));
  // A letter is two inputs.
  expect(found).toEqual({ text, unanswered: 0, most: 32 });
});
