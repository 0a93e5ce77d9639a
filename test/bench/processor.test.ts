// What the cores did, told from what processes say of their processor time.

import { expect, test } from 'vitest';
import { type ProcessorSample, sampleOf, sharesOf } from '../../runtime/bench/processor.ts';

const sample = (at: number, changes: Partial<ProcessorSample> = {}): ProcessorSample => ({
  ...{ desktops: 0, deciding: 0, training: 0, host: 0, workers: 0, trainer: 0, daemon: 0, at },
  ...changes,
});

test('useful is what desktops and ONNX Runtime take, of all cores; what else there is, is told by process', () => {
  const last = { desktops: 3, deciding: 2, training: 6, host: 5, workers: 3, trainer: 8, daemon: 1 };
  const shares = sharesOf([sample(100), sample(110, last)], 2);
  expect(shares?.useful).toBeCloseTo(0.55);
  expect(shares).toMatchObject({ desktops: 0.15, deciding: 0.1, training: 0.3, daemon: 0.05 });
  const { hostRest = 0, workersRest = 0, trainerRest = 0, idle = 0, daemon = 0, useful = 0 } = shares ?? {};
  expect([hostRest, workersRest, trainerRest, idle]).toEqual(
    [0.1, 0.05, 0.1, 0.15].map(each => expect.closeTo(each)),
  );
  expect(useful + hostRest + workersRest + trainerRest + daemon + idle).toBeCloseTo(1);
});

test('what was before the first sample does not count', () => {
  const before = { trainer: 50, training: 40 };
  const shares = sharesOf([sample(0, before), sample(10, { trainer: 55, training: 44 })], 1);
  expect(shares?.training).toBeCloseTo(0.4);
});

test('a process that was started again counts on from nothing', () => {
  const all = [4, 6, 1, 3].map((training, at) => sample(at, { training, trainer: training }));
  expect(sharesOf(all, 1)?.training).toBeCloseTo((2 + 1 + 2) / 3);
});

test('too few samples tell nothing', () => {
  expect(sharesOf([], 2)).toBeUndefined();
  expect(sharesOf([sample(1)], 2)).toBeUndefined();
});

test('a state is a sample once all processes have told', () => {
  const names = ['desktops', 'deciding', 'training', 'host', 'workers', 'trainer'];
  const metrics = Object.fromEntries(names.map((name, index) => [`processor/${name}`, index]));
  const state = (told: Readonly<Record<string, number>>) =>
    ({ trainer: { metrics: told } }) as unknown as Parameters<typeof sampleOf>[0];
  expect(sampleOf(state(metrics), 7, 9)).toMatchObject({ at: 7, daemon: 9, desktops: 0, trainer: 5 });
  for (const name of names) {
    const { [`processor/${name}`]: _, ...others } = metrics;
    expect(sampleOf(state(others), 7, 9)).toBeUndefined();
  }
});
