// Drives the Chromium of the system for benchmarks and tests. It never downloads a browser.

import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';

export const hasChromium = (): boolean => existsSync(PROGRAM);

export const HOW_TO = `${PROGRAM} is not installed. On Debian: apt-get install chromium.`;

export async function launch(): Promise<Browser> {
  // A development dependency: the product does not have it.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: PROGRAM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
