// A page of the panels as an editor shows it, for tests: messages go to the editor instead of the daemon.

import type { Page } from 'playwright-core';
import type { PanelName } from '../../runtime/protocol/panels.ts';

interface EditorPage {
  /** A message of the editor. */
  readonly host: (message: object) => Promise<void>;
  /** The messages of this kind that the page has sent so far. */
  readonly sent: <T extends object>(kind: string) => Promise<readonly T[]>;
}

/** Opens one panel. `state` is what the editor kept for it. */
export async function openInEditor(
  page: Page,
  address: string,
  panel: PanelName,
  state?: object,
): Promise<EditorPage> {
  await page.addInitScript(
    ([name, kept]) => {
      const messages: unknown[] = [];
      Object.assign(window, {
        sent: messages,
        acquireVsCodeApi: () => ({
          postMessage: (message: unknown) => messages.push(message),
          getState: () => kept,
          setState: () => undefined,
        }),
      });
      // Before the scripts of the page run.
      document.addEventListener('readystatechange', () => {
        document.body.dataset['panel'] = name;
      });
    },
    [panel, state] as const,
  );
  await page.goto('about:blank');
  await page.goto(address);
  return {
    host: message => page.evaluate(each => window.postMessage(each, '*'), message),
    sent: <T extends object>(kind: string) =>
      page.evaluate(
        wanted =>
          (window as unknown as { sent: { kind: string }[] }).sent.filter(each => each.kind === wanted),
        kind,
      ) as Promise<object[]> as Promise<T[]>,
  };
}
