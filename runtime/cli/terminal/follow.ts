// Starts a run and follows it to its end. The stop signal ends it with a checkpoint.

import type { RunId } from '../../core/ids.ts';
import { isOver, type RunState } from '../../protocol/daemon/state.ts';
import type { Runs } from '../../server/runs.ts';

export interface FollowOptions {
  readonly runs: Runs;
  /** Starts or resumes the run. */
  readonly start: () => Promise<RunId>;
  readonly show: (state: RunState) => void;
  readonly stop: AbortSignal;
}

/** Resolves with the last state of the run. Rejects if the run does not start or cannot be stopped. */
export async function followRun({ runs, start, show, stop }: FollowOptions): Promise<RunState> {
  let run: RunId | undefined;
  let resolveOver: () => void = () => undefined;
  const over = new Promise<void>(resolve => {
    resolveOver = resolve;
  });
  const onState = (state: RunState): void => {
    // `start` returns the name of the run; until then the only starting run is the right one.
    if (run === undefined ? state.status !== 'starting' : state.run !== run) return;
    show(state);
    if (run !== undefined && isOver(state)) resolveOver();
  };
  const unwatch = runs.watch(onState);
  const forget = new AbortController();
  try {
    run = await start();
    const now = runs.state(run);
    if (now !== undefined) onState(now);
    await Promise.race([over, stopped(runs, run, stop, forget.signal).then(() => over)]);
    const last = runs.state(run);
    if (last === undefined)
      throw new Error(`Run '${run}' was deleted while it trained. Start another with 'dartboard train'.`);
    show(last);
    return last;
  } finally {
    forget.abort();
    unwatch();
  }
}

/** Resolves when the run has stopped after a stop signal; without one, never. */
async function stopped(runs: Runs, run: RunId, stop: AbortSignal, forget: AbortSignal): Promise<void> {
  if (!stop.aborted)
    await new Promise<void>(resolve => {
      stop.addEventListener('abort', () => resolve(), { once: true, signal: forget });
    });
  try {
    await runs.stop(run);
  } catch (error) {
    // The run may have ended by itself in the meantime.
    const state = runs.state(run);
    if (state === undefined || !isOver(state)) throw error;
  }
}
