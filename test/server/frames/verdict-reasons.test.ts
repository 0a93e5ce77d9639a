// Why an episode was judged as it was, in words: on the real tasks, as their scripts solve them and as they begin.

import { describe, expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import { type Getter, isInfeasible, type Task } from '../../../runtime/core/task.ts';
import type { Ending } from '../../../runtime/core/verdict.ts';
import { answer, startOf } from '../../../runtime/environments/pocket/getters.ts';
import { POCKET, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { reasonsOf } from '../../../runtime/server/frames/verdict-reasons.ts';
import { evaluate } from '../../../runtime/tasks/evaluate.ts';
import { expectNamed } from '../../named-values.ts';

const SEED = seed(3);
const FEASIBLE = POCKET.tasks('train').filter(id => !isInfeasible(POCKET.task(id, SEED)));

function begun(task: Task) {
  const { machine, start } = startOf(task);
  const query = async (getter: Getter): Promise<unknown> => answer(getter, machine.world, start);
  return { machine, query };
}

/** Calls of functions, getters and JSON are for programs. */
const RAW = /\w+_\w+\(|pocket_|\{"|=> ?/;

test.each(FEASIBLE)(
  '%s: the reasons of an untouched desktop name what is missing, those of a solved one do not',
  async id => {
    const task = POCKET.task(taskId(id), SEED);
    const { machine, query } = begun(task);
    const { score } = await evaluate(task, 'capped', query);
    const missing = await reasonsOf(task, { ending: 'capped', score }, query);
    expect(missing).toMatch(/should|is not there/);
    expect(missing).not.toMatch(RAW);
    for (const action of solutionOf(POCKET, task, SEED).actions) machine.perform(action);
    const solved = await reasonsOf(task, { ending: 'finished', score: 1 }, query);
    expect(solved).toMatch(/\.$/);
    expect(solved).not.toMatch(RAW);
    expect(solved).not.toMatch(/should (be|not|have|hold|say)\b.*, and/);
  },
);

describe('there are no words', () => {
  const [id = ''] = FEASIBLE;
  const task = POCKET.task(taskId(id), SEED);

  test('if the evaluator now gives another score', async () => {
    expect(await reasonsOf(task, { ending: 'finished', score: 1 }, begun(task).query)).toBeUndefined();
  });

  test('if a condition has no description', async () => {
    const odd = {
      func: 'exact_match',
      result: { type: 'pocket_odd' },
      expected: { type: 'rule', rules: { expected: 1 } },
    };
    const query = async (): Promise<unknown> => 0;
    expect(
      await reasonsOf({ ...task, evaluator: odd }, { ending: 'finished', score: 0 }, query),
    ).toBeUndefined();
  });
});

test('alternatives are described as alternatives', async () => {
  const [id = ''] = FEASIBLE;
  const state = (path: string): Getter => ({ type: 'pocket_state', path });
  const rule: Getter = { type: 'rule', rules: { expected: 30 } };
  const evaluator = {
    func: ['exact_match', 'exact_match'],
    conj: 'or' as const,
    result: [state('settings.volume'), state('settings.brightness')],
    expected: [rule, rule],
  };
  const task = { ...POCKET.task(taskId(id), SEED), evaluator };
  const told = await reasonsOf(task, { ending: 'capped', score: 0 }, async () => 40);
  expectNamed(told, 'One of these', 'Volume', '30', '40', 'Brightness', '30', '40', 'out of steps');
});

test('a verdict by the ending alone is explained by the ending', async () => {
  const [can = '', cannot = ''] = [
    FEASIBLE[0],
    POCKET.tasks('train').find(id => isInfeasible(POCKET.task(id, SEED))),
  ];
  const told = async (id: string, ending: Ending, score: number) => {
    const task = POCKET.task(taskId(id), SEED);
    return reasonsOf(task, { ending, score }, begun(task).query);
  };
  expectNamed(await told(can, 'fail', 0), 'is feasible', 'reported');
  expectNamed(await told(cannot, 'fail', 1), 'infeasible', 'reported');
  expectNamed(await told(cannot, 'capped', 0), 'infeasible', 'did not report', 'out of steps');
  expectNamed(await told(cannot, 'finished', 0), 'infeasible', 'did not report', 'done');
});
