// The same clicks through Playwright, with the same browser program and the same pages.

import type { Page } from 'playwright-core';
import { browserFlags } from '../../environments/web/browser/flags.ts';
import { thisMachine } from '../../environments/web/browser/machine.ts';
import { pathOf, startEpisode } from '../../environments/web/miniwob/episode.ts';
import { serveFolder } from './folder-server.ts';
import type { ClickedPage } from './random-clicks.ts';
import { SIZE, type WebYard } from './yard.ts';

/** 'page': `page.click`, which waits until the target is ready. 'mouse': `page.mouse.click`, which only sends the events. */
export type PlaywrightClick = 'page' | 'mouse';

export interface PlaywrightPages {
  /** A page in a context of its own. */
  open(page: string, click: PlaywrightClick): Promise<ClickedPage>;
  close(): Promise<void>;
}

/** Playwright chooses these itself, or the pages of the benchmark need the network of the machine. */
const NOT_OURS = /^--(remote-debugging|user-data-dir|proxy|host-resolver)/;

/** With Playwright's default flags, or with Dartboard's in addition. */
export async function openPlaywright(
  { found, folder }: WebYard,
  flags: 'default' | 'dartboard',
): Promise<PlaywrightPages> {
  // A development dependency: the product does not have it.
  const { chromium } = await import('playwright-core');
  const server = await serveFolder(folder);
  const ours = browserFlags({ machine: thisMachine(), kind: found.kind, profile: '' });
  const browser = await chromium.launch({
    executablePath: found.path,
    args: flags === 'default' ? [] : ours.filter(flag => !NOT_OURS.test(flag)),
  });
  return {
    open: async (name, kind) => {
      const page = await browser.newPage({ viewport: SIZE });
      await page.goto(`${server.url}${pathOf(name)}`);
      return playwrightPage(page, name, kind);
    },
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

const playwrightPage = (page: Page, name: string, kind: PlaywrightClick): ClickedPage => ({
  restart: async seed => {
    const evaluate = (expression: string) => page.evaluate<unknown>(expression);
    await startEpisode(evaluate, { page: name, seed, mode: 'train' });
    await page.screenshot();
  },
  click: async ({ x, y }) => {
    if (kind === 'mouse') await page.mouse.click(x, y);
    else await page.click('html', { position: { x, y } });
    await page.screenshot();
    return page.evaluate<boolean>('WOB_DONE_GLOBAL === true');
  },
  close: () => page.close(),
});
