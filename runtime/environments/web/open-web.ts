// Opens the web desktops of a run: their suite, their browsers, and scripted solutions.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { Size } from '../../core/screen.ts';
import { type JoinedSuite, joinedSuite } from '../joined-suite.ts';
import type { DesktopProvider } from '../provider.ts';
import { solverOf } from '../template/solution.ts';
import type { ScriptedTemplate } from '../template/template.ts';
import { thisMachine } from './browser/machine.ts';
import { browserHere } from './browser-here.ts';
import { Browsers } from './browsers.ts';
import { WebDesktop } from './desktop.ts';
import { miniwobOracle, ORACLE_PAGES } from './miniwob/oracle/oracles.ts';
import { type MiniwobTask, miniwobSuite } from './miniwob/suite.ts';
import { MINIWOB_HOST } from './miniwob-task.ts';
import { readPageScripts } from './page/scripts.ts';
import { webTasksFrom } from './tasks/from-folder.ts';
import { PAGES_HOST, pagesFolder } from './tasks/pages.ts';
import { WEB } from './tasks/suite.ts';

export interface WebOptions {
  /** A program, or `auto` to search. */
  readonly browser: string;
  readonly contextsPerBrowser: number;
  readonly size: Size;
  /** The hosts that tasks may reach at most. */
  readonly allow: readonly string[];
  /** The folder of MiniWoB++ pages. */
  readonly miniwob?: string | undefined;
  /** A folder with task files of the user. */
  readonly files?: string | undefined;
  readonly clock: Clock;
  /** Reports that a browser ended, or works again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** Opening another page of MiniWoB++ takes more processor time than an episode. This is the number of episodes of a group. */
const IN_A_ROW = 8;

/** Rejects with a BoundaryError of `provider` if there is no browser. Browsers start with the first desktop. */
export async function openWeb(options: WebOptions): Promise<DesktopProvider> {
  const { contextsPerBrowser, size, allow, miniwob, files, clock, health } = options;
  const suite = await webSuite(options);
  const folders = new Map([[PAGES_HOST, pagesFolder()]]);
  if (miniwob !== undefined) folders.set(MINIWOB_HOST, miniwob);
  const browsers = new Browsers({
    ...{ browser: browserHere(options.browser), machine: thisMachine(), scripts: readPageScripts() },
    ...{ contexts: contextsPerBrowser, folders, clock, health },
  });
  return {
    suite,
    ...(miniwob !== undefined && { inARow: IN_A_ROW }),
    make: async id => {
      // The pool waits longer and longer for a browser that does not start.
      await browsers.ready();
      return new WebDesktop(id, { browsers, size, allow, miniwob, files, clock });
    },
    isScripted: task => {
      const template = suite.template(task);
      return 'make' in template || ORACLE_PAGES.includes(template.page.page);
    },
    solver: (instance, instruction) => {
      const { task, seed } = suite.own(instance);
      const template = suite.template(task);
      if ('make' in template) return solverOf(task, template.make(seed).solution);
      const oracle = miniwobOracle(template.page.page, instruction);
      if (oracle !== undefined) return oracle;
      throw new BoundaryError({
        boundary: 'task',
        thing: task,
        message:
          'this page has no scripted solution. Train it without demonstrations, or choose another task.',
      });
    },
    close: () => browsers.close(),
  };
}

/** The built-in tasks, those of the user's files, and those of the pages of MiniWoB++ if there is a folder of them. */
export async function webSuite({
  miniwob,
  files,
}: Pick<WebOptions, 'miniwob' | 'files'>): Promise<JoinedSuite<ScriptedTemplate | MiniwobTask>> {
  return joinedSuite<ScriptedTemplate | MiniwobTask>([
    WEB,
    ...(files === undefined ? [] : [await webTasksFrom(files)]),
    ...(miniwob === undefined ? [] : [await miniwobSuite(miniwob)]),
  ]);
}
