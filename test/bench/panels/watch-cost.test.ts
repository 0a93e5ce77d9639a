import { expect, test } from 'vitest';
import { type WatchedWindow, watchingCost } from '../../../runtime/bench/panels/watch-cost.ts';
import { seeded } from '../../../runtime/core/rng.ts';

test('the cost of watching is found although the speed of the training varies by half', () => {
  const random = seeded('windows');
  const cost = { nobody: 0, viewer: 0.03, page: 0.2 };
  const windows = Array.from({ length: 10 }, () =>
    (['nobody', 'viewer', 'page'] as const).map(by => {
      const seconds = 10 + random.next();
      const steps = Math.round(seconds * (500 + 500 * random.next()));
      const processor = seconds * (0.3 + cost[by]) + steps * 0.0008 * (0.99 + 0.02 * random.next());
      return { by, seconds, steps, processor } satisfies WatchedWindow;
    }),
  ).flat();
  const { viewer, page } = watchingCost(windows);
  for (const [found, expected] of [
    [viewer, cost.viewer],
    [page, cost.page],
  ] as const) {
    expect(found.value).toBeGreaterThan(expected - 0.01);
    expect(found.value).toBeLessThan(expected + 0.01);
    expect(found.low).toBeLessThan(found.value);
    expect(found.high - found.low).toBeLessThan(0.03);
  }
});
