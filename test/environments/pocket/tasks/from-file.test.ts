// Templates from task files: the example of docs/tasks.md works, and errors name file, field and value.

import { expect, test } from 'vitest';
import { desktopId, seed } from '../../../../runtime/core/ids.ts';
import type { Task } from '../../../../runtime/core/task.ts';
import { PocketDesktop } from '../../../../runtime/environments/pocket/desktop.ts';
import { SCREEN, worldFromSetup } from '../../../../runtime/environments/pocket/getters.ts';
import { PocketMachine } from '../../../../runtime/environments/pocket/machine.ts';
import { Draw } from '../../../../runtime/environments/pocket/tasks/draw.ts';
import { templateFromFile } from '../../../../runtime/environments/pocket/tasks/from-folder.ts';
import {
  fill,
  type PocketScript,
  ScriptedUser,
  steps,
} from '../../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { taskFrom } from '../../../../runtime/environments/pocket/tasks/suite.ts';
import type { PocketTemplate } from '../../../../runtime/environments/pocket/tasks/template.ts';
import { EXAMPLE } from './guide.ts';

const parsed = () => JSON.parse(EXAMPLE);

async function scoreOf(task: Task, script: PocketScript): Promise<number> {
  const { world, openings } = worldFromSetup(task.config ?? []);
  const machine = new PocketMachine(world, SCREEN);
  for (const { app, what } of openings) machine.open(app, what);
  const user = new ScriptedUser(machine);
  script(user);
  const desktop = new PocketDesktop(desktopId('pocket-test'));
  await desktop.reset(task, seed(0));
  for (const action of user.actions) await desktop.act(action);
  return (await desktop.judge('finished')).score;
}

test('the example of the guide is under 60 lines', () => {
  expect(EXAMPLE.trim().split('\n').length).toBeLessThan(60);
});

test.each([0, 1, 2, 3, 1000, 1001])(
  'the solution of instance %i of the example scores 1, and its near misses score 0',
  async number => {
    const template: PocketTemplate = templateFromFile(parsed(), 'guide');
    const task = taskFrom(template, seed(number));
    const { solve, misses } = template.make(new Draw(template.id, number));
    expect(task.instruction).toMatch(/Chime|Drop/);
    expect(await scoreOf(task, solve)).toBe(1);
    expect(await scoreOf(task, steps())).toBe(0);
    for (const miss of Object.values(misses)) expect(await scoreOf(task, miss)).toBe(0);
  },
);

const without = (change: (file: ReturnType<typeof parsed>) => void) => {
  const file = parsed();
  change(file);
  return file;
};

test.each<[string, unknown, RegExp]>([
  [
    'no instruction',
    without(file => delete file.instruction),
    /mine\.json is not a valid task\. instruction: /,
  ],
  [
    'an unknown metric',
    without(file => {
      file.evaluator.func = 'looks_right';
    }),
    /mine\.json is not a valid task\. evaluator\.func: "looks_right" is not a metric\. docs\/osworld\.md lists/,
  ],
  [
    'a tier that does not exist',
    without(file => {
      file.dartboard.tier = 7;
    }),
    /mine\.json is not a valid task\. dartboard\.tier/,
  ],
  [
    'no solution',
    without(file => delete file.dartboard.solution),
    /mine\.json is no template\. dartboard\.solution/,
  ],
  [
    'steps before the evaluation',
    without(file => {
      file.evaluator.postconfig = [{ type: 'sleep' }];
    }),
    /mine\.json is no template\. evaluator\.postconfig: .*Leave it out/,
  ],
  [
    'a step that does not exist',
    without(file => {
      file.dartboard.solution = [['press', 'a', 'b']];
    }),
    /dartboard\.solution/,
  ],
])('a file with %s is refused', (_what, file, message) => {
  expect(() => templateFromFile(file, 'mine.json')).toThrow(message);
});

test('max_steps of a file overrides the step limit of its tier', () => {
  const maxSteps = (limit?: number) => {
    const file = without(each => {
      each.dartboard.max_steps = limit;
    });
    return taskFrom(templateFromFile(file, 'mine.json'), seed(0)).dartboard?.max_steps;
  };
  expect(maxSteps(7)).toBe(7);
  expect(maxSteps()).toBe(12);
});

test('fill with an empty text empties the field', () => {
  const machine = new PocketMachine(worldFromSetup([]).world, SCREEN);
  machine.open('settings', 'System');
  const user = new ScriptedUser(machine);
  const value = () => user.find('textfield', 'Device name')?.value;
  expect(value()).toBe('pocket');
  fill('textfield', 'Device name', '')(user);
  expect(value()).toBe('');
});

test('several set-up steps may set settings', () => {
  const file = without(each => {
    each.config.splice(1, 0, { type: 'pocket_world', parameters: { settings: { volume: 7 } } });
  });
  const { world } = worldFromSetup(taskFrom(templateFromFile(file, 'mine.json'), seed(0)).config ?? []);
  expect(world.settings).toMatchObject({ muted: true, volume: 7 });
});

test('a name in braces that does not vary is an error with that name', () => {
  const template = templateFromFile(
    without(file => {
      file.instruction = 'Use {colour}.';
    }),
    'mine.json',
  );
  expect(() => template.make(new Draw('x', 0))).toThrow(
    '{colour} has no value. Add it to vary, which has say, before, sound.',
  );
});
