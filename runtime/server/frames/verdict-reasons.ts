// Explains a verdict in words: evaluates each condition again on the final state of the desktop. Returns nothing when the evaluator now
// gives another score, or when a condition has no description.

import { isInfeasible, type Task } from '../../core/task.ts';
import { type Ending, SUCCESS } from '../../core/verdict.ts';
import type { DesktopQuery } from '../../person/describe-condition.ts';
import { describeConditions } from '../../person/judgement.ts';
import { evaluate } from '../../tasks/evaluate.ts';

export interface JudgedEpisode {
  readonly ending: Ending;
  readonly score: number;
}

export async function reasonsOf(
  task: Task,
  { ending, score }: JudgedEpisode,
  query: DesktopQuery,
): Promise<string | undefined> {
  if ((await evaluate(task, ending, query)).score !== score) return undefined;
  const isSolved = score >= SUCCESS;
  if (isInfeasible(task))
    return isSolved
      ? 'The task is infeasible, and the agent reported that.'
      : `The task is infeasible, and the agent did not report that. ${ENDINGS[ending]}`;
  if (ending === 'fail') return 'The task is feasible, and the agent reported that it is not.';
  const conditions = await describeConditions(task, ending, query);
  const relevant = conditions.filter(({ met }) => met === isSolved).map(({ words }) => words);
  if (relevant.length === 0 || relevant.some(words => words === undefined)) return undefined;
  const isEither = !isSolved && task.evaluator.conj === 'or' && relevant.length > 1;
  const all = `${isEither ? 'One of these would be enough: ' : ''}${relevant.join(' ')}`;
  return isSolved ? all : `${all} ${ENDINGS[ending]}`;
}

const ENDINGS: Readonly<Record<Ending, string>> = {
  finished: 'The agent reported that it was done.',
  capped: 'It ran out of steps.',
  fail: 'The agent gave up.',
};
