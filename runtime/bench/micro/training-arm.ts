// An arm of the micro benchmark that trains through the product: a run whose agent is the micro model behind its chat server, and whose
// learner is the Tinker protocol of the same server.

import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, parseConfig } from '../../config/config.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { AdvantageKind } from '../../data/advantage.ts';
import { publishedWeights } from '../../learner/published-weights.ts';
import { startMicroServer } from '../../model-server/micro/server.ts';
import { fileOfPlace, parseTinkerPath } from '../../model-server/tinker/tinker-path.ts';
import type { RunState } from '../../protocol/daemon/state.ts';
import { PUBLISHED_FILE } from '../../run/folders/run-folders.ts';
import type { Report } from '../report.ts';
import { entry, train, withTrainingFolder } from '../training.ts';

/**
 * The same for all arms; only the advantages differ. Chosen in short trainings of the arm `rl` from other starts, before any arm that counts
 * was run.
 */
export const TRAINING = {
  desktops: 8,
  rollouts: 8,
  trajectoriesPerBatch: 32,
  stepsPerBatch: 128,
  learningRate: 2e-4,
  warmupUpdates: 50,
  policyRows: 32,
  divergence: 0.05,
  stalenessUpdates: 12,
} as const;

const KEY = 'the-key-of-this-benchmark';
const KEY_VARIABLE = 'DARTBOARD_BENCH_KEY';

export interface Trained {
  /** Copied to `to`. */
  readonly updates: number;
  readonly episodes: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly mismatchKl: number;
}

export interface TrainedOptions {
  readonly weights: string;
  /** The file for the weights after training. */
  readonly to: string;
  readonly tasks: readonly string[];
  readonly seed: number;
  readonly minutes: number;
  readonly advantages: AdvantageKind;
  readonly report: Report;
}

export const trainMicro = ({ report, ...options }: TrainedOptions): Promise<Trained> =>
  withTrainingFolder(report, async root => {
    const server = await startMicroServer({
      ...{ file: options.weights, folder: join(root, 'server'), name: 'micro', port: 0, key: KEY },
      ...{ engineEntry: entry('engine'), clock: systemClock },
      notice: text => report.say(`    ${text}`),
    });
    process.env[KEY_VARIABLE] = KEY;
    try {
      const config = configOf(server.url, options);
      const { agents } = config;
      const state = await train(join(root, 'runs'), config, report, { agents: async () => agents });
      const published = await readFile(join(root, 'runs', state.run, PUBLISHED_FILE), 'utf8');
      const { path } = publishedWeights.parse(JSON.parse(published));
      await copyFile(join(root, 'server', fileOfPlace(parseTinkerPath(path))), options.to);
      return trainedOf(state);
    } finally {
      await server.close();
    }
  });

function configOf(
  url: string,
  { tasks, seed, minutes, advantages }: Pick<TrainedOptions, 'tasks' | 'seed' | 'minutes' | 'advantages'>,
): Config {
  const { desktops, rollouts, trajectoriesPerBatch, stepsPerBatch, stalenessUpdates } = TRAINING;
  const { learningRate, warmupUpdates, policyRows, divergence } = TRAINING;
  const key = { env: KEY_VARIABLE };
  const learner = { kind: 'tinker', url: url.replace(/\/v1$/, ''), base: 'micro', rank: 0, key };
  return parseConfig({
    suite: { tasks: [...tasks] },
    seed: `micro ${seed}`,
    minutes,
    agent: 'micro',
    agents: { micro: { profile: 'micro', mode: 'a11y_tree', url, model: 'micro', key, learner } },
    environments: { desktops },
    data: { rollouts, trajectoriesPerBatch, stepsPerBatch, stalenessUpdates },
    // The benchmark evaluates all arms in the same way.
    evaluation: { everySeconds: 86_400, instances: 1, lastInstances: 1 },
    trainer: { learningRate, warmupUpdates, policyRows, advantages, objective: { divergence } },
  });
}

function trainedOf({ trainer: { metrics, updates }, rollout: { episodes } }: RunState): Trained {
  const metric = (name: string): number => metrics[name] ?? Number.NaN;
  return {
    ...{ updates, episodes, mismatchKl: metric('mismatch_kl') },
    promptTokens: metric('rollout/prompt_tokens'),
    completionTokens: metric('rollout/completion_tokens'),
  };
}
