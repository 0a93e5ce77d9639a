// The virtual clock: time advances only in `run`.

import { expect, test } from 'vitest';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';

test('time advances only in run, and sleepers wake in order', async () => {
  const clock = new VirtualClock(1000);
  const woken: [string, number][] = [];
  const sleeps = async (name: string, milliseconds: number) => {
    await clock.sleep(milliseconds);
    woken.push([name, clock.now()]);
  };
  for (const [name, milliseconds] of [
    ['c', 30],
    ['a', 10],
    ['b', 10],
    ['now', 0],
    ['before', -5],
  ] as const)
    void sleeps(name, milliseconds);
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(woken).toEqual([]);
  await clock.run(1020);
  expect(woken).toEqual([
    ['now', 1000],
    ['before', 1000],
    ['a', 1010],
    ['b', 1010],
  ]);
  expect(clock.now()).toBe(1020);
  await clock.run();
  expect(woken.at(-1)).toEqual(['c', 1030]);
});

test('code that wakes can sleep again before the next sleeper wakes', async () => {
  const clock = new VirtualClock();
  const said: string[] = [];
  const walker = async (name: string, steps: readonly number[]) => {
    for (const step of steps) {
      await clock.sleep(step);
      said.push(`${name}${clock.now()}`);
    }
  };
  const both = Promise.all([walker('x', [1, 1, 1]), walker('y', [2, 2])]);
  await clock.run();
  await both;
  expect(said).toEqual(['x1', 'y2', 'x2', 'x3', 'y4']);
});

test('an aborted sleep rejects once, with the reason of the signal', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const reason = new Error('aborted');
  const slept = clock.sleep(10, stop.signal);
  stop.abort(reason);
  await expect(slept).rejects.toBe(reason);
  await expect(clock.sleep(10, stop.signal)).rejects.toBe(reason);
  await clock.run();
  expect(clock.now()).toBe(0);
});

test('an aborted sleep between others delays none, and time does not stop at it', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const woken: number[] = [];
  const aborted = clock.sleep(10, stop.signal);
  for (const milliseconds of [20, 5]) void clock.sleep(milliseconds).then(() => woken.push(clock.now()));
  await clock.run(7);
  stop.abort();
  await expect(aborted).rejects.toBe(stop.signal.reason);
  await clock.run();
  expect(woken).toEqual([5, 20]);
});

test('many sleepers wake in order of time, then of arrival', async () => {
  const history = async (random: Random) => {
    const clock = new VirtualClock();
    const woken: { readonly at: number; readonly number: number }[] = [];
    const all = Array.from({ length: 500 }, async (_, number) => {
      const wanted = random.int(50);
      await clock.sleep(wanted);
      expect(clock.now()).toBe(wanted);
      woken.push({ at: wanted, number });
    });
    await clock.run();
    await Promise.all(all);
    return woken;
  };
  const woken = await history(seeded('sleepers'));
  expect(woken).toEqual(woken.toSorted((a, b) => a.at - b.at || a.number - b.number));
  expect(await history(seeded('sleepers'))).toEqual(woken);
});
