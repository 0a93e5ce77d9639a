// Compares what the episodes recorded with what the server did, request by request. A request is identified by its seed, which all
// attempts of a step share, and a reply by the number in its text. Pure.

import type { ReplyDefect, Served } from '../../core/trace.ts';
import { CAUSE_OF, type Fault } from './faults.ts';

/** A request that arrived at the server. */
export interface ServedAttempt {
  /** Unique over all servers. */
  readonly id: string;
  readonly seed: number;
  readonly fault?: Fault;
  /** The names under which the server answers. */
  readonly model: string;
  readonly version: string;
  /** Its server was killed later, perhaps before it answered. */
  readonly mayBeCut: boolean;
}

/** A decision that an episode asked for. */
export interface AskedStep {
  readonly seed: number;
  /** Absent for a step that was lost. */
  readonly reply?: Pick<Served, 'retries' | 'model' | 'reportedVersion'> & {
    readonly id: string | undefined;
    readonly defects: readonly ReplyDefect[];
  };
}

export const STEP_PROBLEMS = [
  /** The episode got no reply. */
  'lost',
  /** More attempts arrived than the step has retries, or the step used another reply than that of its last attempt. */
  'resampled',
  /** A retry has another cause than the fault of its attempt. */
  'wrong-cause',
  /** The recorded model or version is not the one that answered. */
  'wrong-version',
  /** A reply with wrong lengths that was not noticed, or a defect that the reply does not have. */
  'wrong-defects',
] as const;
export type StepProblem = (typeof STEP_PROBLEMS)[number];

/** `attempts` of the step in order of arrival. */
export function problemOf({ reply }: AskedStep, attempts: readonly ServedAttempt[]): StepProblem | undefined {
  if (reply === undefined) return 'lost';
  const last = attempts.at(-1);
  if (last === undefined || reply.id !== last.id || attempts.length > reply.retries.length + 1)
    return 'resampled';
  if (!areCausesOf(reply.retries, attempts.slice(0, -1))) return 'wrong-cause';
  if (reply.model !== last.model || reply.reportedVersion !== last.version) return 'wrong-version';
  const expected: readonly ReplyDefect[] = last.fault === 'wrong-lengths' ? ['log-probabilities-length'] : [];
  return expected.join() === reply.defects.join() ? undefined : 'wrong-defects';
}

/** Each failed attempt has its cause, in order. A server that was not there saw no request, so `unreachable` may occur without one. */
function areCausesOf(retries: readonly string[], failed: readonly ServedAttempt[]): boolean {
  const [cause, ...later] = retries;
  const [attempt, ...others] = failed;
  if (cause === undefined) return attempt === undefined;
  return (
    (attempt !== undefined && mayCause(attempt, cause) && areCausesOf(later, others)) ||
    (cause === 'unreachable' && areCausesOf(later, failed))
  );
}

/** On a busy machine, any attempt may also be answered after its deadline. */
const mayCause = ({ fault, mayBeCut }: ServedAttempt, cause: string): boolean =>
  (fault !== undefined && CAUSE_OF[fault] === cause) ||
  (mayBeCut && cause === 'unreachable') ||
  cause === 'timeout';

export interface Account {
  readonly steps: number;
  readonly attempts: number;
  readonly problems: Readonly<Record<StepProblem, number>>;
  /** Attempts of no step. */
  readonly strangers: number;
  /** Retries of all steps, by cause. */
  readonly retries: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** The first steps with a problem. */
  readonly examples: readonly (AskedStep & { readonly attempts: readonly ServedAttempt[] })[];
}

const MAX_EXAMPLES = 5;

export function accountOf(steps: readonly AskedStep[], attempts: readonly ServedAttempt[]): Account {
  const bySeed = new Map<number, ServedAttempt[]>();
  for (const attempt of attempts) bySeed.set(attempt.seed, [...(bySeed.get(attempt.seed) ?? []), attempt]);
  const attemptsOf = ({ seed }: AskedStep): readonly ServedAttempt[] => bySeed.get(seed) ?? [];
  const problems = steps.map(step => problemOf(step, attemptsOf(step)));
  const seeds = new Set(steps.map(({ seed }) => seed));
  const tally = (names: readonly string[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  const count = (problem: StepProblem): number => problems.filter(each => each === problem).length;
  return {
    steps: steps.length,
    attempts: attempts.length,
    problems: {
      lost: count('lost'),
      resampled: count('resampled'),
      'wrong-cause': count('wrong-cause'),
      'wrong-version': count('wrong-version'),
      'wrong-defects': count('wrong-defects'),
    },
    strangers: attempts.filter(({ seed }) => !seeds.has(seed)).length,
    retries: tally(steps.flatMap(({ reply }) => reply?.retries ?? [])),
    faults: tally(attempts.flatMap(({ fault }) => fault ?? [])),
    examples: steps
      .filter((_, index) => problems[index] !== undefined)
      .slice(0, MAX_EXAMPLES)
      .map(step => ({ ...step, attempts: attemptsOf(step) })),
  };
}
