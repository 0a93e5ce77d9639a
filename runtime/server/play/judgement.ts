// Judges a task and describes each condition of the verdict in words.

import type { Desktop } from '../../core/desktop.ts';
import { type Evaluator, isInfeasible, type Task } from '../../core/task.ts';
import { type Ending, isSuccess, SUCCESS, type Verdict } from '../../core/verdict.ts';
import type { Judgement } from '../../protocol/play.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import { type DesktopQuery, describeCondition, type EvaluatorCondition } from './describe-condition.ts';

type JudgementCheck = Judgement['checks'][number];

export async function judged(
  desktop: Desktop,
  task: Task,
  ending: 'finished' | 'fail',
  steps: number,
): Promise<Judgement> {
  const verdict = await desktop.judge(ending);
  return {
    ending,
    score: verdict.score,
    success: isSuccess({ kind: 'judged', ending, verdict }),
    steps,
    checks: await checksOf(desktop, task, ending, verdict),
  };
}

async function checksOf(
  desktop: Desktop,
  task: Task,
  ending: Ending,
  { score }: Verdict,
): Promise<JudgementCheck[]> {
  if (isInfeasible(task)) {
    const met = score >= SUCCESS;
    return [
      { met, says: met ? 'You reported correctly that the task is infeasible.' : 'This task is infeasible.' },
    ];
  }
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
