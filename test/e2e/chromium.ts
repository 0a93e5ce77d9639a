// Debian's Chromium, driven for tests. No browser is ever downloaded.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';

export const hasChromium = existsSync(PROGRAM);

export const HOW_TO = `${PROGRAM} is not installed: 'apt-get install chromium' (Debian) makes this test run.`;

export const launch = (): Promise<Browser> =>
  chromium.launch({
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
