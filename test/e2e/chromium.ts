// The browser that pages are tried in.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { hasChromium as isInstalled, launch as launchChromium } from '../../runtime/bench/panels/browser.ts';
import { PATIENCE } from '../patience.ts';

export { HOW_TO } from '../../runtime/bench/panels/browser.ts';

export const hasChromium = isInstalled();

/** A browser whose pages wait as long as every test does. */
export async function launch(): Promise<Pick<Browser, 'newPage' | 'close'>> {
  const browser = await launchChromium();
  return {
    async newPage(options?: BrowserContextOptions): Promise<Page> {
      const page = await browser.newPage(options);
      page.setDefaultTimeout(PATIENCE.timeout);
      return page;
    },
    close: () => browser.close(),
  };
}
