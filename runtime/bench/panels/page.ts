// The panels as the parts of this benchmark open them: the bundled page in Chromium, or in a window of VS Code (vscode.ts).

import type { Browser, Frame, Page } from 'playwright-core';
import { systemClock } from '../../core/system-clock.ts';
import type { PanelName } from '../../protocol/panels.ts';
import type { WorkspaceRuns } from '../../server/workspace-runs.ts';
import { observePage } from './page-script.ts';

export const VIEW = { width: 1280, height: 820 };

/** A browser, and a daemon whose page it opens. */
export interface BenchBrowser {
  readonly browser: Browser;
  readonly address: string;
}

/** The panels of a daemon that runs in this process. Their frames are observed (page-script.ts). */
export interface BenchPanels {
  readonly runs: WorkspaceRuns;
  /** Opens the panel of a hash. */
  open(hash: string): Promise<Frame>;
  /** The panel that another one has opened: its own page in VS Code, the same page in a browser. */
  follow(from: Frame, panel: PanelName): Promise<Frame>;
  /** Closes the panel, and all that it opened. */
  leave(frame: Frame): Promise<void>;
}

export const browserPanels = (runs: WorkspaceRuns, chromium: BenchBrowser): BenchPanels => ({
  runs,
  open: async hash => (await openPage(chromium, hash)).mainFrame(),
  follow: async from => from,
  leave: frame => frame.page().close(),
});

/** Opens the page with its token, then goes to a hash. */
export async function openPage({ browser, address }: BenchBrowser, hash: string): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEW });
  await page.addInitScript(observePage);
  await page.goto(address);
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.evaluate(target => location.replace(target), hash);
  return page;
}

export const pressButton = (frame: Frame, name: string): Promise<void> =>
  frame.getByRole('button', { name, exact: true }).click();

/** Resolves when the person can act. */
export const untilActing = (frame: Frame): Promise<void> =>
  frame.locator('.record-status[data-phase="acting"]').waitFor();

const POLL_MS = 20;
const MAX_WAIT_MS = 60_000;

/** Polls the daemon, which runs in this process. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  while (!holds()) {
    if (performance.now() > end)
      throw new Error(`${what} did not happen within 60 s. Run the benchmark again.`);
    await systemClock.sleep(POLL_MS);
  }
}
