// Real browsers for the tests of web desktops. Without one, the tests are skipped with a line that says so.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { FoundBrowser } from '../../../runtime/environments/web/browser/find-browser.ts';
import { thisMachine } from '../../../runtime/environments/web/browser/machine.ts';
import { Browsers, type BrowsersOptions } from '../../../runtime/environments/web/browsers.ts';
import { readPageScripts } from '../../../runtime/environments/web/page/scripts.ts';

const CANDIDATES: readonly FoundBrowser[] = [
  { path: '/usr/lib/chromium/chromium-headless-shell', kind: 'shell' },
  { path: '/usr/bin/chromium', kind: 'full' },
];

/** The browsers of this machine: a shell, a full one, or both. */
export const INSTALLED_BROWSERS = CANDIDATES.filter(({ path }) => existsSync(path));

export const NO_BROWSER =
  'Skipped: there is no browser. Install one with: apt-get install chromium-headless-shell chromium';

const PAGES = fileURLToPath(new URL('pages', import.meta.url));

/** Serves the pages of this folder as two hosts. */
export const openBrowsers = (
  browser: FoundBrowser,
  folders: readonly (readonly [string, string])[] = [],
  machine = thisMachine(),
  health: BrowsersOptions['health'] = () => undefined,
  contexts = 24,
) =>
  new Browsers({
    browser,
    machine,
    scripts: readPageScripts(),
    contexts,
    folders: new Map([['pages.test', PAGES], ['other.test', PAGES], ...folders]),
    clock: systemClock,
    health,
  });
