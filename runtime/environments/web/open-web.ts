// Opens the web desktops of a run: their suite, their browsers, and scripted solutions.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Size } from '../../core/screen.ts';
import { joinedSuite } from '../joined-suite.ts';
import type { DesktopProvider } from '../provider.ts';
import type { Suite } from '../suite.ts';
import { solverOf } from '../template/solution.ts';
import type { ScriptedSuite } from '../template/suite.ts';
import type { ScriptedTemplate } from '../template/template.ts';
import { thisMachine } from './browser/machine.ts';
import { browserHere } from './browser-here.ts';
import { Browsers } from './browsers.ts';
import { WebDesktop } from './desktop.ts';
import { miniwobOracle, ORACLE_PAGES } from './miniwob/oracle/oracles.ts';
import { type MiniwobSuite, miniwobSuite } from './miniwob/suite.ts';
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
  const { suite, scripted, pages } = await openSuites(options);
  const folders = new Map([[PAGES_HOST, pagesFolder()]]);
  if (miniwob !== undefined) folders.set(MINIWOB_HOST, miniwob);
  const browsers = new Browsers({
    ...{ browser: browserHere(options.browser), machine: thisMachine(), scripts: readPageScripts() },
    ...{ contexts: contextsPerBrowser, folders, clock, health },
  });
  const pageOf = (task: TaskId) => pages?.templates.find(({ id }) => id === task)?.page.page;
  return {
    suite,
    ...(pages !== undefined && { inARow: IN_A_ROW }),
    make: async id => {
      // The pool waits longer and longer for a browser that does not start.
      await browsers.ready();
      return new WebDesktop(id, { browsers, size, allow, miniwob, files, clock });
    },
    isScripted: task => {
      const page = pageOf(task);
      return page === undefined || ORACLE_PAGES.includes(page);
    },
    solver: (instance, instruction) => {
      const { task, seed } = suite.own(instance);
      const page = pageOf(task);
      if (page === undefined) return solverOf(task, scriptedTemplate(scripted, task).make(seed).solution);
      const oracle = miniwobOracle(page, instruction);
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
export const webSuite = async (options: Pick<WebOptions, 'miniwob' | 'files'>): Promise<Suite> =>
  (await openSuites(options)).suite;

async function openSuites({ miniwob, files }: Pick<WebOptions, 'miniwob' | 'files'>) {
  const scripted = files === undefined ? [WEB] : [WEB, await webTasksFrom(files)];
  const pages: MiniwobSuite | undefined = miniwob === undefined ? undefined : await miniwobSuite(miniwob);
  return { suite: joinedSuite(pages === undefined ? scripted : [...scripted, pages]), scripted, pages };
}

function scriptedTemplate(suites: readonly ScriptedSuite[], task: string): ScriptedTemplate {
  const found = suites.flatMap(({ templates }) => templates).find(({ id }) => id === task);
  if (found === undefined) throw new RangeError(`The suite has no task '${task}'.`);
  return found;
}
