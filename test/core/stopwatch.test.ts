import { expect, test } from 'vitest';
import { Stopwatch } from '../../runtime/core/stopwatch.ts';

const set = (watch: Stopwatch, clock: { time: number }, ...times: readonly number[]): readonly number[] =>
  times.map(time => {
    clock.time = time;
    return watch.sample();
  });

function watching() {
  const clock = { time: 1000, now: () => clock.time, sleep: () => Promise.resolve() };
  return { clock, watch: new Stopwatch(clock) };
}

test('it counts while it runs and keeps its total while it is stopped', () => {
  const { clock, watch } = watching();
  expect(set(watch, clock, 1500)).toEqual([0]);
  watch.start();
  expect(watch.isRunning).toBe(true);
  expect(set(watch, clock, 1600, 1700)).toEqual([100, 200]);
  watch.start();
  clock.time = 1750;
  watch.stop();
  expect(set(watch, clock, 5000)).toEqual([250]);
  expect(watch.isRunning).toBe(false);
});

test('a clock that is set back removes nothing, and a gap between samples counts for at most a minute', () => {
  const { clock, watch } = watching();
  watch.start();
  expect(set(watch, clock, 2000, 500, 600)).toEqual([1000, 1000, 1100]);
  expect(set(watch, clock, 30_000_000, 30_000_100)).toEqual([61_100, 61_200]);
});
