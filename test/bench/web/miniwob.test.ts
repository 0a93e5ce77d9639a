// The result of a training on pages of MiniWoB++.

import { expect, test } from 'vitest';
import { asGoodAsPublished, learnedResult, miniwobConfig } from '../../../runtime/bench/web/miniwob.ts';

const tried = (page: string, successes: number, trials = 100, broken = 0) => ({
  task: `miniwob-${page}`,
  ...{ successes, trials, broken },
});
const point = (steps: number, successes: number) => ({
  ...{ seconds: steps / 100, steps, successes, trials: 10, rate: successes / 10 },
});

test('a page counts if it is solved at least as often as by the published policy', () => {
  const rest = [tried('click-checkboxes-soft', 63), tried('click-widget', 94), tried('click-test', 99)];
  expect(asGoodAsPublished(rest)).toBe(2);
  expect(asGoodAsPublished([tried('click-checkboxes-soft', 62), tried('use-slider', 100)])).toBe(0);
  // A page whose episodes all broke is not solved.
  expect(asGoodAsPublished([tried('click-checkboxes-soft', 0, 0, 100)])).toBe(0);
});

test('the mean is over pages, broken episodes are counted apart', () => {
  const tasks = [tried('a', 95), tried('b', 0), tried('c', 25, 50, 50)];
  const { figures, series } = learnedResult([{ tasks, curve: [point(50, 2), point(90, 9)], megabytes: 7 }]);
  expect(figures).toEqual({
    ...{ tasks_trained: 3, success_mean: expect.closeTo(1.45 / 3), tasks_at_95: 1, tasks_at_0: 1 },
    ...{
      episodes_broken: 50,
      training_steps: 90,
      steps_to_80: expect.closeTo(50 + (40 * 6) / 7),
      peak_rss_mb: 7,
    },
  });
  expect(series?.['by task/after training']?.map(({ x }) => x)).toEqual(['a', 'c', 'b']);
});

test('of several trainings: pooled episodes of each page, means of the numbers, and each curve', () => {
  const { figures, certainty, series } = learnedResult([
    { tasks: [tried('a', 95), tried('b', 0)], curve: [point(40, 1)], megabytes: 5 },
    { tasks: [tried('b', 10), tried('a', 100)], curve: [point(60, 3)], megabytes: 9 },
  ]);
  expect(figures).toMatchObject({
    ...{ tasks_trained: 2, success_mean: (97.5 + 5) / 200, tasks_at_95: 1, tasks_at_0: 0.5 },
    ...{ training_steps: 50, peak_rss_mb: 9 },
  });
  expect(certainty).toMatchObject({ success_mean: { successes: 205, trials: 400 } });
  expect(series).toMatchObject({
    'success/seed 0': [{ x: 40, y: 0.1 }],
    'success/seed 1': [{ x: 60, y: 0.3 }],
    'by task/after training': [
      { x: 'a', y: 0.975 },
      { x: 'b', y: 0.05 },
    ],
  });
});

test('a goal that was not reached is no number', () => {
  const { figures } = learnedResult([
    { tasks: [tried('a', 1)], curve: [point(50, 2)], megabytes: undefined },
  ]);
  expect(figures['steps_to_80']).toBe(Number.POSITIVE_INFINITY);
  expect(figures).not.toHaveProperty('peak_rss_mb');
});

test('training has rewards alone: no demonstrations, no relabelling, no transfer', () => {
  const { demonstrations, exploring, environments } = miniwobConfig({
    ...{ pages: 'pages', tasks: ['miniwob-click-test'], minutes: 120 },
  });
  expect(demonstrations).toBe(0);
  expect(exploring).toMatchObject({
    firstSeconds: 0,
    searching: 0,
    otherwise: 0,
    hindsight: false,
    analogy: false,
  });
  expect(environments).toMatchObject({ kind: 'web', web: { miniwob: 'pages' } });
});

test('seeds differ, and the first is that of earlier results', () => {
  const seedOf = (seed?: number) =>
    miniwobConfig({
      ...{ pages: 'pages', tasks: ['miniwob-click-test'], minutes: 120 },
      ...(seed !== undefined && { seed }),
    }).seed;
  expect([seedOf(), seedOf(0), seedOf(1)]).toEqual(['miniwob', 'miniwob', 'miniwob/1']);
});

test('with demonstrations nothing else changes but the preset', () => {
  const config = miniwobConfig({
    ...{ pages: 'pages', tasks: ['miniwob-click-test'], minutes: 60, demonstrations: 10 },
  });
  expect(config).toMatchObject({ demonstrations: 10, preset: 'taught', exploring: { hindsight: false } });
});

test('pixels alone: the policy has no elements, and still rewards alone', () => {
  const tasks = ['miniwob-click-test'];
  const config = miniwobConfig({ pages: 'pages', tasks, minutes: 60, mode: 'screenshot' });
  expect(config).toMatchObject({ mode: 'screenshot', demonstrations: 0, exploring: { hindsight: false } });
});
