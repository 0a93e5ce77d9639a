// Why an episode was judged as it was, in words: its conditions are put to the evaluator once more, on the desktop as it stood in the
// end. It judges nothing: where the evaluator comes to another score now, or has no words for a condition, there are no words.

import { isInfeasible, type Task } from '../../core/task.ts';
import { type Ending, SUCCESS } from '../../core/verdict.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import { conditionsTold } from '../play/judgement.ts';
import type { Query } from '../play/reasons.ts';

export interface Judged {
  readonly ending: Ending;
  readonly score: number;
}

/** Where the ending alone decided, it is all that there is to say. */
export async function reasonsOf(
  task: Task,
  { ending, score }: Judged,
  query: Query,
): Promise<string | undefined> {
  if ((await evaluate(task, ending, query)).score !== score) return undefined;
  const isSolved = score >= SUCCESS;
  if (isInfeasible(task))
    return isSolved
      ? 'The task cannot be done, and the agent said so.'
      : `The task cannot be done, and the agent did not say so. ${ENDED[ending]}`;
  if (ending === 'fail') return 'The task can be done, and the agent said that it cannot.';
  const told = await conditionsTold(task, ending, query);
  const telling = told.filter(({ met }) => met === isSolved).map(({ words }) => words);
  if (telling.length === 0 || telling.some(words => words === undefined)) return undefined;
  const isEither = !isSolved && task.evaluator.conj === 'or' && telling.length > 1;
  const all = `${isEither ? 'One of these would be enough: ' : ''}${telling.join(' ')}`;
  return isSolved ? all : `${all} ${ENDED[ending]}`;
}

/** How far it came is part of why it failed. */
const ENDED: Readonly<Record<Ending, string>> = {
  finished: 'The agent said that it was done.',
  capped: 'It ran out of steps.',
  fail: 'The agent gave up.',
};
