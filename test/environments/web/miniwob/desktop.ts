// A web desktop with the folder of MiniWoB++ pages, in a real browser.

import { afterAll, beforeAll } from 'vitest';
import type { Action } from '../../../../runtime/core/action.ts';
import type { FirstScreen } from '../../../../runtime/core/desktop.ts';
import { desktopId, type Seed } from '../../../../runtime/core/ids.ts';
import type { Screen } from '../../../../runtime/core/screen.ts';
import { systemClock } from '../../../../runtime/core/system-clock.ts';
import type { Browsers } from '../../../../runtime/environments/web/browsers.ts';
import { WebDesktop } from '../../../../runtime/environments/web/desktop.ts';
import { type MiniwobSuite, miniwobSuite } from '../../../../runtime/environments/web/miniwob/suite.ts';
import { MINIWOB_HOST } from '../../../../runtime/environments/web/miniwob-task.ts';
import { INSTALLED_BROWSERS, NO_BROWSER, openBrowsers } from '../browsers.ts';
import { hasMiniwob, MINIWOB, NO_MINIWOB } from './folder.ts';

const [browser] = INSTALLED_BROWSERS;
if (browser === undefined) process.stderr.write(`${NO_BROWSER}\n`);
if (!hasMiniwob) process.stderr.write(`${NO_MINIWOB}\n`);

export const canOpenMiniwob = browser !== undefined && hasMiniwob;

export interface MiniwobDesktop {
  start(page: string, seed: Seed): Promise<FirstScreen>;
  act(action: Action): Promise<Screen>;
  score(): Promise<number>;
}

/** One desktop for all tests of a file. */
export function miniwobDesktop(): MiniwobDesktop {
  let [browsers, desktop, suite]: [Browsers?, WebDesktop?, MiniwobSuite?] = [];
  const opened = (): WebDesktop => {
    if (desktop === undefined) throw new Error('The desktop is not open: call this within a test.');
    return desktop;
  };
  beforeAll(async () => {
    if (browser === undefined) return;
    browsers = openBrowsers(browser, [[MINIWOB_HOST, MINIWOB]]);
    suite = await miniwobSuite(MINIWOB);
    const size = { width: 160, height: 210 };
    desktop = new WebDesktop(desktopId('web-1'), {
      ...{ browsers, size, allow: [], miniwob: MINIWOB, files: undefined, clock: systemClock },
    });
  });
  afterAll(async () => {
    await desktop?.close();
    await browsers?.close();
  });
  return {
    async start(page, seed) {
      const task = suite?.task(`miniwob-${page}`, seed);
      if (task === undefined) throw new Error(`No task for ${page}.`);
      return opened().reset(task, seed);
    },
    act: action => opened().act(action),
    score: async () => (await opened().judge('finished')).score,
  };
}
