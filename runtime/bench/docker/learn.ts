// The Docker benchmark with --learn: success on test instances of Docker desktops, with random weights, after behaviour cloning, and
// after reinforcement learning from the cloned weights.

import { join } from 'node:path';
import { COMPACT } from '../../agents/compact/network.ts';
import { firstWeights } from '../../agents/compact/programs.ts';
import { withSavedPolicy } from '../../cli/saved-policy.ts';
import { byWeights } from '../../collect/by-weights.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import { type TaskId, taskId } from '../../core/ids.ts';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { isSuccess } from '../../core/verdict.ts';
import type { TaskEvaluation } from '../../data/evaluation.ts';
import { clustered, total } from '../../data/interval.ts';
import { suiteOfImage } from '../../environments/docker/tasks/suite.ts';
import type { EvaluationPoint } from '../../protocol/daemon/state.ts';
import { FEW_ROLLOUTS, NEVER_SECONDS } from '../cloning-settings.ts';
import { difference, type Mean } from '../curation/statistics.ts';
import type { Benchmark, BenchResult, Report } from '../report.ts';
import type { BenchSeries } from '../results/outcome.ts';
import { clonePath, entry, runEntries, train, trainClone, withTrainingFolder } from '../training.ts';
import { openEngine } from './stations.ts';

export const LEARNING_MINUTES = 40;
const DESKTOPS = 8;
const DEMONSTRATIONS = 5;
const EVALUATIONS = 5;
/** Shares of all minutes; the rest evaluates. After two of forty minutes all demonstrations were imitated. */
const CLONING_SHARE = 0.05;
const LEARNING_SHARE = 0.8;
const MINUTES_PER_INSTANCE = 5;
const CLONING_RATE = 1e-3;
/** The weights have imitated the demonstrations before. */
const LEARNING_PASSES = 4;

export interface DockerLearnSetting {
  readonly image: string;
  readonly cloningMinutes: number;
  readonly learningMinutes: number;
  /** Per task. */
  readonly demonstrations: number;
  /** Test instances per task. */
  readonly instances: number;
}

export const tasksOf = ({ image }: Pick<DockerLearnSetting, 'image'>): readonly TaskId[] =>
  suiteOfImage(image).tasks('train');

export const settingFor = (minutes: number, image: string): DockerLearnSetting => ({
  image,
  demonstrations: DEMONSTRATIONS,
  cloningMinutes: CLONING_SHARE * minutes,
  learningMinutes: LEARNING_SHARE * minutes,
  instances: Math.max(1, Math.round(minutes / MINUTES_PER_INSTANCE)),
});

/** The final evaluation happens after the run, so the run itself evaluates as little as possible. */
const RARELY = { everySeconds: NEVER_SECONDS, instances: 1, lastInstances: 1 };

const common = (setting: DockerLearnSetting) => ({
  suite: { tasks: [...tasksOf(setting)] },
  environments: { kind: 'docker', desktops: DESKTOPS, docker: { image: setting.image } },
  demonstrations: setting.demonstrations,
});

export const randomConfig = (setting: DockerLearnSetting): Config =>
  parseConfig({
    ...common(setting),
    ...{ seed: 'docker/chance', rollout: { exploration: 1 }, evaluation: RARELY },
  });

/** Imitates demonstrations only. */
export const cloningConfig = (setting: DockerLearnSetting, seed = 0): Config =>
  parseConfig({
    ...common(setting),
    ...{ seed: seed === 0 ? 'docker/cloning' : `docker/cloning/${seed}`, minutes: setting.cloningMinutes },
    trainer: { policyWeight: 0, learningRate: CLONING_RATE, shares: { successes: 0 } },
    data: FEW_ROLLOUTS,
    evaluation: RARELY,
  });

export const learningSettings = (setting: DockerLearnSetting, seed: number) => ({
  ...common(setting),
  ...{ seed: `docker/${seed}`, minutes: setting.learningMinutes },
  trainer: { passes: { demonstrations: LEARNING_PASSES, grounding: LEARNING_PASSES } },
  evaluation: { ...RARELY, everySeconds: Math.max(1, (60 * setting.learningMinutes) / EVALUATIONS) },
});

export const learningConfig = (setting: DockerLearnSetting, seed: number): Config =>
  parseConfig(learningSettings(setting, seed));

export type TaskResults = readonly TaskEvaluation[];

export interface LearnedSeed {
  readonly tasks: TaskResults;
  readonly curve: readonly EvaluationPoint[];
}

export const dockerLearn: Benchmark = {
  name: 'docker',
  variant: 'learn',
  summary: `success on ${DESKTOPS} Docker desktops: random, cloned, and after reinforcement learning (--minutes ${LEARNING_MINUTES})`,
  run: async (report, { minutes = LEARNING_MINUTES, seeds }) => {
    const { host, image } = await openEngine(line => report.say(`  ${line}`));
    const { version: engine } = await host.facts();
    host.close();
    const setting = settingFor(minutes, image);
    const count = 2 + seeds;
    const random = await report.part('random weights', count, () => playRandomly(setting));
    const cloned = await report.part('behaviour cloning', count, () =>
      trainClone(cloningConfig(setting), report, async (root, state) => ({
        tasks: await evaluate(join(root, state.run), setting),
      })),
    );
    const from = clonePath(report, cloned.file);
    const learned: LearnedSeed[] = [];
    for (let seed = 0; seed < seeds; seed++)
      learned.push(
        await report.part(`reinforcement learning, seed ${seed}`, count, () =>
          learnFrom(from, seed, setting, report),
        ),
      );
    return {
      ...learningResult(random, cloned.tasks, learned),
      config: { ...setting, tasks: tasksOf(setting).length },
      versions: { engine },
    };
  },
};

