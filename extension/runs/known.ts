// What is known of the runs of the workspace: the list as the daemon told it last, and the newest state of each that changed since.
// Pure: trees, status bar and commands read it.

import type { CurvePoint, RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';

export interface Known {
  /** The newest first. */
  readonly runs: readonly RunSummary[];
  readonly states: ReadonlyMap<string, RunState>;
}

export const NOTHING: Known = { runs: [], states: new Map() };

type Status = RunState['status'];

/** A run with what its newest state says. */
export type Run = RunSummary & Pick<RunState, 'message' | 'waiting'>;

export const withList = ({ states }: Known, runs: readonly RunSummary[]): Known => ({
  runs,
  states: new Map([...states].filter(([run]) => runs.some(each => each.run === run))),
});

export const withState = ({ runs, states }: Known, state: RunState): Known => ({
  runs,
  states: new Map(states).set(state.run, state),
});

/** As it is known when nobody tells any more: the list, with what was told of its runs. */
export const asOfNow = (known: Known): Known => ({ runs: allRuns(known), states: new Map() });

/** Whether the list has to be asked for anew: only it says what can be resumed, and what a run takes on disk. */
export function isOutOfDate({ runs, states }: Known, { run, status }: RunState): boolean {
  const listed = runs.find(each => each.run === run);
  return listed === undefined || (states.get(run)?.status ?? listed.status) !== status;
}

export const allRuns = ({ runs, states }: Known): readonly Run[] =>
  runs.map(summary => {
    const state = states.get(summary.run);
    if (state === undefined) return { ...summary, waiting: [] };
    const { status, seconds, of, message, waiting } = state;
    const last = measured(state) ?? summary.last;
    return {
      ...summary,
      ...{ status, seconds, of, waiting },
      ...(last !== undefined && { last }),
      ...(message !== undefined && { message }),
    };
  });

/** On worlds that it never trained on. */
const measured = ({ curve }: RunState): CurvePoint | undefined =>
  curve.findLast(({ split }) => split === 'test');

/** It holds the machine: no other run can be started. */
const LIVE: readonly Status[] = ['starting', 'running', 'paused', 'stopping'];
export const isLive = (status: Status): boolean => LIVE.includes(status);

/** At most one run trains at a time. */
export const liveRun = (known: Known): Run | undefined => allRuns(known).find(({ status }) => isLive(status));

export const resumable = (known: Known): readonly Run[] =>
  allRuns(known).filter(({ status, canResume }) => canResume && !isLive(status));

/** Whose training a crash broke off: it goes on when the daemon is back. Who was paused or stopping stays. */
export const brokenOff = (known: Known): readonly string[] =>
  allRuns(known)
    .filter(({ status }) => status === 'starting' || status === 'running')
    .map(({ run }) => run);
