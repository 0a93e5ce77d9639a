// The content of a VS Code window as text and as a screenshot, for the error of a test that waited in vain.

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** A page that hangs must not delay the error. */
const QUERY_TIMEOUT_MS = 3000;

/** Parts of the workbench by their names in the report. */
const PARTS: Readonly<Record<string, string>> = {
  tabs: '.tab',
  'active tab': '.tab.active',
  'status bar': '.statusbar-item.left',
  notifications: '.notification-toast',
  palette: '.quick-input-widget',
  dialogs: '.monaco-dialog-box',
};

/** An error message for a missing `what`. Writes a screenshot to `folder`. */
export async function failureReport(page: Page, what: string, folder: string): Promise<string> {
  const name = what
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  const file = join(folder, `failure-${name}.png`);
  const lines = await Promise.all([
    ...Object.entries(PARTS).map(
      async ([part, selector]) => `${part}: ${await withinTimeout(textsOf(page.locator(selector)))}`,
    ),
    ...page.frames().map(async (frame, index) => {
      const body = frame.locator('body');
      const panel = await withinTimeout(body.getAttribute('data-panel', { timeout: QUERY_TIMEOUT_MS }));
      const text = panel === null ? '' : `, ${await withinTimeout(textsOf(body))}`;
      return `frame ${index}: panel ${panel}${text}`;
    }),
    withinTimeout(
      page.screenshot({ path: file, timeout: QUERY_TIMEOUT_MS }).then(() => `screenshot: ${file}`),
    ),
  ]);
  return `Missing: ${what}. The window shows\n  ${lines.join('\n  ')}`;
}

async function textsOf(elements: Locator): Promise<string> {
  const texts = await elements.filter({ visible: true }).allInnerTexts();
  return texts.map(text => `'${text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)}'`).join(', ') || 'none';
}

/** The result, or why there is none. */
const withinTimeout = <T>(query: Promise<T>): Promise<T | string> =>
  Promise.race([
    query.catch((error: unknown) => `(${String(error).split('\n')[0]})`),
    setTimeout(QUERY_TIMEOUT_MS + 500, '(no response)', { ref: false }),
  ]);