async function playRandomly(setting: DockerLearnSetting): Promise<TaskResults> {
  const config = randomConfig(setting);
  const { mode, seed } = config;
  const suite = suiteOfImage(setting.image);
  const tasks = tasksOf(setting);
  const shape = { ...COMPACT, pixels: mode !== 'a11y_tree' };
  const random = seeded(seed);
  const weights = firstWeights(shape, () => random.next());
  const { host, worker } = runEntries();
  const source = byWeights({
    ...{ suite, tasks, config, rollouts: 1, temperature: 1, clock: systemClock },
    policy: { shape, mode, tasks, seed, weights },
    entries: { host, worker },
  });
  const instances = tasks.flatMap(task =>
    Array.from({ length: setting.instances }, (_, index) => ({ task, seed: suite.seed('test', index) })),
  );
  const counts = new Map(tasks.map(task => [task, { task, successes: 0, trials: 0, broken: 0 }]));
  const print = (message: string): void => void process.stderr.write(`  ${message}\n`);
  for await (const { instance, trajectory } of source.play(instances, new AbortController().signal, print)) {
    const count = counts.get(taskId(instance.task));
    if (count === undefined) continue;
    if (trajectory === undefined || trajectory.outcome.kind === 'broken') count.broken += 1;
    else {
      count.trials += 1;
      count.successes += Number(isSuccess(trajectory.outcome));
    }
  }
  return [...counts.values()];
}

const learnFrom = (
  from: string,
  seed: number,
  setting: DockerLearnSetting,
  report: Report,
): Promise<LearnedSeed> =>
  withTrainingFolder(report, async root => {
    const state = await train(root, learningConfig(setting, seed), report, { from });
    const curve = state.curve.filter(({ split }) => split === 'test');
    return { tasks: await evaluate(join(root, state.run), setting), curve };
  });

/** Greedy decisions on test instances. */
export const evaluate = (run: string, setting: DockerLearnSetting): Promise<TaskResults> =>
  withSavedPolicy(entry('inference'), run, ({ inference }) =>
    inference.call('evaluate', { split: 'test', tasks: tasksOf(setting), instances: setting.instances }),
  );

/** The seeds share the random and the cloned policy. */
export function learningResult(
  random: TaskResults,
  cloned: TaskResults,
  learned: readonly LearnedSeed[],
): Omit<BenchResult, 'config'> {
  const trained = mergeSeeds(learned.map(({ tasks }) => tasks));
  const stages = [
    { figure: 'success_random', label: 'random weights', tasks: random },
    { figure: 'success_cloned', label: 'cloned', tasks: cloned },
    { figure: 'success_rl', label: 'after reinforcement learning', tasks: trained },
  ];
  const scored = stages.map(stage => ({ ...stage, score: clustered(stage.tasks) }));
  // All seeds start from one clone, whose evaluation is as uncertain as theirs: the interval is over the tasks.
  const { mean, low, high } = gainOf(cloned, trained);
  const curves = learned.map(({ curve }, seed): readonly [string, BenchSeries[string]] => [
    `success/seed ${seed}`,
    curve.map(point => ({ x: Math.round(point.seconds), y: point.rate, low: point.low, high: point.high })),
  ]);
  const bars = stages.map(({ label, tasks }): readonly [string, BenchSeries[string]] => [
    `by task/${label}`,
    tasks.filter(isTried).map(each => ({ x: each.task, y: rateOf(each) })),
  ]);
  return {
    figures: {
      ...Object.fromEntries(scored.map(({ figure, score }) => [figure, score.rate])),
      gain: mean,
      gain_ci_low: low,
    },
    certainty: {
      ...Object.fromEntries(
        scored.map(({ figure, score: { rate: _, ...interval } }) => [figure, interval] as const),
      ),
      gain: { low, high },
    },
    series: Object.fromEntries([...curves, ...bars]),
  };
}

/** A training, with a start of its own, is one value: its tasks are not independent, so a single one has no interval. */
export const gainOfSeeds = (before: readonly TaskResults[], after: readonly TaskResults[]): Mean =>
  difference(after.map((tasks, seed) => gainOf(before[seed] ?? [], tasks).mean));

/** The mean over the tasks: episodes of one task are alike. */
function gainOf(before: TaskResults, after: TaskResults): Mean {
  const rates = new Map(before.filter(isTried).map(each => [each.task, rateOf(each)]));
  return difference(
    after.filter(isTried).flatMap(each => {
      const rate = rates.get(each.task);
      return rate === undefined ? [] : [rateOf(each) - rate];
    }),
  );
}

export function mergeSeeds(seeds: readonly TaskResults[]): TaskResults {
  const all = seeds.flat();
  return [...new Set(all.map(({ task }) => task))].map(task => {
    const same = all.filter(each => each.task === task);
    return { task, ...total(same), broken: same.reduce((sum, { broken }) => sum + broken, 0) };
  });
}

const isTried = ({ trials }: TaskEvaluation): boolean => trials > 0;
const rateOf = ({ successes, trials }: TaskEvaluation): number => successes / trials;
