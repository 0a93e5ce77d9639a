// Laws of every task template: it can be solved, near misses and doing nothing score 0, and the same seed is the same task.

import { describe, expect, test } from 'vitest';
import { desktopId, seed } from '../../../../runtime/core/ids.ts';
import { isInfeasible, type Task } from '../../../../runtime/core/task.ts';
import type { Ending } from '../../../../runtime/core/verdict.ts';
import { PocketDesktop } from '../../../../runtime/environments/pocket/desktop.ts';
import { worldFromSetup } from '../../../../runtime/environments/pocket/getters.ts';
import { PocketMachine } from '../../../../runtime/environments/pocket/machine.ts';
import { SCREEN } from '../../../../runtime/environments/pocket/start.ts';
import { ScriptedUser } from '../../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../../../runtime/environments/pocket/tasks/suite.ts';
import type { PocketTemplate } from '../../../../runtime/environments/pocket/tasks/template.ts';
import { addEvent } from '../../../../runtime/environments/pocket/tasks/templates/chores.ts';
import { parseTask } from '../../../../runtime/tasks/schema.ts';

/** The actions that a script takes on the desktop of a task. */
function actionsOf(task: Task, script: (hand: ScriptedUser) => void): ScriptedUser['actions'] {
  const { world, openings } = worldFromSetup(task.config ?? []);
  const machine = new PocketMachine(world, SCREEN);
  for (const { app, what } of openings) machine.open(app, what);
  const hand = new ScriptedUser(machine);
  script(hand);
  return hand.actions;
}

/** The score of those actions on a desktop, through the contract alone. */
async function scoreOf(
  task: Task,
  script: (hand: ScriptedUser) => void,
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

/** Reference lengths, counting the word that ends an episode. */
const LENGTHS = { 1: [1, 3], 2: [2, 6], 3: [4, 10], 4: [7, 17] } as const;
const INSTANCES = [0, 1, 2, 3, 1000, 1001, 1002, 1003];

const right = (task: Task): Ending => (isInfeasible(task) ? 'fail' : 'finished');

describe.each(templates.map(template => [template.id, template] as const))(
  '%s',
  (id, template: PocketTemplate) => {
    test.each(INSTANCES)('instance %i can be solved in as many steps as its tier says', async number => {
      const task = POCKET.task(id, seed(number));
      const { score, why, steps } = await scoreOf(task, POCKET.instance(id, number).solve, right(task));
      expect(score, `${task.instruction} ${why}`).toBe(1);
      const [least, most] = LENGTHS[template.tier];
      expect(steps + 1).toBeGreaterThanOrEqual(least);
      expect(steps + 1).toBeLessThanOrEqual(most);
    });

    test.each(INSTANCES)('instance %i scores 0 for nothing done, and for every near miss', async number => {
      const task = POCKET.task(id, seed(number));
      expect((await scoreOf(task, () => undefined, 'finished')).score).toBe(0);
      for (const [name, miss] of Object.entries(POCKET.instance(id, number).misses)) {
        const { score } = await scoreOf(task, miss, 'finished');
        expect(score, `${task.instruction} Missed by: ${name}`).toBe(0);
      }
    });

    test('the same seed makes the same task, other seeds make others, and each is a valid task file', () => {
      const files = INSTANCES.map(number => JSON.stringify(POCKET.task(id, seed(number))));
      expect(INSTANCES.map(number => JSON.stringify(POCKET.task(id, seed(number))))).toEqual(files);
      expect(new Set(files).size).toBe(files.length);
      for (const file of files) expect(parseTask(JSON.parse(file), id).id).toBe(id);
    });

    test('it is phrased in several ways, and has near misses', () => {
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

test('no test instance asks for an impossible thing as a training instance does', () => {
  const impossible = templates.filter(({ id }) => isInfeasible(POCKET.task(id, seed(0))));
  expect(impossible.length).toBeGreaterThan(5);
  for (const { id } of impossible) {
    const asked = (split: 'train' | 'test') =>
      Array.from({ length: 32 }, (_, index) => POCKET.instance(id, POCKET.seed(split, index)).instruction);
    const trained = new Set(asked('train'));
    expect(asked('test').filter(instruction => trained.has(instruction))).toEqual([]);
  }
});

test.each(['calendar-add', 'calendar-add-far', 'calendar-again', 'across-date-event', 'across-event-note'])(
  '%s does not mind a wrong event that is gone again, but does mind one that was there',
  async id => {
    const [task, { solve }] = [POCKET.task(id, seed(1)), POCKET.instance(id, 1)];
    const slip = { date: '2026-03-29', time: '08:30', title: 'Slip' };
    const deleted = (hand: ScriptedUser, { date, time, title }: typeof slip) => {
      hand.open('Calendar');
      hand.keys('ctrl', 'g');
      hand.type(`${date}\n`);
      hand.click('listitem', `${time} ${title}`);
      hand.keys('delete');
      hand.keys('enter');
    };
    const twice = (hand: ScriptedUser) => {
      addEvent(hand, slip);
      solve(hand);
    };
    const corrected = (hand: ScriptedUser) => {
      twice(hand);
      deleted(hand, slip);
    };
    const tooMuch = (hand: ScriptedUser) => {
      const [old] = hand.world.events;
      corrected(hand);
      if (old !== undefined) deleted(hand, old);
    };
    expect((await scoreOf(task, corrected, 'finished')).score).toBe(1);
    expect((await scoreOf(task, twice, 'finished')).score).toBe(0);
    expect((await scoreOf(task, tooMuch, 'finished')).score).toBe(0);
  },
);

test('test instances use no name, word or company of the training instances', () => {
  const worldText = (numbers: readonly number[]): ReadonlySet<string> => {
    const tasks = templates.flatMap(({ id }) => numbers.map(number => POCKET.task(id, seed(number))));
    const people = tasks.flatMap(task => {
      const world = worldFromSetup(task.config ?? []).world;
      return [...world.contacts.map(({ name }) => name), ...world.events.map(({ title }) => title)];
    });
    return new Set(people);
  };
  const [train, testing] = [worldText([0, 5, 31]), worldText([1000, 1017])];
  expect([...testing].filter(each => train.has(each))).toEqual([]);
});
