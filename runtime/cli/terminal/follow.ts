// Follows a run from its beginning to its end. Who says stop ends it with a checkpoint; how it is shown is not known here.

import type { RunId } from '../../core/ids.ts';
import { isOver, type RunState } from '../../protocol/daemon/state.ts';
import type { Runs } from '../../server/runs.ts';

export interface Follow {
  readonly runs: Runs;
  /** Starts or resumes it. */
  readonly begin: () => Promise<RunId>;
  readonly show: (state: RunState) => void;
  readonly stop: AbortSignal;
}

/** Resolves with its last state once it is over; rejects where it does not begin, or cannot be stopped. */
export async function follow({ runs, begin, show, stop }: Follow): Promise<RunState> {
  let run: RunId | undefined;
  let tellOver: () => void = () => undefined;
  const over = new Promise<void>(resolve => {
    tellOver = resolve;
  });
  const heed = (state: RunState): void => {
    // Until its name is known, it is the one that is starting.
    if (run === undefined ? state.status !== 'starting' : state.run !== run) return;
    show(state);
    if (run !== undefined && isOver(state)) tellOver();
  };
  const unwatch = runs.watch(heed);
  const forget = new AbortController();
  try {
    run = await begin();
    const now = runs.state(run);
    if (now !== undefined) heed(now);
    await Promise.race([over, stopped(runs, run, stop, forget.signal).then(() => over)]);
    const last = runs.state(run);
    if (last === undefined) throw new Error(`The run '${run}' was deleted while it was followed.`);
    show(last);
    return last;
  } finally {
    forget.abort();
    unwatch();
  }
}

/** Resolves once it was stopped; never where nobody says so. */
async function stopped(runs: Runs, run: RunId, stop: AbortSignal, forget: AbortSignal): Promise<void> {
  if (!stop.aborted)
    await new Promise<void>(resolve => {
      stop.addEventListener('abort', () => resolve(), { once: true, signal: forget });
    });
  try {
    await runs.stop(run);
  } catch (error) {
    // It may have come to its end by itself meanwhile.
    const state = runs.state(run);
    if (state === undefined || !isOver(state)) throw error;
  }
}
