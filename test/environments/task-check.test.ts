// The check of task files: what is wrong with their scripts, and which steps their evaluators do not need.

import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { seed } from '../../runtime/core/ids.ts';
import { templateFromFile } from '../../runtime/environments/pocket/tasks/from-folder.ts';
import { checkablePocketTask } from '../../runtime/environments/pocket/tasks/task-scripts.ts';
import {
  checkTask,
  type PlayScript,
  type TaskScripts,
  withoutEach,
} from '../../runtime/environments/task-check.ts';
import { EXAMPLE } from './pocket/tasks/guide.ts';

const SEEDS = [seed(0), seed(1000)];

const scores =
  (score: number, actions = 2): PlayScript =>
  async () => ({ score, why: `it is worth ${score}`, actions });
const misses: PlayScript = () => Promise.reject(new RangeError('button OK is not visible'));
const left = (step: number, play: PlayScript) => ({ step, text: `["step ${step}"]`, play });

const checked = (...instances: readonly Partial<TaskScripts>[]) => {
  const scripts = instances.map(each => ({
    ...{ maxSteps: 6, solution: scores(1), nothing: scores(0), misses: {}, shortened: () => [], ...each },
  }));
  const found = checkTask(
    {
      id: 'mine',
      file: 'mine.json',
      scripts: number => scripts[SEEDS.indexOf(number)] ?? scripts[0] ?? never(),
    },
    SEEDS,
  );
  return found;
};
const never = (): never => {
  throw new RangeError('no instance');
};

test('a task whose solution succeeds and whose near misses fail has no faults', async () => {
  expect(await checked({ misses: { 'the other one': scores(0) } })).toEqual({
    ...{ id: 'mine', file: 'mine.json', instances: 2, faults: [], unneeded: [] },
  });
});

describe('a fault names the instance and the reason:', () => {
  test.each<[string, Partial<TaskScripts>, string]>([
    ['a solution that fails', { solution: scores(0.5) }, 'the solution scores 0.5: it is worth 0.5'],
    [
      'a solution that cannot be played',
      { solution: misses },
      'the solution cannot be played: button OK is not visible.',
    ],
    [
      'a solution beyond the step limit',
      { solution: scores(1, 7) },
      'the solution takes 7 actions, but an episode has at most 6. Increase max_steps.',
    ],
    [
      'an evaluator that nothing satisfies',
      { nothing: scores(1) },
      "'doing nothing' scores 1 and not 0: it is worth 1",
    ],
    [
      'a near miss that counts',
      { misses: { other: scores(0.2) } },
      "'other' scores 0.2 and not 0: it is worth 0.2",
    ],
    [
      'a near miss that cannot be played',
      { misses: { other: misses } },
      "'other' cannot be played: button OK is not visible.",
    ],
  ])('%s', async (_, scripts, fault) => {
    const { faults } = await checked({}, scripts);
    expect(faults).toEqual([`instance 1000: ${fault}`]);
  });
});

describe('a step', () => {
  test('is not needed if every instance scores 1 without it', async () => {
    const first = [left(1, scores(1)), left(2, scores(1)), left(3, scores(0)), left(4, misses)];
    const second = [left(1, scores(1)), left(2, scores(0)), left(3, scores(1)), left(4, misses)];
    const { faults, unneeded } = await checked({ shortened: () => first }, { shortened: () => second });
    expect(faults).toEqual([]);
    expect(unneeded).toEqual([{ step: 1, text: '["step 1"]' }]);
  });

  test('says nothing where the solution fails', async () => {
    const { unneeded } = await checked({ solution: scores(0), shortened: () => [left(1, scores(1))] });
    expect(unneeded).toEqual([]);
  });
});

test('an instance that cannot be made is a fault of its own, and the others are checked', async () => {
  const { faults } = await checkTask(
    {
      ...{ id: 'mine', file: 'mine.json' },
      scripts: number => {
        if (number === seed(0)) throw new RangeError('{sonud} has no value.');
        return { maxSteps: 6, solution: scores(0), nothing: scores(0), misses: {}, shortened: () => [] };
      },
    },
    SEEDS,
  );
  expect(faults).toEqual([
    'instance 0: {sonud} has no value.',
    'instance 1000: the solution scores 0: it is worth 0',
  ]);
});

describe('a desktop that fails says nothing about the task:', () => {
  const breaks: PlayScript = () =>
    Promise.reject(
      new BoundaryError({ boundary: 'environment', thing: 'web-1', message: 'the page crashed' }),
    );

  test.each<[string, Partial<TaskScripts>]>([
    ['in its solution', { solution: breaks }],
    ['in a near miss', { misses: { other: breaks } }],
    ['in a shortened solution', { shortened: () => [left(1, breaks)] }],
  ])('%s', async (_, scripts) => {
    await expect(checked(scripts)).rejects.toThrow('the page crashed');
  });
});

test('a signal ends the check before the next script', async () => {
  const stop = new AbortController();
  const stops: PlayScript = async () => {
    stop.abort(new Error('stopped'));
    return { score: 1, why: '', actions: 1 };
  };
  const scripts = {
    ...{ maxSteps: 6, solution: stops, nothing: never, misses: {}, shortened: () => [] },
  };
  await expect(
    checkTask({ id: 'mine', file: 'mine.json', scripts: () => scripts }, SEEDS, stop.signal),
  ).rejects.toThrow('stopped');
});

test('each step is left out in turn', () => {
  expect(withoutEach(['a', 'b', 'a'])).toEqual([
    { step: 1, text: '"a"', rest: ['b', 'a'] },
    { step: 2, text: '"b"', rest: ['a', 'a'] },
    { step: 3, text: '"a"', rest: ['a', 'b'] },
  ]);
});

describe('a task file of the pocket desktop', () => {
  const check = (change: (file: { dartboard: { solution: unknown[][]; misses: object } }) => void) => {
    const file = JSON.parse(EXAMPLE);
    change(file);
    return checkTask(checkablePocketTask(templateFromFile(file, 'mine.json')), SEEDS);
  };

  test('that is the example of the guide needs all of its steps', async () => {
    expect(await check(() => undefined)).toMatchObject({ instances: 2, faults: [], unneeded: [] });
  });

  test('with a step that changes nothing of interest is told so', async () => {
    const { faults, unneeded } = await check(({ dartboard }) => dartboard.solution.push(['open', 'Notes']));
    expect(faults).toEqual([]);
    expect(unneeded.map(({ text }) => text)).toEqual(['["open","Notes"]']);
  });

  test('that cannot be done needs room for the action that says so', async () => {
    const infeasible = (limit: number) =>
      check(file => {
        Object.assign(file, { evaluator: { func: 'infeasible' } });
        Object.assign(file.dartboard, { max_steps: limit, misses: {}, solution: [['open', 'Notes']] });
      });
    const [tight, enough] = [await infeasible(2), await infeasible(3)];
    // Two to open the application, and `fail`.
    expect(tight.faults[0]).toMatch(/the solution takes 3 actions, but an episode has at most 2/);
    expect(enough).toMatchObject({ faults: [], unneeded: [] });
  });

  test('with a step for an element that does not exist is wrong in each instance', async () => {
    const { faults } = await check(({ dartboard }) =>
      dartboard.solution.push(['click', 'button', 'Nowhere']),
    );
    expect(faults).toHaveLength(SEEDS.length);
    expect(faults[0]).toMatch(/^instance 0: the solution cannot be played: .*button 'Nowhere'/);
  });
});
