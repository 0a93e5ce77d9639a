// What the trainer measures of itself.

import { expect, test } from 'vitest';
import { TrainerMeter } from '../../runtime/trainer/meter.ts';

const valuesOf = (meter: TrainerMeter, at: number) =>
  Object.fromEntries(meter.flush(at).map(({ name, value }) => [name, value]));

test('reports means since the last report', () => {
  const meter = new TrainerMeter(0);
  for (const value of [1, 2, 6, Number.NaN]) meter.addMean('actor/grad_norm', value);
  expect(valuesOf(meter, 100)).toMatchObject({ 'actor/grad_norm': 3 });
  meter.addMean('actor/ppo_kl', 5);
  const second = valuesOf(meter, 200);
  expect(second).toMatchObject({ 'actor/ppo_kl': 5 });
  expect(second).not.toHaveProperty('actor/grad_norm');
});

test('reports maxima since the last report', () => {
  const meter = new TrainerMeter(0);
  for (const value of [2, 7, 1]) meter.addMax('off_policy/max', value);
  expect(valuesOf(meter, 100)).toMatchObject({ 'off_policy/max': 7 });
  expect(valuesOf(meter, 200)).not.toHaveProperty('off_policy/max');
  meter.addMax('off_policy/max', 3);
  expect(valuesOf(meter, 300)).toMatchObject({ 'off_policy/max': 3 });
});

test('reports the idle share up to now', () => {
  const meter = new TrainerMeter(1000);
  meter.startIdle(1100);
  meter.endIdle(1150);
  meter.startIdle(1180);
  expect(valuesOf(meter, 1200)['trainer/idle_ratio']).toBeCloseTo(0.35, 9);
  // It still rests.
  expect(valuesOf(meter, 1300)['trainer/idle_ratio']).toBe(1);
  meter.endIdle(1350);
  expect(valuesOf(meter, 1500)['trainer/idle_ratio']).toBeCloseTo(0.25, 9);
  expect(valuesOf(meter, 1600)['trainer/idle_ratio']).toBe(0);
});

test('reports no share of an empty interval', () => {
  expect(valuesOf(new TrainerMeter(5), 5)).toEqual({});
});
