// Checks the browser of web desktops, and the folder of MiniWoB++ if dartboard.json names one. Only web desktops need them.

import { failureOf } from '../../core/failure.ts';
import { type Finding, ok, problem, warning } from '../../core/finding.ts';
import type { BrowserReport } from '../../environments/web/browser-here.ts';

const NAME = 'Web';

export interface WebLooks {
  /** Whether dartboard.json asks for web desktops. */
  readonly isNeeded: boolean;
  /** Throws if there is no browser. */
  readonly find: () => unknown;
  /** Rejects if the browser does not start. */
  readonly start: () => Promise<BrowserReport>;
  /** Counts the tasks of a folder; absent if the settings name none. */
  readonly pages?: () => Promise<number>;
}

export async function web({ isNeeded, find, start, pages }: WebLooks): Promise<Finding> {
  const finding = isNeeded ? problem : warning;
  try {
    find();
  } catch (error) {
    const { message } = failureOf(error, 'provider', 'browser');
    if (!isNeeded) return ok(NAME, 'no browser found; only web desktops need one');
    return problem(NAME, ...halves(message));
  }
  try {
    const { path, version, isSandboxed } = await start();
    const sandbox = isSandboxed ? '' : ', without its sandbox since this user is root';
    const tasks = pages === undefined ? [] : [`${await pages()} tasks of MiniWoB++`];
    return ok(NAME, [`${version} at ${path}${sandbox}`, ...tasks].join('; '));
  } catch (error) {
    const { message } = failureOf(error, 'provider', 'browser');
    return finding(NAME, ...halves(message));
  }
}

/** What is wrong, and what to do: the first sentence and the rest. */
function halves(message: string): readonly [says: string, remedy: string] {
  const end = message.search(/\.\s/);
  if (end < 0) return [message, REMEDY];
  return [message.slice(0, end), message.slice(end + 2)];
}

const REMEDY = 'Correct environments.web in dartboard.json.';
