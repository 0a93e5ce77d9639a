// `dartboard resume`: continues a run that was stopped or interrupted.

import { join } from 'node:path';
import type { Command } from 'commander';
import { exists } from '../core/existing-file.ts';
import { runId } from '../core/ids.ts';
import { isRunComplete, type RunSummary } from '../protocol/daemon/state.ts';
import { RUN_FILE } from '../run/folders/run-folders.ts';
import type { CliContext } from './context.ts';
import { findRun } from './find-run.ts';
import { openRuns, type RunsContext, trainInForeground } from './foreground.ts';
import { minutesOption, portOption } from './options.ts';

export interface ResumeOptions {
  /** The training time in all. Default: the time that the run was given at first. */
  readonly minutes?: number;
  readonly port: number;
}

export function addResumeCommand(program: Command, context: CliContext): void {
  program
    .command('resume')
    .description('Continue a run that was stopped or interrupted.')
    .argument('[run]', 'name of the run (default: the latest that is not complete)')
    .addOption(minutesOption('training time in all (default: the time that the run was given)'))
    .addOption(portOption())
    .action((name: string | undefined, options: ResumeOptions) =>
      resume({ ...context, open: openRuns(context) }, name, options),
    );
}

export async function resume(
  context: RunsContext,
  name: string | undefined,
  { minutes, port }: ResumeOptions,
): Promise<void> {
  await trainInForeground(context, port, async runs => {
    const list = await runs.list();
    // A run whose run.json cannot be read is not in the list.
    if (name !== undefined && !list.some(({ run }) => run === name) && (await hasFile(context.root, name)))
      throw new RangeError(
        `Run '${name}' cannot be resumed: its run.json cannot be read. Restore the file, or start another run with '${context.program} train'.`,
      );
    const { run } = name === undefined ? latest(list, minutes) : named(list, name, minutes);
    const id = runId(run);
    return async () => {
      await (minutes === undefined ? runs.resume(id) : runs.resume(id, 60 * minutes));
      return id;
    };
  });
}

const hasFile = (root: string, run: string): Promise<boolean> => exists(join(root, run, RUN_FILE));

/** The latest run that is not complete. */
export function latest(list: readonly RunSummary[], minutes: number | undefined): RunSummary {
  const candidates = list.filter(({ canResume }) => canResume).toSorted((a, b) => b.startedAt - a.startedAt);
  if (candidates.length === 0)
    throw new RangeError("No run in this folder can be resumed. Start one with 'dartboard train'.");
  const found = candidates.find(summary => !isComplete(summary, minutes));
  if (found !== undefined) return found;
  throw new RangeError(
    'Every run in this folder has used its training time. Set a longer time in all with --minutes.',
  );
}

function named(list: readonly RunSummary[], name: string, minutes: number | undefined): RunSummary {
  const found = findRun(list, name);
  const { run, status, canResume, seconds } = found;
  if (!canResume) {
    const why = ACTIVE.has(status)
      ? `it is ${status} already. Stop it first`
      : "it has no checkpoint. Start another one with 'dartboard train'";
    throw new RangeError(`Run '${run}' cannot be resumed: ${why}.`);
  }
  if (!isComplete(found, minutes)) return found;
  const trained = `Run '${run}' has trained for ${(seconds / 60).toFixed(1)} minutes`;
  throw new RangeError(
    minutes === undefined
      ? `${trained}, which is all of its time. Set a longer time in all with --minutes.`
      : `${trained}, so --minutes ${minutes} leaves no time. Set a longer time in all.`,
  );
}

const ACTIVE: ReadonlySet<RunSummary['status']> = new Set(['starting', 'running', 'paused', 'stopping']);

const isComplete = (summary: RunSummary, minutes: number | undefined): boolean =>
  isRunComplete({ ...summary, ...(minutes !== undefined && { of: 60 * minutes }) });
