// What `dartboard resume` does: goes on with a run that was stopped or broke off, by default with the latest of them.

import { runId } from '../core/ids.ts';
import type { RunSummary } from '../protocol/daemon/state.ts';
import { runNamed } from './find-run.ts';
import { inSight, type Surroundings } from './foreground.ts';
import { isEarly } from './terminal/ring-report.ts';

export interface Resume {
  readonly name: string | undefined;
  /** In all; undefined for as long as it was meant to. */
  readonly minutes: number | undefined;
  readonly around: Surroundings;
}

export async function resume({ name, minutes, around }: Resume): Promise<void> {
  await inSight(around, async runs => {
    const list = await runs.list();
    const { run } = name === undefined ? latest(list, minutes) : named(list, name, minutes);
    const id = runId(run);
    return async () => {
      await (minutes === undefined ? runs.resume(id) : runs.resume(id, 60 * minutes));
      return id;
    };
  });
}

/** That has time left. */
export function latest(list: readonly RunSummary[], minutes: number | undefined): RunSummary {
  const found = list
    .filter(({ canResume }) => canResume)
    .toSorted((a, b) => b.startedAt - a.startedAt)
    .find(summary => hasTime(summary, minutes));
  if (found !== undefined) return found;
  if (!list.some(({ canResume }) => canResume))
    throw new RangeError("There is no run here that can be resumed: 'dartboard train' begins one.");
  throw new RangeError(
    'All runs that could be resumed have trained for their time: say with --minutes for how long in all.',
  );
}

function named(list: readonly RunSummary[], name: string, minutes: number | undefined): RunSummary {
  const found = runNamed(list, name);
  const { run, status, canResume, seconds } = found;
  if (!canResume) {
    const why = GOES_ON.has(status) ? `is ${status} already` : 'has no checkpoint to go on from';
    throw new RangeError(`The run '${run}' cannot be resumed: it ${why}.`);
  }
  if (hasTime(found, minutes)) return found;
  const trained = `The run '${run}' has trained for ${Math.round(seconds / 6) / 10} minutes`;
  throw new RangeError(
    minutes === undefined
      ? `${trained}, which is all of its time: say with --minutes for how long in all.`
      : `${trained}, and --minutes says how many in all: '${minutes}' is not more.`,
  );
}

const GOES_ON: ReadonlySet<RunSummary['status']> = new Set(['starting', 'running', 'paused', 'stopping']);

const hasTime = ({ seconds, of }: RunSummary, minutes: number | undefined): boolean =>
  isEarly({ seconds, of: minutes === undefined ? of : 60 * minutes });
