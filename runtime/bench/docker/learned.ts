// What learning on real desktops came to: success by chance, cloned and after reinforcement learning, and what the last gained. Pure.

import type { TaskMeasured } from '../../data/evaluation.ts';
import { clustered, total } from '../../data/interval.ts';
import type { EvaluationPoint } from '../../protocol/daemon/state.ts';
import { certain, difference, rounded } from '../curation/statistics.ts';
import type { Certainty, Series } from '../results/outcome.ts';

type Tasks = readonly TaskMeasured[];

/** What the figures are called in a picture. */
const WAYS: Readonly<Record<string, string>> = {
  success_random: 'by chance',
  success_cloned: 'cloned',
  success_rl: 'after reinforcement learning',
};

export interface Learned {
  readonly tasks: Tasks;
  readonly curve: readonly EvaluationPoint[];
}

/** `trained` has an entry for each seed; `chance` and `cloned` are what all of them are compared with. */
export function outcomeOf(chance: Tasks, cloned: Tasks, trained: readonly Learned[]) {
  const all = {
    success_random: chance,
    success_cloned: cloned,
    success_rl: together(trained.map(({ tasks }) => tasks)),
  };
  const figures: Record<string, number> = {};
  const certainty: Record<string, Certainty> = {};
  const lines: string[] = [];
  for (const [name, tasks] of Object.entries(all)) {
    const { rate, low, high, successes, trials } = clustered(tasks);
    const broken = tasks.reduce((sum, each) => sum + each.broken, 0);
    figures[name] = rounded(rate);
    certainty[name] = { successes, trials, ...certain({ low, high }) };
    lines.push(
      `${name.padEnd(16)}${percent(rate)}  ${successes}/${trials}  (95 %: ${percent(low)} to ${percent(high)})${broken > 0 ? `, ${broken} broke` : ''}`,
    );
  }
  const gain = gainOf(cloned, all.success_rl);
  lines.push(
    `${'gain'.padEnd(16)}${percent(gain.mean)}  (95 %: ${percent(gain.low)} to ${percent(gain.high)})`,
  );
  certainty['gain'] = certain(gain);
  return {
    figures: { ...figures, gain: rounded(gain.mean), gain_ci_low: rounded(gain.low) },
    certainty,
    series: { ...seriesOf(trained), ...byTask(all) },
    lines,
  };
}

/** Task by task: each is a trial of what training does, and its episodes are alike. */
export function gainOf(before: Tasks, after: Tasks) {
  const rates = new Map(before.filter(isTried).map(each => [each.task, rateOf(each)]));
  return difference(
    after.filter(isTried).flatMap(each => {
      const rate = rates.get(each.task);
      return rate === undefined ? [] : [rateOf(each) - rate];
    }),
  );
}

/** Of several seeds, each task with all that was tried of it. */
function together(seeds: readonly Tasks[]): Tasks {
  const names = [...new Set(seeds.flat().map(({ task }) => task))];
  return names.map(task => {
    const same = seeds.flat().filter(each => each.task === task);
    return { task, ...total(same), broken: same.reduce((sum, { broken }) => sum + broken, 0) };
  });
}

const isTried = ({ trials }: TaskMeasured): boolean => trials > 0;
const rateOf = ({ successes, trials }: TaskMeasured): number => successes / trials;

const seriesOf = (trained: readonly Learned[]): Series =>
  Object.fromEntries(
    trained.map(({ curve }, seed) => [
      `success/seed ${seed}`,
      curve.map(({ seconds, rate, low, high }) => ({ x: Math.round(seconds), y: rate, low, high })),
    ]),
  );

/** One bar for each way and task: where what is gained, or missed, is found. */
const byTask = (all: Readonly<Record<string, Tasks>>): Series =>
  Object.fromEntries(
    Object.entries(all).map(([name, tasks]) => [
      `by task/${WAYS[name] ?? name}`,
      tasks.filter(isTried).map(each => ({ x: each.task, y: rounded(rateOf(each)) })),
    ]),
  );

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;
