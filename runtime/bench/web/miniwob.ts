// The miniwob benchmark: one policy learns pages of MiniWoB++ from random weights, and plays test instances with its likeliest choices. All
// deterministic pages that need clicks and typing alone, without demonstrations; with --pixels, the same from screenshots alone; with
// --demonstrations, those of them that have a scripted solution; with --published, the ten pages of a published policy of 108,000 weights.

import { join } from 'node:path';
import { COMPACT } from '../../agents/compact/network.ts';
import { withSavedPolicy } from '../../cli/saved-policy.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import type { Mode } from '../../core/policy.ts';
import { sum } from '../../core/sum.ts';
import type { TaskEvaluation } from '../../data/evaluation.ts';
import { clustered } from '../../data/interval.ts';
import { whyNotClickAndType } from '../../environments/web/miniwob/catalogue.ts';
import { ORACLE_PAGES } from '../../environments/web/miniwob/oracle/oracles.ts';
import { type MiniwobTask, miniwobSuite } from '../../environments/web/miniwob/suite.ts';
import type { EvaluationPoint } from '../../protocol/daemon/state.ts';
import { certain, meanOf } from '../curation/statistics.ts';
import { stepsTo } from '../curation/steps-to-success.ts';
import { withMemory } from '../memory.ts';
import type { Benchmark, BenchResult, Report } from '../report.ts';
import { entry, train, withTrainingFolder } from '../training.ts';
import { miniwobFolder } from './yard.ts';

/** Per page, with --demonstrations. */
const DEMONSTRATIONS = 10;
/** Test instances per task. */
const EPISODES = 100;
const RELIABLE = 0.95;
const GOAL = 0.8;

/** Success of the published policy after 3 million steps, in percent. */
const PUBLISHED: Readonly<Record<string, number>> = {
  ...{ 'click-test': 100, 'click-test-2': 100, 'click-test-transfer': 100 },
  ...{ 'click-dialog': 100, 'click-dialog-2': 100, 'focus-text-2': 100, 'click-widget': 94 },
  ...{ 'click-checkboxes-transfer': 100, 'click-checkboxes-large': 99, 'click-checkboxes-soft': 63 },
};

export interface Learned {
  readonly tasks: readonly TaskEvaluation[];
  /** On test instances, while it trained. */
  readonly curve: readonly Pick<EvaluationPoint, 'seconds' | 'steps' | 'successes' | 'trials' | 'rate'>[];
  readonly megabytes: number | undefined;
}

export const miniwob: Benchmark = {
  name: 'miniwob',
  summary: 'success of one policy on the click and typing pages of MiniWoB++ (--minutes 120)',
  minutes: 120,
  addsSeeds: true,
  run: async (report, { minutes = 120, miniwob: folder, seeds }) => {
    const { pages, tasks } = await tasksIn(folder, ({ page }) => whyNotClickAndType(page) === undefined);
    const learned = await learnEach('all pages', seeds, { pages, tasks, minutes }, report);
    return { ...learnedResult(learned), config: { minutes, episodes: EPISODES, shape: COMPACT } };
  },
};

export const miniwobPixels: Benchmark = {
  name: 'miniwob',
  variant: 'pixels',
  summary: 'the same from screenshots alone, without the elements (--minutes 60)',
  minutes: 60,
  addsSeeds: true,
  run: async (report, { minutes = 60, miniwob: folder, seeds }) => {
    const { pages, tasks } = await tasksIn(folder, ({ page }) => whyNotClickAndType(page) === undefined);
    const training: MiniwobTraining = { pages, tasks, minutes, mode: 'screenshot' };
    const learned = await learnEach('pixels only', seeds, training, report);
    return { ...learnedResult(learned), config: { minutes, episodes: EPISODES, shape: COMPACT } };
  },
};

export const miniwobTaught: Benchmark = {
  name: 'miniwob',
  variant: 'demonstrations',
  summary: `the same on the pages with a scripted solution, with ${DEMONSTRATIONS} demonstrations of each (--minutes 60)`,
  minutes: 60,
  addsSeeds: true,
  run: async (report, { minutes = 60, miniwob: folder, seeds }) => {
    const isTaught = ({ page }: MiniwobTask) =>
      whyNotClickAndType(page) === undefined && ORACLE_PAGES.includes(page.page);
    const { pages, tasks } = await tasksIn(folder, isTaught);
    const training = { pages, tasks, minutes, demonstrations: DEMONSTRATIONS };
    const learned = await learnEach('pages with a script', seeds, training, report);
    return {
      ...learnedResult(learned),
      config: { minutes, demonstrations: DEMONSTRATIONS, episodes: EPISODES, shape: COMPACT },
    };
  },
};

export const miniwobPublished: Benchmark = {
  name: 'miniwob',
  variant: 'published',
  summary:
    'success on the ten pages of a published policy of 108,000 weights, without demonstrations (--minutes 40)',
  minutes: 40,
  addsSeeds: true,
  run: async (report, { minutes = 40, miniwob: folder, seeds }) => {
    const { pages, tasks } = await tasksIn(folder, ({ page }) => page.page in PUBLISHED);
    const learned = await learnEach('ten pages', seeds, { pages, tasks, minutes }, report);
    const { figures, ...result } = learnedResult(learned);
    return {
      ...result,
      figures: { ...figures, vs_published_108k: mean(learned.map(each => asGoodAsPublished(each.tasks))) },
      config: { minutes, episodes: EPISODES, shape: COMPACT },
    };
  },
};

