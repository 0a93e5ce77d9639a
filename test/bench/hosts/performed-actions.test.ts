// The comparison of performed actions with stored trajectories.

import { expect, test } from 'vitest';
import type { HostNote } from '../../../runtime/bench/hosts/host-notes.ts';
import {
  type ActedEpisode,
  accountOfActions,
  actedEpisode,
  performedEpisodes,
} from '../../../runtime/bench/hosts/performed-actions.ts';
import type { Action } from '../../../runtime/core/action.ts';
import { seed, taskId } from '../../../runtime/core/ids.ts';

const instance = (task: string) => ({ task: taskId(task), seed: seed(1) });
const episode = (task: string, ...actions: readonly string[]): ActedEpisode => ({ instance: task, actions });
const click = (x: number): Action => ({ kind: 'click', at: { x, y: 0 } });
const reset = (desktop: string, task: string): HostNote => ({
  ...{ kind: 'reset', desktop, instance: instance(task) },
});
const act = (desktop: string, action: Action): HostNote => ({ kind: 'act', desktop, action });

test('the notes of desktops that take turns are one episode for each reset', () => {
  const notes = [
    ...[reset('d0', 'a'), reset('d1', 'b'), act('d0', click(1)), act('d1', click(2))],
    ...[act('d0', click(3)), reset('d0', 'a'), act('d0', click(4))],
  ];
  expect(performedEpisodes(notes)).toEqual([
    actedEpisode(instance('a'), [click(1), click(3)]),
    actedEpisode(instance('b'), [click(2)]),
    actedEpisode(instance('a'), [click(4)]),
  ]);
});

test('an agent ends its episode without the desktop', () => {
  const { actions } = actedEpisode(instance('a'), [
    ...[click(1), { kind: 'none', why: 'unreadable' } as const, { kind: 'finished', answer: '' } as const],
  ]);
  expect(actions).toHaveLength(1);
});

test('episodes that were not finished answer nothing', () => {
  const performed = [episode('a', '1', '2'), episode('a', '1'), episode('b', '7')];
  expect(accountOfActions([episode('a', '1', '2')], performed)).toEqual({ twice: 0, unperformed: 0 });
});

test('an action that was performed twice counts, wherever it is repeated', () => {
  const stored = [episode('a', '1', '2', '3')];
  for (const performed of [
    ['1', '1', '2', '3'],
    ['1', '2', '3', '1'],
  ])
    expect(accountOfActions(stored, [episode('a', ...performed)])).toEqual({ twice: 1, unperformed: 0 });
});

test('another rollout of the instance explains no repetition', () => {
  const stored = [episode('a', '1', '2'), episode('a', '1', '2', '3')];
  const performed = [episode('a', '1', '2', '3'), episode('a', '1', '2', '2')];
  expect(accountOfActions(stored, performed)).toEqual({ twice: 1, unperformed: 0 });
});

test('each performed episode answers one trajectory', () => {
  const stored = [episode('a', '1'), episode('a', '1')];
  expect(accountOfActions(stored, [episode('a', '1')])).toEqual({ twice: 0, unperformed: 1 });
});

test.each([
  ['of another instance', episode('b', '1', '2')],
  ['in another order', episode('a', '2', '1')],
  ['with one less', episode('a', '1')],
])('actions %s were not performed', (_, performed) => {
  expect(accountOfActions([episode('a', '1', '2')], [performed])).toEqual({ twice: 0, unperformed: 1 });
});
