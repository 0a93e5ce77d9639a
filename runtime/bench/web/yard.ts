// The web desktops of the benchmark: one browser, and the suite of a folder with pages of MiniWoB++.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { desktopId, type Seed, seed } from '../../core/ids.ts';
import type { Size } from '../../core/screen.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { Task } from '../../core/task.ts';
import type { FoundBrowser } from '../../environments/web/browser/find-browser.ts';
import { thisMachine } from '../../environments/web/browser/machine.ts';
import { ANY_BROWSER, browserHere } from '../../environments/web/browser-here.ts';
import { Browsers } from '../../environments/web/browsers.ts';
import { WebDesktop } from '../../environments/web/desktop.ts';
import { type MiniwobSuite, miniwobSuite } from '../../environments/web/miniwob/suite.ts';
import { MINIWOB_HOST } from '../../environments/web/miniwob-task.ts';
import { readPageScripts } from '../../environments/web/page/scripts.ts';

/** Of desktops without MiniWoB++, whose pages have a size of their own. */
export const SIZE: Size = { width: 160, height: 210 };
/** All desktops share one browser. */
const CONTEXTS = 64;
/** The benchmark needs few pages; a checkout beside the project is found by itself. */
const BESIDE = join('..', 'shared', 'data', 'miniwob');

/** Throws a RangeError that explains where to get the pages. */
export function miniwobFolder(given: string | undefined): string {
  const folder = given ?? process.env['DARTBOARD_MINIWOB'] ?? BESIDE;
  if (existsSync(join(folder, 'html', 'miniwob'))) return folder;
  throw new RangeError(
    `${folder} has no pages of MiniWoB++. Download them with 'dartboard web get miniwob', and pass their folder with --miniwob or in DARTBOARD_MINIWOB.`,
  );
}

export interface WebYard {
  readonly found: FoundBrowser;
  readonly folder: string;
  readonly browsers: Browsers;
  /** `files`: the folder below which set-up steps serve pages. */
  open(files?: string): WebDesktop;
  /** An instance of a page of MiniWoB++. */
  task(page: string, number: number): { readonly task: Task; readonly number: Seed };
  close(): Promise<void>;
}

export async function openWebYard(folder: string, report: (line: string) => void): Promise<WebYard> {
  const found = browserHere(ANY_BROWSER);
  const suite: MiniwobSuite = await miniwobSuite(folder);
  const browsers = new Browsers({
    ...{ browser: found, machine: thisMachine(), scripts: readPageScripts(), contexts: CONTEXTS },
    ...{ folders: new Map([[MINIWOB_HOST, folder]]), clock: systemClock },
    health: (thing, _isHealthy, message) => report(`${thing}: ${message}`),
  });
  const opened: WebDesktop[] = [];
  return {
    found,
    folder,
    browsers,
    open: files => {
      const desktop = new WebDesktop(desktopId(`web-${opened.length}`), {
        ...{ browsers, size: SIZE, allow: [], miniwob: folder, files, clock: systemClock },
      });
      opened.push(desktop);
      return desktop;
    },
    task: (page, number) => {
      const instance = seed(number % suite.trainSeeds);
      return { task: suite.task(`miniwob-${page}`, instance), number: instance };
    },
    close: async () => {
      await Promise.all(opened.map(desktop => desktop.close()));
      await browsers.close();
    },
  };
}
