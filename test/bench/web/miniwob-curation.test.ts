// The comparison of DART with GRPO on pages of MiniWoB++.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Course } from '../../../runtime/bench/curation/steps-to-success.ts';
import {
  ARMS,
  armConfig,
  cloneConfig,
  curationResult,
  MIDDLE_PAGES,
} from '../../../runtime/bench/web/miniwob-curation.ts';

/** From 10 % to 10 % + `gain`, in two steps. */
const course = (gain: number, seed: number): Course => [
  { steps: 0, successes: 10, trials: 100 },
  { steps: 500, successes: 10 + gain / 2 + seed, trials: 100 },
  { steps: 1000, successes: 10 + gain + seed, trials: 100 },
];
/** The start of each seed. */
const cloned = [0, 1, 2].map((): Course => [{ steps: 0, successes: 10, trials: 100 }]);
const arms = (gains: Readonly<Record<string, number>>) =>
  new Map(ARMS.map(arm => [arm, [0, 1, 2].map(seed => course(gains[arm] ?? 0, seed))]));

test('the pages are the twelve that a training of all pages left nearest to 70 %', () => {
  const file = new URL('../../../docs/results/miniwob.json', import.meta.url);
  const pages = z
    .object({
      series: z.object({ 'by task/after training': z.array(z.object({ x: z.string(), y: z.number() })) }),
    })
    .parse(JSON.parse(readFileSync(file, 'utf8'))).series['by task/after training'];
  const distance = ({ y }: { readonly y: number }) => Math.round(100 * Math.abs(y - 0.7));
  const nearest = pages
    .toSorted((one, other) => distance(one) - distance(other) || one.x.localeCompare(other.x))
    .slice(0, MIDDLE_PAGES.length)
    .map(({ x }) => x);
  expect(MIDDLE_PAGES).toEqual(nearest.toSorted());
});

test('arms differ in their curation alone; none has injected noise or imitates', () => {
  const rest = ARMS.map(arm => {
    const { curation, ...config } = armConfig(arm, 3, 'pages', 20);
    return config;
  });
  for (const each of rest) expect(each).toEqual(rest[0]);
  expect(rest[0]?.rollout).toMatchObject({ exploration: 0, daring: 0 });
  expect(rest[0]?.trainer).toMatchObject({ shares: { successes: 0 }, passes: { successes: 0 } });
  expect(rest[0]?.demonstrations).toBe(0);
  const of = (arm: (typeof ARMS)[number]) => {
    const { preset, lengthMargin, lengthFloor, patience, ...parts } = armConfig(arm, 3, 'pages', 20).curation;
    return Object.entries(parts).flatMap(([part, isOn]) => (isOn === true ? [part] : []));
  };
  expect(of('grpo')).toEqual([]);
  expect(of('grpo-importance')).toEqual(['alignment']);
  expect(of('dart')).toHaveLength(6);
});

test('the start imitates demonstrations alone, and its passes end by themselves', () => {
  const { trainer, demonstrations, suite } = cloneConfig(3, 'pages', 20);
  expect(suite).toEqual(armConfig('dart', 3, 'pages', 20).suite);
  expect(trainer).toMatchObject({ policyWeight: 0, shares: { successes: 0 } });
  expect(trainer.passes.demonstrations).toBeLessThan(100);
  expect(demonstrations).toBeGreaterThan(0);
});

test('figures compare DART with both kinds of GRPO, and every seed has its curve', () => {
  const { figures, series, certainty } = curationResult(
    arms({ dart: 40, grpo: 20, 'grpo-importance': 40 }),
    cloned,
  );
  expect(figures['success_cloned']).toBeCloseTo(0.1);
  expect(figures['success_dart']).toBeCloseTo(0.51);
  expect(figures['success_grpo_importance']).toBeCloseTo(0.51);
  expect(figures['dart_vs_clean_grpo_steps']).toBeCloseTo(0.5, 1);
  expect(figures['dart_vs_clean_grpo_importance_steps']).toBeCloseTo(1, 1);
  expect(certainty?.['dart_vs_clean_grpo_steps']?.high).toBeLessThan(1);
  // Each seed adds the same to both.
  expect(figures['dart_minus_grpo']).toBeCloseTo(0.2);
  expect(certainty?.['dart_minus_grpo']?.low).toBeCloseTo(0.2);
  expect(figures['dart_minus_grpo_importance']).toBeCloseTo(0);
  expect(Object.keys(series ?? {})).toHaveLength(9);
  expect(series?.['success by environment steps/grpo 2']?.at(-1)).toEqual({ x: 1000, y: 0.32 });
});

test('a success that DART does not reach is no number, and the sentence says so', () => {
  const { figures, config } = curationResult(arms({ dart: 10, grpo: 40, 'grpo-importance': -5 }), cloned);
  expect(figures['dart_vs_clean_grpo_steps']).toBe(Number.POSITIVE_INFINITY);
  expect(figures['dart_vs_clean_grpo_importance_steps']).toBeNaN();
  expect(config['dart_vs_clean_grpo']).toMatch(/dart does not reach the final success of grpo/);
  expect(config['dart_vs_clean_grpo_importance']).toMatch(/gained nothing/);
});