async function tasksIn(folder: string | undefined, isWanted: (task: MiniwobTask) => boolean) {
  const pages = miniwobFolder(folder);
  const suite = await miniwobSuite(pages);
  const tasks = suite.tasks('train').filter(id => isWanted(suite.template(id)));
  return { pages, tasks };
}

export interface MiniwobTraining {
  /** The folder of MiniWoB++. */
  readonly pages: string;
  readonly tasks: readonly string[];
  readonly minutes: number;
  /** Per task; none by default. */
  readonly demonstrations?: number;
  /** Screenshots and elements by default. */
  readonly mode?: Mode;
  /** From 0, which is the default. */
  readonly seed?: number;
}

export const miniwobConfig = ({
  pages: miniwob,
  tasks,
  minutes,
  demonstrations = 0,
  mode,
  seed = 0,
}: MiniwobTraining): Config =>
  parseConfig({
    ...(mode !== undefined && { mode }),
    ...{ suite: { tasks: [...tasks] }, seed: seed === 0 ? 'miniwob' : `miniwob/${seed}` },
    ...{ minutes, demonstrations },
    environments: { kind: 'web', web: { miniwob } },
    // The trained policy plays its test instances after the run.
    evaluation: { lastInstances: 1 },
  });

/** One training per seed; each is a part of the benchmark. */
async function learnEach(
  part: string,
  seeds: number,
  training: MiniwobTraining,
  report: Report,
): Promise<readonly Learned[]> {
  const learned: Learned[] = [];
  for (let seed = 0; seed < seeds; seed++)
    learned.push(
      await report.part(`${part}, seed ${seed}`, seeds, () => learn({ ...training, seed }, report)),
    );
  return learned;
}

const learn = (training: MiniwobTraining, report: Report): Promise<Learned> =>
  withTrainingFolder(report, async root => {
    const { tasks } = training;
    const config = miniwobConfig(training);
    const { result: state, megabytes } = await withMemory(() => train(root, config, report));
    const tried = await withSavedPolicy(entry('inference'), join(root, state.run), ({ inference }) =>
      inference.call('evaluate', { split: 'test', tasks, instances: EPISODES }),
    );
    return { tasks: tried, curve: state.curve.filter(({ split }) => split === 'test'), megabytes };
  });

const rateOf = ({ successes, trials }: TaskEvaluation): number => (trials === 0 ? 0 : successes / trials);

const mean = (values: readonly number[]): number => sum(values) / values.length;

const pageOf = (task: string): string => task.replace(/^miniwob-/, '');

/** How many of the ten tasks are solved at least as often as by the published policy. */
export const asGoodAsPublished = (tasks: readonly TaskEvaluation[]): number =>
  tasks.filter(each => 100 * rateOf(each) >= (PUBLISHED[pageOf(each.task)] ?? Number.POSITIVE_INFINITY))
    .length;

/** The result of trainings that differ in their seeds. Numbers of pages and steps are means over the trainings. */
export function learnedResult(learned: readonly Learned[]): Omit<BenchResult, 'config'> {
  const pages = pooled(learned.map(({ tasks }) => tasks));
  const { successes, trials, low, high } = clustered(pages);
  const byTraining = meanOf(learned.map(({ tasks }) => mean(tasks.map(rateOf))));
  const interval = learned.length > 1 ? certain(byTraining) : { low, high };
  const pagesThat = (holds: (rate: number) => boolean): number =>
    mean(learned.map(({ tasks }) => tasks.filter(each => holds(rateOf(each))).length));
  const memory = learned.flatMap(({ megabytes }) => megabytes ?? []);
  return {
    figures: {
      tasks_trained: pages.length,
      success_mean: mean(pages.map(rateOf)),
      tasks_at_95: pagesThat(rate => rate >= RELIABLE),
      tasks_at_0: pagesThat(rate => rate === 0),
      episodes_broken: sum(pages.map(({ broken }) => broken)),
      training_steps: mean(learned.map(({ curve }) => curve.at(-1)?.steps ?? 0)),
      // Left out where it is not reached.
      steps_to_80: stepsTo(
        GOAL,
        learned.map(({ curve }) => curve),
      ),
      ...(memory.length > 0 && { peak_rss_mb: Math.max(...memory) }),
    },
    certainty: { success_mean: { successes, trials, ...interval } },
    series: {
      ...Object.fromEntries(
        learned.map(({ curve }, seed) => [
          learned.length === 1 ? 'success/test instances' : `success/seed ${seed}`,
          curve.map(({ steps, rate }) => ({ x: steps, y: rate })),
        ]),
      ),
      'by task/after training': pages
        .toSorted((one, other) => rateOf(other) - rateOf(one))
        .map(each => ({ x: pageOf(each.task), y: rateOf(each) })),
    },
  };
}

/** The episodes of all trainings, by task. */
function pooled(trainings: readonly (readonly TaskEvaluation[])[]): readonly TaskEvaluation[] {
  const byTask = new Map<string, TaskEvaluation>();
  for (const each of trainings.flat()) {
    const { successes, trials, broken } = byTask.get(each.task) ?? { successes: 0, trials: 0, broken: 0 };
    byTask.set(each.task, {
      task: each.task,
      successes: successes + each.successes,
      trials: trials + each.trials,
      broken: broken + each.broken,
    });
  }
  return [...byTask.values()];
}
