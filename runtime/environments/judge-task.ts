// Judges a task on a desktop after the last steps of its evaluator.

import type { Getter, SetupStep, Task } from '../core/task.ts';
import { isInfeasible } from '../core/task.ts';
import type { Ending, Verdict } from '../core/verdict.ts';
import { evaluate } from '../tasks/evaluate.ts';

/** An infeasible task and a given-up one are judged without a look at the desktop. */
export const isInspected = (task: Task, ending: Ending): boolean => !isInfeasible(task) && ending !== 'fail';

interface JudgedDesktop {
  readonly setup: (step: SetupStep) => Promise<void>;
  readonly query: (getter: Getter) => Promise<unknown>;
}

export async function judgeTask(
  task: Task,
  ending: Ending,
  { setup, query }: JudgedDesktop,
): Promise<Verdict> {
  for (const step of isInspected(task, ending) ? (task.evaluator.postconfig ?? []) : []) await setup(step);
  return evaluate(task, ending, query);
}
