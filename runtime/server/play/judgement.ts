// Judges a task and says, condition by condition, in words for a person, what holds and what does not.

import type { Desktop } from '../../core/desktop.ts';
import { type Evaluator, isInfeasible, type Task } from '../../core/task.ts';
import { type Ending, isSuccess, SUCCESS, type Verdict } from '../../core/verdict.ts';
import type { Judgement } from '../../protocol/play.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import { type Condition, inWords, type Query } from './reasons.ts';

type Check = Judgement['checks'][number];

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

async function checksOf(desktop: Desktop, task: Task, ending: Ending, whole: Verdict): Promise<Check[]> {
  if (isInfeasible(task)) {
    const met = whole.score >= SUCCESS;
    return [{ met, says: met ? 'You saw that it cannot be done.' : 'This task cannot be done.' }];
  }
  const told = await conditionsTold(task, ending, getter => desktop.query(getter));
  return told.map(({ met, words, why }) => ({ met, says: words ?? why }));
}

interface Told {
  readonly met: boolean;
  /** Undefined where the condition is of a kind that has no words. */
  readonly words: string | undefined;
  /** The evaluator's own. */
  readonly why: string;
}

/** Each condition is put to the evaluator alone, so that the words never say other than the judge does. */
export async function conditionsTold(task: Task, ending: Ending, query: Query): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const condition of conditionsOf(task.evaluator)) {
    const { score, why } = await evaluate({ ...task, evaluator: condition }, ending, query);
    const met = score >= SUCCESS;
    told.push({ met, words: await inWords(query, condition, met), why });
  }
  return told;
}

function conditionsOf({ func, result, expected, options }: Evaluator): readonly Condition[] {
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
