// The bundled page in Chromium, as the parts of this benchmark open it.

import type { Browser, Page } from 'playwright-core';
import { systemClock } from '../../core/system-clock.ts';
import type { WorkspaceRuns } from '../../server/workspace-runs.ts';
import { observePage } from './page-script.ts';

export const VIEW = { width: 1280, height: 820 };

/** A browser, and a daemon whose page it opens. */
export interface BenchPanels {
  readonly runs: WorkspaceRuns;
  readonly browser: Browser;
  readonly address: string;
}

/** Opens the page with its token, then goes to a hash. */
export async function openPage(
  { browser, address }: Pick<BenchPanels, 'browser' | 'address'>,
  hash: string,
): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEW });
  await page.addInitScript(observePage);
  await page.goto(address);
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.evaluate(target => location.replace(target), hash);
  return page;
}

export const pressButton = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Resolves when the person can act. */
export const untilActing = (page: Page): Promise<void> =>
  page.locator('.record-status[data-phase="acting"]').waitFor();

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
