// The judgement of a task in words: each condition of the verdict, and whether it is met.

import type { Desktop } from '../core/desktop.ts';
import { type Evaluator, isInfeasible, type Task } from '../core/task.ts';
import { type Ending, isSuccess, SUCCESS, type Verdict } from '../core/verdict.ts';
import type { RecordingJudgement } from '../protocol/daemon/record.ts';
import { evaluate } from '../tasks/evaluate.ts';
import { type DesktopQuery, describeCondition, type EvaluatorCondition } from './describe-condition.ts';

/** The reports that a person can make. */
export type PersonEnding = Exclude<Ending, 'capped'>;

type JudgementCheck = RecordingJudgement['checks'][number];

/** `verdict` is that of the desktop for this ending. */
export async function judgementOf(
  desktop: Pick<Desktop, 'query'>,
  task: Task,
  ending: Ending,
  verdict: Verdict,
): Promise<RecordingJudgement> {
  const success = isSuccess({ kind: 'judged', ending, verdict });
  return { ending, score: verdict.score, success, checks: await checksOf(desktop, task, ending, verdict) };
}

async function checksOf(
  desktop: Pick<Desktop, 'query'>,
  task: Task,
  ending: Ending,
  { score, why }: Verdict,
): Promise<JudgementCheck[]> {
  const met = score >= SUCCESS;
  if (isInfeasible(task))
    return [
      { met, says: met ? 'The task is infeasible, and was reported as such.' : 'This task is infeasible.' },
    ];
  if (ending === 'fail') return [{ met, says: 'The task is feasible, but was reported as infeasible.' }];
  // Other getters may take seconds, or need the evaluator's own preparation.
  if (!conditionsOf(task.evaluator).every(({ result }) => result?.type.startsWith('pocket_') === true))
    return [{ met, says: why }];
  const conditions = await describeConditions(task, ending, getter => desktop.query(getter));
  return conditions.map(({ met, words, why }) => ({ met, says: words ?? why }));
}

export interface DescribedCondition {
  readonly met: boolean;
  /** Undefined for a kind of condition that has no description. */
  readonly words: string | undefined;
  /** The evaluator's own reason. */
  readonly why: string;
}

/** Evaluates each condition alone, so that the description always agrees with the verdict. */
export async function describeConditions(
  task: Task,
  ending: Ending,
  query: DesktopQuery,
): Promise<readonly DescribedCondition[]> {
  const described: DescribedCondition[] = [];
  for (const condition of conditionsOf(task.evaluator)) {
    const { score, why } = await evaluate({ ...task, evaluator: condition }, ending, query);
    const met = score >= SUCCESS;
    described.push({ met, words: await describeCondition(query, condition, met), why });
  }
  return described;
}

function conditionsOf({ func, result, expected, options }: Evaluator): readonly EvaluatorCondition[] {
  const one = <T>(from: T | readonly (T | null)[] | undefined, index: number): T | undefined =>
    (isList(from) ? from[index] : from) ?? undefined;
  return (typeof func === 'string' ? [func] : func).map((name, index) => {
    const [found, wanted, extra] = [one(result, index), one(expected, index), one(options, index)];
    return {
      func: name,
      ...(found !== undefined && { result: found }),
      ...(wanted !== undefined && { expected: wanted }),
      ...(extra !== undefined && { options: extra }),
    };
  });
}

const isList = <T>(value: T | readonly (T | null)[] | undefined): value is readonly (T | null)[] =>
  Array.isArray(value);
