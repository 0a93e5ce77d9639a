// The micro benchmark: clones tier 1 into the micro model from random weights for 30 minutes, then plays test instances through the HTTP
// endpoint in both modes.

import { writeFile } from 'node:fs/promises';
import { MICRO } from '../../agents/micro/network.ts';
import { CLICK_TASKS, PROTOCOL } from '../../cloning/tier-1.ts';
import type { Mode } from '../../core/policy.ts';
import { SUCCESS } from '../../core/verdict.ts';
import { clustered, type Interval } from '../../data/interval.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import type { Benchmark, BenchResult } from '../report.ts';
import type { BenchSeries, SeriesPoint } from '../results/outcome.ts';
import { clonedModel, newWeightsFile } from './clone-arm.ts';
import type { PlayedInstance } from './play-agent.ts';
import { playFile } from './play-file.ts';

const MINUTES = 30;
/** Test instances of each task. */
const INSTANCES = 20;
const EVALUATED: readonly Mode[] = ['a11y_tree', 'screenshot'];

export const micro: Benchmark = {
  name: 'micro',
  summary: 'success of the micro model through its endpoint after minutes of cloning; tokens per second',
  run: async (report, { minutes = MINUTES, seeds }) => {
    const played: (PlayedInstance & { readonly mode: Mode })[] = [];
    const curves: Record<string, readonly SeriesPoint[]> = {};
    const parts = seeds * (1 + EVALUATED.length);
    for (let seed = 0; seed < seeds; seed++) {
      const { curve, file, ...about } = await report.part(
        `clone, seed ${seed}, ${minutes} minutes`,
        parts,
        async () => {
          const to = newWeightsFile(report, `${seed}`);
          const { file: bytes, ...rest } = await clonedModel(seed, { minutes }, text => report.say(text));
          await writeFile(to, bytes);
          return { ...rest, file: to };
        },
      );
      report.say(
        `    ${about.examples} examples, ${about.steps} steps, ${about.loss.toFixed(4)} nats per reply token`,
      );
      curves[`loss/seed ${seed}`] = curve.map(point => ({ x: point.minutes, y: point.loss }));
      for (const mode of EVALUATED)
        for (const each of await report.part(`${mode}, seed ${seed}`, parts, () =>
          playFile(file, mode, POCKET.tasks('test', 1), INSTANCES, report),
        ))
          played.push({ ...each, mode });
    }
    return summary(played, minutes, curves);
  },
};

type PlayedInMode = PlayedInstance & { readonly mode: Mode };

function summary(played: readonly PlayedInMode[], minutes: number, series: BenchSeries): BenchResult {
  const byMode = EVALUATED.map(mode => {
    const ofMode = played.filter(each => each.mode === mode);
    const clicks = rateOf(ofMode.filter(({ instance }) => CLICK_TASKS.includes(instance.task)));
    return { mode, clicks, tier1: rateOf(ofMode) };
  });
  const best = byMode.reduce((found, each) => (each.clicks.rate > found.clicks.rate ? each : found));
  const rates = [
    ['success_cloned', best.clicks] as const,
    ...byMode.flatMap(({ mode, clicks, tier1 }) => [
      [`success_clicks_${mode}`, clicks] as const,
      [`success_tier1_${mode}`, tier1] as const,
    ]),
  ];
  const sumOf = (of: (each: PlayedInMode) => number) => played.reduce((sum, each) => sum + of(each), 0);
  return {
    figures: {
      ...Object.fromEntries(rates.map(([name, { rate }]) => [name, rate])),
      malformed_share: sumOf(each => each.malformed) / sumOf(each => each.steps),
      tokens_per_s: (1000 * sumOf(each => each.completionTokens)) / sumOf(each => each.latencyMs),
    },
    certainty: Object.fromEntries(rates.map(([name, { rate: _, ...interval }]) => [name, interval])),
    config: { minutes, instances: INSTANCES, shape: MICRO, ...PROTOCOL, click_tasks: CLICK_TASKS },
    series,
  };
}

function rateOf(played: readonly PlayedInMode[]): Interval {
  const tasks = [...new Set(played.map(({ instance }) => instance.task))];
  return clustered(
    tasks.map(task => {
      const scores = played.filter(({ instance }) => instance.task === task).map(({ score }) => score);
      return { successes: scores.filter(score => score >= SUCCESS).length, trials: scores.length };
    }),
  );
}
