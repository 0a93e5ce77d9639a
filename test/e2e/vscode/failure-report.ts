// What there is in a window of VS Code at one moment, in words and as a picture: for the error of whoever waited for something else.

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** Milliseconds. A page that hangs says nothing, and must not keep the error from coming. */
const SAYS_WITHIN = 3000;

/** Of the workbench, by what they are called in the error. */
const PARTS: Readonly<Record<string, string>> = {
  tabs: '.tab',
  'open tab': '.tab.active',
  'status bar': '.statusbar-item.left',
  notifications: '.notification-toast',
  palette: '.quick-input-widget',
  dialogs: '.monaco-dialog-box',
};

/** For an error that `what` did not come; the picture is written to `folder`. */
export async function seenInstead(page: Page, what: string, folder: string): Promise<string> {
  const name = what
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  const file = join(folder, `failure-${name}.png`);
  const said = await Promise.all([
    ...Object.entries(PARTS).map(
      async ([part, selector]) => `${part}: ${await soon(textsOf(page.locator(selector)))}`,
    ),
    ...page.frames().map(async (frame, index) => {
      const body = frame.locator('body');
      const panel = await soon(body.getAttribute('data-panel', { timeout: SAYS_WITHIN }));
      const text = panel === null ? '' : `, ${await soon(textsOf(body))}`;
      return `frame ${index}: panel ${panel}${text}`;
    }),
    soon(page.screenshot({ path: file, timeout: SAYS_WITHIN }).then(() => `picture: ${file}`)),
  ]);
  return `It did not come: ${what}. There was instead\n  ${said.join('\n  ')}`;
}

async function textsOf(all: Locator): Promise<string> {
  const texts = await all.filter({ visible: true }).allInnerTexts();
  return texts.map(text => `'${text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)}'`).join(', ') || 'none';
}

/** Or why it cannot be told. */
const soon = <T>(telling: Promise<T>): Promise<T | string> =>
  Promise.race([
    telling.catch((error: unknown) => `(${String(error).split('\n')[0]})`),
    setTimeout(SAYS_WITHIN + 500, '(no answer)', { ref: false }),
  ]);
