// Debian's Chromium, driven for measurements and tests. No browser is ever downloaded.

import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';

export const hasChromium = (): boolean => existsSync(PROGRAM);

export const HOW_TO = `${PROGRAM} is not installed: 'apt-get install chromium' (Debian) brings it.`;

export async function launch(): Promise<Browser> {
  // Only who measures or tests has it.
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
