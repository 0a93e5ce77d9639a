// The runs of the workspace: summaries as the daemon listed them last, and newer states of single runs. Pure.

import type { EvaluationPoint, RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import { CONTEXT } from '../commands.ts';

export interface RunOverview {
  /** Newest first. */
  readonly summaries: readonly RunSummary[];
  readonly states: ReadonlyMap<string, RunState>;
}

export const NO_RUNS: RunOverview = { summaries: [], states: new Map() };

type RunStatus = RunState['status'];

/** A summary, updated by the newest state of the run. */
export type ListedRun = RunSummary & Pick<RunState, 'message' | 'waiting'>;

export const withSummaries = ({ states }: RunOverview, summaries: readonly RunSummary[]): RunOverview => ({
  summaries,
  states: new Map([...states].filter(([run]) => summaries.some(each => each.run === run))),
});

export const withState = ({ summaries, states }: RunOverview, state: RunState): RunOverview => ({
  summaries,
  states: new Map(states).set(state.run, state),
});

/** The list after the connection was lost: states become part of the summaries. */
export const offline = (list: RunOverview): RunOverview => ({
  summaries: listedRuns(list),
  states: new Map(),
});

/** Whether the summaries are out of date. Only they show whether a run can resume and its size on disk. */
export function needsRefresh({ summaries, states }: RunOverview, { run, status }: RunState): boolean {
  const summary = summaries.find(each => each.run === run);
  return summary === undefined || (states.get(run)?.status ?? summary.status) !== status;
}

export const listedRuns = ({ summaries, states }: RunOverview): readonly ListedRun[] =>
  summaries.map(summary => {
    const state = states.get(summary.run);
    if (state === undefined) return { ...summary, waiting: [] };
    const { status, seconds, of, message, waiting } = state;
    const last = lastTestPoint(state) ?? summary.last;
    return {
      ...summary,
      ...{ status, seconds, of, waiting },
      ...(last !== undefined && { last }),
      ...(message !== undefined && { message }),
    };
  });

const lastTestPoint = ({ curve }: RunState): EvaluationPoint | undefined =>
  curve.findLast(({ split }) => split === 'test');

/** A live run occupies the machine: no other run can start. */
const LIVE: readonly RunStatus[] = ['starting', 'running', 'paused', 'stopping'];
export const isLive = (status: RunStatus): boolean => LIVE.includes(status);

/** At most one run is live. */
export const liveRun = (list: RunOverview): ListedRun | undefined =>
  listedRuns(list).find(({ status }) => isLive(status));

/** The newest run of the built-in agent with an evaluation, and so most likely with a checkpoint. */
export const latestWeights = (list: RunOverview): string | undefined =>
  listedRuns(list).find(({ about, last }) => about.agent === undefined && last !== undefined)?.run;

export const resumableRuns = (list: RunOverview): readonly ListedRun[] =>
  listedRuns(list).filter(({ status, canResume }) => canResume && !isLive(status));

/**
 * The runs among these that did not resume. Those with a state of this daemon are missing: it has reported their failure itself. Another window
 * may have resumed the others.
 */
export const stoppedRuns = (list: RunOverview, runs: readonly string[]): readonly ListedRun[] =>
  listedRuns(list).filter(
    ({ run, status }) => runs.includes(run) && !isLive(status) && !list.states.has(run),
  );

/** The runs among these that failed before their first checkpoint. */
export const unresumableRuns = (list: RunOverview, runs: readonly string[]): readonly ListedRun[] =>
  stoppedRuns(list, runs).filter(({ status, canResume }) => status === 'failed' && !canResume);

/** Runs that a crash of the daemon interrupts. Paused and stopping runs are not resumed after a crash. */
export const trainingRuns = (list: RunOverview): readonly string[] =>
  listedRuns(list)
    .filter(({ status }) => status === 'starting' || status === 'running')
    .map(({ run }) => run);

/** Runs that end with the daemon: those that train, and a paused one. */
export const runsOfDaemon = (list: RunOverview): readonly ListedRun[] =>
  listedRuns(list).filter(({ status }) => ['starting', 'running', 'paused'].includes(status));

/** The context keys of the manifest. `isComplete`: the folder has no runs that are missing in the list. */
export function contextKeys(list: RunOverview, isComplete: boolean): Readonly<Record<string, boolean>> {
  const live = liveRun(list);
  return {
    [CONTEXT.isLive]: live !== undefined,
    [CONTEXT.isRunning]: live?.status === 'running',
    [CONTEXT.isPaused]: live?.status === 'paused',
    [CONTEXT.hasRuns]: list.summaries.length > 0,
    [CONTEXT.isEmpty]: isComplete && list.summaries.length === 0,
  };
}
