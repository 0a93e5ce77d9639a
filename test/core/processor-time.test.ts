// Processor time of pieces of work, with injected clocks.

import { expect, test } from 'vitest';
import { ofThisProcess, ProcessorTime } from '../../runtime/core/processor-time.ts';

/** A thread that has `share` of a processor. */
function timed(share = 1) {
  let [now, had] = [5, 2];
  const time = new ProcessorTime({ clock: () => now, processor: () => had });
  const passes = (seconds: number, of = share) => {
    had += seconds * of;
    now += seconds;
    return now;
  };
  return { time, passes };
}

test('work inside a piece counts, also if it throws; work between pieces does not', () => {
  const { time, passes } = timed();
  expect(time.within(() => passes(2))).toBe(7);
  passes(10);
  expect(() =>
    time.within(() => {
      passes(1);
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(time.seconds).toBe(3);
  expect(time.seconds).toBe(3);
});

test('overlapping pieces count once, and open pieces count so far', async () => {
  const { time, passes } = timed();
  let end = () => {};
  const long = time.during(() => new Promise<void>(resolve => (end = resolve)));
  time.within(() => passes(2));
  expect(time.seconds).toBe(2);
  passes(1);
  end();
  await long;
  expect(time.seconds).toBe(3);
});

test('a piece counts its share of a processor, and at most one processor', () => {
  const { time, passes } = timed(0.5);
  time.within(() => passes(4));
  passes(4);
  expect(time.seconds).toBe(2);
  time.within(() => passes(4, 1.5));
  expect(time.seconds).toBe(6);
});

test('processor time that the process loses between pieces does not shorten the pieces', () => {
  const { time, passes } = timed();
  for (let piece = 0; piece < 3; piece++) {
    time.within(() => passes(2));
    passes(4, 0.1);
  }
  expect(time.seconds).toBeCloseTo(6);
});

test('a working process uses processor time', () => {
  const from = ofThisProcess();
  const time = new ProcessorTime();
  time.within(() => {
    const end = performance.now() + 50;
    while (performance.now() < end) Math.sqrt(end);
  });
  expect(ofThisProcess() - from).toBeGreaterThan(0);
  expect(time.seconds).toBeGreaterThan(0);
  expect(time.seconds).toBeLessThan(1);
});
