// Samples that benchmarks take of a training: processor time and recent rollouts.

import { expect, test } from 'vitest';
import {
  coreShares,
  type ProcessorSample,
  processorSample,
  rolloutSeries,
  watchRollouts,
} from '../../runtime/bench/training.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { playedState } from '../server/played-state.ts';

const sample = (at: number, changes: Partial<ProcessorSample> = {}): ProcessorSample => ({
  ...{ desktops: 0, deciding: 0, training: 0, host: 0, workers: 0, trainer: 0, daemon: 0, at },
  ...changes,
});

test('desktops and ONNX Runtime are useful; all other shares add up to the rest', () => {
  const last = { desktops: 3, deciding: 2, training: 6, host: 5, workers: 3, trainer: 8, daemon: 1 };
  const shares = coreShares([sample(100), sample(110, last)], 2);
  expect(shares).toMatchObject({ desktops: 0.15, deciding: 0.1, training: 0.3, daemon: 0.05 });
  expect(shares).toMatchObject({
    ...{ useful: expect.closeTo(0.55), hostRest: expect.closeTo(0.1), workersRest: expect.closeTo(0.05) },
    ...{ trainerRest: expect.closeTo(0.1), idle: expect.closeTo(0.15) },
  });
});

test('processor time before the first sample does not count', () => {
  const before = { trainer: 50, training: 40 };
  const shares = coreShares([sample(0, before), sample(10, { trainer: 55, training: 44 })], 1);
  expect(shares?.training).toBeCloseTo(0.4);
});

test('the counter of a restarted process starts at 0', () => {
  const all = [4, 6, 1, 3].map((training, at) => sample(at, { training, trainer: training }));
  expect(coreShares(all, 1)?.training).toBeCloseTo((2 + 1 + 2) / 3);
});

test('fewer than two samples have no shares', () => {
  expect(coreShares([], 2)).toBeUndefined();
  expect(coreShares([sample(1)], 2)).toBeUndefined();
});

const stateAt = (
  seconds: number,
  changes: Partial<RunState> = {},
  metrics: Readonly<Record<string, number>> = { 'data/mean_rollouts': 6, 'data/mean_cap': 12 + seconds },
): RunState => {
  const state = playedState(seconds, changes);
  return { ...state, trainer: { ...state.trainer, metrics: { ...metrics } } };
};

test('a state is a processor sample once every process has reported', () => {
  const names = ['desktops', 'deciding', 'training', 'host', 'workers', 'trainer'];
  const metrics = Object.fromEntries(names.map((name, index) => [`processor/${name}`, index]));
  const full = processorSample(stateAt(1, {}, metrics), 7, 9);
  expect(full).toMatchObject({ at: 7, daemon: 9, desktops: 0, trainer: 5 });
  for (const name of names) {
    const { [`processor/${name}`]: _, ...others } = metrics;
    expect(processorSample(stateAt(1, {}, others), 7, 9)).toBeUndefined();
  }
});

test('recent rollouts are sampled once per interval while the run trains', () => {
  const watch = watchRollouts(10);
  for (let seconds = 100; seconds <= 130; seconds += 4) watch.look(stateAt(seconds));
  watch.look(stateAt(200, { status: 'ended' }));
  expect(watch.samples.map(({ seconds }) => seconds)).toEqual([100, 112, 124]);
  expect(rolloutSeries('arm', watch.samples)['mean length/arm']).toEqual([
    { x: 100, y: 112 },
    { x: 112, y: 124 },
    { x: 124, y: 136 },
  ]);
});

test('success is the mean over tasks with results; without any there is no sample', () => {
  const tasks = [
    { task: 'one', tier: 1 as const, rollouts: 8, rate: 0.5 },
    { task: 'two', tier: 1 as const, rollouts: 8, rate: 1 },
    { task: 'three', tier: 1 as const, rollouts: 0 },
  ];
  const watch = watchRollouts(10);
  watch.look(stateAt(30, { tasks: tasks.slice(2) }));
  watch.look(stateAt(40, { tasks }, {}));
  watch.look(stateAt(60, { tasks }));
  expect(watch.samples).toEqual([{ seconds: 60, rollouts: 6, cap: 72, success: 0.75 }]);
});
