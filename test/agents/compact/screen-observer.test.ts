// The view of one episode that the built-in policy has.

import { expect, test } from 'vitest';
import { ScreenObserver } from '../../../runtime/agents/compact/screen-observer.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import type { Action } from '../../../runtime/core/action.ts';
import { desktopId, seed } from '../../../runtime/core/ids.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { startOf } from '../../../runtime/environments/pocket/getters.ts';
import { ScriptedUser } from '../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';

const TASK = POCKET.task('mail-forward', seed(0));

function solution(): readonly Action[] {
  const hand = new ScriptedUser(startOf(TASK).machine);
  POCKET.instance(TASK.id, 0).solve(hand);
  return hand.actions.filter(({ kind }) => kind !== 'finished');
}

async function started(desktop = new PocketDesktop(desktopId('observed'))) {
  const screen = await desktop.reset(TASK, seed(0));
  const observer = new ScreenObserver(TASK.instruction, 'screenshot_a11y_tree', screen);
  return { observer, act: async (action: Action) => observer.acted(action, await desktop.act(action)) };
}

test('an observation has the screen, the instruction and the mode', async () => {
  const { observer } = await started();
  const { instruction } = TASK;
  expect(observer.observation).toMatchObject({ instruction, mode: 'screenshot_a11y_tree' });
  expect(observer.tokens).toEqual(tokensOf(observer.observation));
  const screen = await new PocketDesktop(desktopId('elements')).reset(TASK, seed(0));
  const elements = new ScreenObserver('Do nothing.', 'a11y_tree', screen).observation;
  expect(elements).toMatchObject({ instruction: 'Do nothing.', mode: 'a11y_tree', patches: [] });
});

test('an observation changes with every step, and contains the recent steps', async () => {
  const { observer, act } = await started();
  const [first, ...others] = solution();
  if (first === undefined) throw new Error('The task has no solution.');
  const before = observer.observation;
  expect(observer.observation).toBe(before);
  expect(before.recent).toEqual([]);
  await act(first);
  expect(observer.observation).not.toBe(before);
  expect(observer.observation.recent).toHaveLength(1);
  for (const action of others) await act(action);
  expect(observer.observation.recent.length).toBeGreaterThan(1);
  expect(observer.observation.elements).not.toEqual(before.elements);
});

test('each episode on a desktop starts without a memory', async () => {
  const desktop = new PocketDesktop(desktopId('again'));
  const { observer, act } = await started(desktop);
  const seen = structuredClone(observer.observation);
  for (const action of solution()) await act(action);
  expect((await started(desktop)).observer.observation).toEqual(seen);
});
