// Laws of every task template: its solution scores 1, near misses and doing nothing score 0, and a seed determines the task.

import { describe, expect, test } from 'vitest';
import { desktopId, seed } from '../../../../runtime/core/ids.ts';
import { isInfeasible, type Task } from '../../../../runtime/core/task.ts';
import type { Ending } from '../../../../runtime/core/verdict.ts';
import { PocketDesktop } from '../../../../runtime/environments/pocket/desktop.ts';
import { SCREEN, worldFromSetup } from '../../../../runtime/environments/pocket/getters.ts';
import { PocketMachine } from '../../../../runtime/environments/pocket/machine.ts';
import {
  click,
  openApp,
  type PocketScript,
  press,
  ScriptedUser,
  steps,
  write,
} from '../../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../../../runtime/environments/pocket/tasks/suite.ts';
import type { PocketTemplate } from '../../../../runtime/environments/pocket/tasks/template.ts';
import { addEvent } from '../../../../runtime/environments/pocket/tasks/templates/scripts.ts';
import { parseTask } from '../../../../runtime/tasks/schema.ts';

function actionsOf(task: Task, script: PocketScript): ScriptedUser['actions'] {
  const { world, openings } = worldFromSetup(task.config ?? []);
  const machine = new PocketMachine(world, SCREEN);
  for (const { app, what } of openings) machine.open(app, what);
  const user = new ScriptedUser(machine);
  script(user);
  return user.actions;
}

/** Scores a script through the desktop interface alone. */
async function scoreOf(
  task: Task,
  script: PocketScript,
  ending: Ending,
): Promise<{ score: number; why: string; steps: number }> {
  const actions = actionsOf(task, script);
  const desktop = new PocketDesktop(desktopId('pocket-test'));
  await desktop.reset(task, seed(0));
  for (const action of actions) await desktop.act(action);
  const verdict = await desktop.judge(ending);
  return { ...verdict, steps: actions.length };
}

const { templates } = POCKET;

/** Fewest and most steps of a solution, with the action that ends the episode. */
const LENGTHS = { 1: [1, 3], 2: [2, 6], 3: [4, 10], 4: [7, 17] } as const;
const INSTANCES = [0, 1, 2, 3, 1000, 1001, 1002, 1003];

const endingOf = (task: Task): Ending => (isInfeasible(task) ? 'fail' : 'finished');

describe.each(templates.map(template => [template.id, template] as const))(
  '%s',
  (id, template: PocketTemplate) => {
    test.each(INSTANCES)(
      'the solution of instance %i scores 1 within the step range of its tier',
      async number => {
        const task = POCKET.task(id, seed(number));
        const { score, why, steps } = await scoreOf(task, POCKET.instance(id, number).solve, endingOf(task));
        expect(score, `${task.instruction} ${why}`).toBe(1);
        const [min, max] = LENGTHS[template.tier];
        expect(steps + 1).toBeGreaterThanOrEqual(min);
        expect(steps + 1).toBeLessThanOrEqual(max);
      },
    );

    test.each(INSTANCES)('instance %i scores 0 for doing nothing and for every near miss', async number => {
      const task = POCKET.task(id, seed(number));
      expect((await scoreOf(task, steps(), 'finished')).score).toBe(0);
      for (const [name, miss] of Object.entries(POCKET.instance(id, number).misses)) {
        const { score } = await scoreOf(task, miss, 'finished');
        expect(score, `${task.instruction} Missed by: ${name}`).toBe(0);
      }
    });

    test('the same seed gives the same task, other seeds give others, and each is a valid task file', () => {
      const files = INSTANCES.map(number => JSON.stringify(POCKET.task(id, seed(number))));
      expect(INSTANCES.map(number => JSON.stringify(POCKET.task(id, seed(number))))).toEqual(files);
      expect(new Set(files).size).toBe(files.length);
      for (const file of files) expect(parseTask(JSON.parse(file), id).id).toBe(id);
    });

    test('it has several phrasings and at least one near miss', () => {
      const instructions = new Set(
        Array.from(
          { length: 32 },
          (_, index) => POCKET.instance(id, POCKET.seed('train', index)).instruction,
        ),
      );
      expect(instructions.size).toBeGreaterThan(1);
      expect(Object.keys(POCKET.instance(id, 0).misses).length).toBeGreaterThan(0);
    });
  },
);

test('infeasible tasks of the test split share no instruction with those of training', () => {
  const impossible = templates.filter(({ id }) => isInfeasible(POCKET.task(id, seed(0))));
  expect(impossible.length).toBeGreaterThan(5);
  for (const { id } of impossible) {
    const instructionsOf = (split: 'train' | 'test') =>
      Array.from({ length: 32 }, (_, index) => POCKET.instance(id, POCKET.seed(split, index)).instruction);
    const trained = new Set(instructionsOf('train'));
    expect(instructionsOf('test').filter(instruction => trained.has(instruction))).toEqual([]);
  }
});

test.each(['calendar-add', 'calendar-add-far', 'calendar-again', 'across-date-event', 'across-event-note'])(
  '%s accepts that a wrong new event was deleted again, but not that another event was deleted',
  async id => {
    const [task, { solve }] = [POCKET.task(id, seed(1)), POCKET.instance(id, 1)];
    const slip = { date: '2026-03-29', time: '08:30', title: 'Slip' };
    const remove = ({ date, time, title }: typeof slip) =>
      steps(
        openApp('Calendar'),
        press('ctrl', 'g'),
        write(`${date}\n`),
        click('listitem', `${time} ${title}`),
        press('delete'),
        press('enter'),
      );
    const uncorrected = steps(addEvent(slip), solve);
    const corrected = steps(uncorrected, remove(slip));
    const [old] = worldFromSetup(task.config ?? []).world.events;
    const tooMuch = steps(corrected, ...(old === undefined ? [] : [remove(old)]));
    expect((await scoreOf(task, corrected, 'finished')).score).toBe(1);
    expect((await scoreOf(task, uncorrected, 'finished')).score).toBe(0);
    expect((await scoreOf(task, tooMuch, 'finished')).score).toBe(0);
  },
);

test('test instances share no names of people and events with training instances', () => {
  const namesIn = (numbers: readonly number[]): ReadonlySet<string> => {
    const tasks = templates.flatMap(({ id }) => numbers.map(number => POCKET.task(id, seed(number))));
    const people = tasks.flatMap(task => {
      const world = worldFromSetup(task.config ?? []).world;
      return [...world.contacts.map(({ name }) => name), ...world.events.map(({ title }) => title)];
    });
    return new Set(people);
  };
  const [train, testing] = [namesIn([0, 5, 31]), namesIn([1000, 1017])];
  expect([...testing].filter(each => train.has(each))).toEqual([]);
});
