// Reads runs and evaluations from disk and compares them.

import { dirname, resolve } from 'node:path';
import { version } from '../../package.json';
import type { RunId } from '../core/ids.ts';
import { compareRuns } from './compare-runs.ts';
import type { RunsComparison } from './comparison.ts';
import { readAgentEvaluation } from './read/agent-evaluation.ts';
import { findRunFolder, readRun } from './read/read-run.ts';
import type { RecordedSide } from './record.ts';

export interface ComparisonRequest {
  /** The folder of runs. */
  readonly root: string;
  /** Names of runs, or paths of their folders. */
  readonly runs: readonly string[];
  /** Names of evaluations of agents. */
  readonly evaluations: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether a process trains a run of `root`. A daemon must answer for its own runs: a lock does not tell their own process. */
  readonly isLive?: (run: RunId) => Promise<boolean>;
}

/** More curves cannot be distinguished, and reading each takes about a second. */
const MAX_SIDES = 64;

/** Each run once. Rejects if one does not exist, and before it reads any. */
export async function recordedComparison({
  root,
  runs,
  evaluations,
  now,
  isLive,
}: ComparisonRequest): Promise<RunsComparison> {
  const folders: string[] = [];
  for (const name of runs) {
    const folder = await findRunFolder(root, name);
    if (!folders.includes(folder)) folders.push(folder);
  }
  const names = [...new Set(evaluations)];
  const count = folders.length + names.length;
  if (count === 0 || count > MAX_SIDES)
    throw new RangeError(
      `${count} runs and evaluations cannot be compared. Name 1 to ${MAX_SIDES}, as 'dartboard compare RUN RUN'; 'dartboard runs' lists all runs.`,
    );
  const sides: RecordedSide[] = [];
  for (const folder of folders)
    sides.push(await readRun(folder, dirname(folder) === resolve(root) ? isLive : undefined));
  for (const name of names) sides.push(await readAgentEvaluation(root, name));
  return compareRuns(withDifferentNames(sides, folders), { now, dartboard: version });
}

/** Results are found by the name of their run, and runs of two workspaces can have the same name. Such runs get the path of their folder as name. */
function withDifferentNames(
  sides: readonly RecordedSide[],
  folders: readonly string[],
): readonly RecordedSide[] {
  const names = sides.map(({ name }) => name);
  return sides.map((side, index) =>
    names.indexOf(side.name) === names.lastIndexOf(side.name)
      ? side
      : { ...side, name: folders[index] ?? side.name },
  );
}
