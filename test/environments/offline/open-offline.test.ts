// The tasks of stored trajectories, their desktops, and the problems that a run reports.

import { expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { desktopId, seed, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { ExpertAbout } from '../../../runtime/environments/offline/expert-trajectory.ts';
import { openOffline } from '../../../runtime/environments/offline/open-offline.ts';
import { offlineSuite } from '../../../runtime/environments/offline/suite.ts';
import { expert, shown, sourceOf } from './experts.ts';

const CLICK: Action = { kind: 'click', at: { x: 1, y: 1 } };
const many = Array.from({ length: 400 }, (_, index) => expert(`t${index}`, [CLICK]));
const NO_REPORT = { patches: 2, health: () => undefined };

test('the trajectories of about one task of ten never train, and the choice does not depend on the others', () => {
  const suite = offlineSuite(many);
  const unseen = suite.tasks('unseen');
  expect(unseen.length).toBeGreaterThan(20);
  expect(unseen.length).toBeLessThan(60);
  expect(offlineSuite(many.slice(0, 100)).tasks('unseen')).toEqual(unseen.filter(id => isIn(id, 100)));
  expect(suite.tasks('train')).toHaveLength(many.length - unseen.length);
});

const isIn = (id: string, count: number): boolean => Number(/t(\d+) /.exec(id)?.[1]) < count;

test('all trajectories of a task train, or none', () => {
  const twins = many.flatMap(each => [each, { ...each, id: trajectoryId(`${each.id}-again`) }]);
  const suite = offlineSuite(twins);
  const splits = new Map<string, boolean[]>();
  for (const { expert: each, unseen = false } of suite.templates)
    splits.set(each.task, [...(splits.get(each.task) ?? []), unseen]);
  expect([...splits.values()].every(([one, other]) => one === other)).toBe(true);
  expect(suite.tested).toEqual(suite.tasks('unseen'));
});

test('all train where none would be left', () => {
  const { expert: reserved } = offlineSuite(many).templates.find(({ unseen }) => unseen === true) ?? {};
  if (reserved === undefined) throw new Error('one reserved trajectory expected');
  const suite = offlineSuite([reserved]);
  expect(suite.tasks('train')).toHaveLength(1);
  expect(suite.tested).toBeUndefined();
});

test('the desktops of a group share one reading of a file', async () => {
  const source = sourceOf({ one: [CLICK] });
  const read: ExpertAbout[] = [];
  const counted = {
    ...source,
    read: async (each: ExpertAbout) => {
      read.push(each);
      return source.read(each);
    },
  };
  const { suite, make } = openOffline({ source: counted, ...NO_REPORT });
  const [id = ''] = suite.templates.map(each => each.id);
  const desktops = await Promise.all(['a', 'b', 'c'].map(name => make(desktopId(name))));
  await Promise.all(desktops.map(desktop => desktop.reset(suite.task(id, seed(0)), seed(0))));
  expect(read).toHaveLength(1);
});

test('trajectories of one task are tasks of their own', () => {
  const two = [expert('a', [CLICK]), expert('b', [CLICK])].map(each => ({ ...each, task: 'same' }));
  const { templates, task } = offlineSuite(two);
  expect(new Set(templates.map(({ id }) => id)).size).toBe(2);
  for (const { id } of templates) expect(id).toMatch(/^same [0-9a-f]{8}$/);
  expect(task(templates[0]?.id ?? '', seed(0))).toMatchObject({
    instruction: 'Do a.',
    dartboard: { max_steps: 2 },
  });
});

test('reports five trajectories that are left out, and the number of the others', () => {
  const left = Array.from({ length: 8 }, (_, index) => ({ file: `f${index}.zip`, why: 'It has no steps.' }));
  const said: string[] = [];
  openOffline({
    ...{ source: sourceOf({ one: [CLICK] }, { left }), patches: 2 },
    health: (_, isHealthy, message) => said.push(`${isHealthy} ${message}`),
  });
  expect(said).toHaveLength(6);
  expect(said[0]).toBe('false f0.zip is left out: It has no steps.');
  expect(said.at(-1)).toContain('3 more trajectories');
});

test('without any trajectory, the error says what to do and why the first one is left out', () => {
  const left = [{ file: 'a.zip', why: 'It has no instruction.' }];
  expect(() => openOffline({ source: sourceOf({}, { left }), ...NO_REPORT })).toThrow(
    /a\.zip is left out: It has no instruction.*dartboard import/,
  );
});

test('its script is the trajectory itself', async () => {
  const actions: readonly Action[] = [CLICK, { kind: 'type', text: 'abc' }];
  const provider = openOffline({ source: sourceOf({ one: actions }), ...NO_REPORT });
  const [id = ''] = provider.suite.templates.map(each => each.id);
  const desktop = await provider.make(desktopId('d0'));
  let screen = await desktop.reset(provider.suite.task(id, seed(0)), seed(0));
  const solve = provider.solver({ task: taskId(id), seed: seed(0) }, 'Do one.');
  expect(shown(screen)).toBe(0);
  for (const _ of actions) screen = await desktop.act(solve(screen));
  expect(screen.isOver).toBe(true);
  expect(await desktop.judge('finished')).toMatchObject({ score: 1 });
  expect(() => solve(screen)).toThrow(/no further action/);
});

test('has no state: getters and set-up steps name the task', async () => {
  const provider = openOffline({ source: sourceOf({ one: [CLICK] }), ...NO_REPORT });
  const [id = ''] = provider.suite.templates.map(each => each.id);
  const desktop = await provider.make(desktopId('d0'));
  await expect(desktop.judge('finished')).rejects.toThrow(/reset it first/);
  await desktop.reset(provider.suite.task(id, seed(0)), seed(0));
  await expect(desktop.query({ type: 'file' })).rejects.toThrow(/task of one.*no values/);
  await desktop.close();
  await expect(desktop.act(CLICK)).rejects.toThrow(/closed/);
});
