// Whether a task passed an evaluation. The Testing view of VS Code and the JUnit files of `dartboard eval` use the same rule. Pure.
//
// Laws: a task passed only if every planned instance succeeded. It failed if and only if a judged instance failed. A broken instance is
// no verdict on the agent: alone it makes the task errored, never failed.

import type { CollectionState } from './daemon/collection.ts';
import type { EpisodeResult } from './daemon/episode-result.ts';

/** The instances of one task. Those that are in no other count were not played. */
export interface InstanceTally {
  readonly planned: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly broken: number;
}

/** How the evaluation ended; `message` is the reason of a failure. */
export interface EvaluationEnd {
  readonly status: Exclude<CollectionState['status'], 'playing'>;
  readonly message?: string | undefined;
}

export type TaskVerdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed' | 'errored'; readonly message: string }
  | { readonly kind: 'skipped'; readonly message: string };

/** `reason`: why an instance broke. */
export function verdictOfTask(tally: InstanceTally, end: EvaluationEnd, reason?: string): TaskVerdict {
  const { planned, succeeded, failed, broken } = tally;
  const missing = planned - succeeded - failed - broken;
  const others = [
    ...(broken > 0 ? [`${broken} broke`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? 'was' : 'were'} not played`] : []),
  ].map(text => `; ${text}`);
  if (failed > 0)
    return { kind: 'failed', message: `${failed} of ${instances(planned)} failed${others.join('')}` };
  if (broken > 0) {
    const because = reason === undefined ? '' : `: ${reason}`;
    return { kind: 'errored', message: `${broken} of ${instances(planned)} broke${because}` };
  }
  if (missing === 0) return { kind: 'passed' };
  const played = `${succeeded} of ${instances(planned)} ${planned === 1 ? 'was' : 'were'} played`;
  if (end.status === 'stopped') return { kind: 'skipped', message: `${played}: the evaluation was stopped` };
  const why = end.message ?? 'the evaluation gave no reason. See its log.';
  return { kind: 'errored', message: `${played}: ${why}` };
}

const instances = (count: number): string => `${count} ${count === 1 ? 'instance' : 'instances'}`;

export const EMPTY_TALLY: Omit<InstanceTally, 'planned'> = { succeeded: 0, failed: 0, broken: 0 };

export function withEpisode(
  tally: InstanceTally,
  { outcome }: Pick<EpisodeResult, 'outcome'>,
): InstanceTally {
  if (outcome.kind === 'broken') return { ...tally, broken: tally.broken + 1 };
  return outcome.success
    ? { ...tally, succeeded: tally.succeeded + 1 }
    : { ...tally, failed: tally.failed + 1 };
}

type Judged = Extract<EpisodeResult['outcome'], { kind: 'judged' }>;

const ENDINGS: Readonly<Record<Judged['ending'], string>> = {
  finished: 'the agent reported the task as done',
  fail: 'the agent reported the task as infeasible',
  capped: 'the agent used all its steps',
};

/** 'Instance 1003: score 0 after 7 steps; the agent reported the task as done' */
export function describeEpisode({ seed, steps, outcome }: EpisodeResult): string {
  if (outcome.kind === 'broken') return `Instance ${seed}: broke (${outcome.boundary}): ${outcome.message}`;
  const { score, ending } = outcome;
  const rounded = Number(score.toFixed(3));
  return `Instance ${seed}: score ${rounded} after ${steps} ${steps === 1 ? 'step' : 'steps'}; ${ENDINGS[ending]}`;
}
