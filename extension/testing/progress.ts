// The marks of a test run while its episodes finish. Pure.
//
// Laws: a failed instance marks its test as failed at once; a test passes only after its last instance. VS Code keeps the worst state of
// a test, so errored is reported only for a test without a failed instance, at its end. Every test gets exactly one final state.

import type { EpisodeResult } from '../../runtime/protocol/daemon/episode-result.ts';
import {
  describeEpisode,
  EMPTY_TALLY,
  type EvaluationEnd,
  type InstanceTally,
  verdictOfTask,
  withEpisode,
} from '../../runtime/protocol/task-verdict.ts';
import type { TestedTask } from './tree.ts';

export interface FailureMessage {
  readonly text: string;
  /** Where the Inspector shows what went wrong. */
  readonly at?: { readonly trajectory: string; readonly step: number };
}

export type TestUpdate = { readonly id: string } & (
  | { readonly kind: 'started' | 'skipped' }
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'passed'; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly message: FailureMessage; readonly durationMs: number }
  | { readonly kind: 'errored'; readonly message: string; readonly durationMs: number }
);

interface TestTally {
  readonly id: string;
  readonly tally: InstanceTally;
  readonly durationMs: number;
  /** Why its first broken instance broke. */
  readonly reason?: string;
}

/** By task. */
export type TestProgress = ReadonlyMap<string, TestTally>;

export const newProgress = (tests: readonly TestedTask[], instances: number): TestProgress =>
  new Map(
    tests.map(({ id, task }) => [task, { id, tally: { ...EMPTY_TALLY, planned: instances }, durationMs: 0 }]),
  );

interface ProgressStep {
  readonly progress: TestProgress;
  readonly updates: readonly TestUpdate[];
}

/** Ignores an episode of a task that the run does not include. */
export function afterEpisode(progress: TestProgress, episode: EpisodeResult): ProgressStep {
  const before = progress.get(episode.task);
  if (before === undefined) return { progress, updates: [] };
  const { outcome } = episode;
  const reason = before.reason ?? (outcome.kind === 'broken' ? outcome.message : undefined);
  const { id } = before;
  const tally = withEpisode(before.tally, episode);
  const durationMs = before.durationMs + episode.durationMs;
  const after = { id, tally, durationMs, ...(reason !== undefined && { reason }) };
  return {
    progress: new Map([...progress, [episode.task, after]]),
    updates: [
      { kind: 'output', id, text: `${episode.task}: ${describeEpisode(episode)}` },
      ...(outcome.kind === 'judged' && !outcome.success
        ? [{ kind: 'failed', id, message: messageOfEpisode(episode), durationMs } as const]
        : []),
      ...(tally.succeeded + tally.failed + tally.broken === tally.planned
        ? [finalUpdate(after, { status: 'ended' })]
        : []),
    ],
  };
}

/** The final states of the tests that have none yet. */
export const afterEnd = (progress: TestProgress, end: EvaluationEnd): readonly TestUpdate[] =>
  [...progress.values()]
    .filter(({ tally: { planned, succeeded, failed, broken } }) => succeeded + failed + broken < planned)
    .map(each => finalUpdate(each, end));

function finalUpdate({ id, tally, durationMs, reason }: TestTally, end: EvaluationEnd): TestUpdate {
  const verdict = verdictOfTask(tally, end, reason);
  switch (verdict.kind) {
    case 'passed':
      return { kind: 'passed', id, durationMs };
    case 'failed':
      return { kind: 'failed', id, message: { text: verdict.message }, durationMs };
    case 'errored':
      return { kind: 'errored', id, message: verdict.message, durationMs };
    case 'skipped':
      return { kind: 'skipped', id };
  }
}

/** Evaluators judge the state at the end, so the last step is where to look: the Inspector shows the reason beside it. */
const messageOfEpisode = (episode: EpisodeResult): FailureMessage => ({
  text: describeEpisode(episode),
  at: { trajectory: episode.trajectory, step: Math.max(0, episode.steps - 1) },
});
