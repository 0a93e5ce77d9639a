// What the trainer measures of itself.

import { expect, test } from 'vitest';
import { Meter } from '../../runtime/trainer/meter.ts';

const valuesOf = (meter: Meter, at: number) =>
  Object.fromEntries(meter.told(at).map(({ name, value }) => [name, value]));

test('tells the mean of what was noted since the last telling, and nothing of what was not', () => {
  const meter = new Meter(0);
  for (const value of [1, 2, 6, Number.NaN]) meter.note('actor/grad_norm', value);
  expect(valuesOf(meter, 100)).toMatchObject({ 'actor/grad_norm': 3 });
  meter.note('actor/ppo_kl', 5);
  const second = valuesOf(meter, 200);
  expect(second).toMatchObject({ 'actor/ppo_kl': 5 });
  expect(second).not.toHaveProperty('actor/grad_norm');
});

test('tells the highest of what was noted for that, anew after each telling', () => {
  const meter = new Meter(0);
  for (const value of [2, 7, 1]) meter.noteHighest('off_policy/max', value);
  expect(valuesOf(meter, 100)).toMatchObject({ 'off_policy/max': 7 });
  expect(valuesOf(meter, 200)).not.toHaveProperty('off_policy/max');
  meter.noteHighest('off_policy/max', 3);
  expect(valuesOf(meter, 300)).toMatchObject({ 'off_policy/max': 3 });
});

test('tells the share of the time in which there was nothing to do, up to this moment', () => {
  const meter = new Meter(1000);
  meter.rests(1100);
  meter.works(1150);
  meter.rests(1180);
  expect(valuesOf(meter, 1200)['trainer/idle_ratio']).toBeCloseTo(0.35, 9);
  // It still rests.
  expect(valuesOf(meter, 1300)['trainer/idle_ratio']).toBe(1);
  meter.works(1350);
  expect(valuesOf(meter, 1500)['trainer/idle_ratio']).toBeCloseTo(0.25, 9);
  expect(valuesOf(meter, 1600)['trainer/idle_ratio']).toBe(0);
});

test('tells no share of no time', () => {
  expect(valuesOf(new Meter(5), 5)).toEqual({});
});
