import { expect, test } from 'vitest';
import { LatelyWatch, latelyOf, latelySeries } from '../../runtime/bench/lately.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { playedState } from '../server/played-state.ts';

const stateAt = (seconds: number, changes: Partial<RunState> = {}): RunState => {
  const state = playedState(seconds, changes);
  const metrics = { 'data/mean_rollouts': 6, 'data/mean_cap': 12 + seconds };
  return { ...state, trainer: { ...state.trainer, metrics } };
};

test('what rollouts are like is told once groups were ordered and tasks have results', () => {
  const tasks = [
    { task: 'one', tier: 1 as const, rollouts: 8, rate: 0.5 },
    { task: 'two', tier: 1 as const, rollouts: 8, rate: 1 },
    { task: 'three', tier: 1 as const, rollouts: 0 },
  ];
  expect(latelyOf(stateAt(60, { tasks }))).toEqual({ seconds: 60, rollouts: 6, cap: 72, success: 0.75 });
  expect(latelyOf(stateAt(60, { tasks: tasks.slice(2) }))).toBeUndefined();
  const { trainer, ...state } = stateAt(60);
  expect(latelyOf({ ...state, trainer: { ...trainer, metrics: {} } })).toBeUndefined();
});

test('one state in so many seconds is kept while it trains, and becomes three curves', () => {
  const watch = new LatelyWatch(10);
  for (let seconds = 100; seconds <= 130; seconds += 4) watch.look(stateAt(seconds));
  watch.look(stateAt(200, { status: 'ended' }));
  expect(watch.kept.map(({ seconds }) => seconds)).toEqual([100, 112, 124]);
  const series = latelySeries('all of it', watch.kept);
  expect(Object.keys(series)).toEqual([
    'training success/all of it',
    'mean rollouts/all of it',
    'mean length/all of it',
  ]);
  expect(series['mean length/all of it']).toEqual([
    { x: 100, y: 112 },
    { x: 112, y: 124 },
    { x: 124, y: 136 },
  ]);
});
