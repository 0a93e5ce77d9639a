// Judges a task and says, condition by condition, in words for a person, what holds and what does not.

import type { Desktop } from '../../contracts/desktop.ts';
import { type Evaluator, type Getter, isInfeasible, type Task } from '../../contracts/task.ts';
import { type Ending, isSuccess, SUCCESS, type Verdict } from '../../contracts/verdict.ts';
import type { Judgement } from '../../protocol/play.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import { type Condition, inWords } from './reasons.ts';

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

/** Each condition is put to the evaluator alone, so that the words never say other than the judge does. */
async function checksOf(desktop: Desktop, task: Task, ending: Ending, whole: Verdict): Promise<Check[]> {
  if (isInfeasible(task)) {
    const met = whole.score >= SUCCESS;
    return [{ met, says: met ? 'You saw that it cannot be done.' : 'This task cannot be done.' }];
  }
  const checks: Check[] = [];
  for (const condition of conditionsOf(task.evaluator)) {
    const query = (getter: Getter) => desktop.query(getter);
    const { score, why } = await evaluate({ ...task, evaluator: condition }, ending, query);
    const met = score >= SUCCESS;
    checks.push({ met, says: (await inWords(desktop, condition, met)) ?? why });
  }
  return checks;
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
