// Trains the compact policy for a moment, and plays test instances with it directly and through `dartboard model serve`.

import { join } from 'node:path';
import { parseConfig } from '../../config/config.ts';
import { runId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { SUCCESS } from '../../core/verdict.ts';
import { clustered, type Interval } from '../../data/interval.ts';
import { ApiKey } from '../../endpoints/keys.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import { startPolicyServer } from '../../model-server/policy-server.ts';
import { WeightsFile } from '../../model-server/weights-file.ts';
import { Pool } from '../../rollout/policy-pool.ts';
import { startWorker } from '../../rollout/worker-process.ts';
import { WEIGHTS_FILE } from '../../run/folders/run-folder.ts';
import type { Report } from '../report.ts';
import { entry, train, withTrainingFolder } from '../training.ts';
import { chatClient } from './chat-process.ts';
import { directly, firstDifference, type PlayRules, playInstance, throughEndpoint } from './parity.ts';

/** Test instances of each task and temperature. */
const INSTANCES = 5;
const TIERS = [1, 2] as const;
/** Evaluations take the likeliest choice. At temperature 1 the seeds decide. */
const TEMPERATURES = [0, 1] as const;
const TIMEOUT_MS = 60_000;
const KEY = 'the-key-of-this-benchmark';

export interface ComparedInstance {
  readonly task: string;
  readonly seed: number;
  readonly temperature: number;
  readonly direct: number;
  readonly endpoint: number;
  readonly actions: number;
  readonly difference?: unknown;
}

/** The files of the training are removed afterwards. */
export const compareCompact = (
  minutes: number,
  random: Random,
  report: Report,
): Promise<readonly ComparedInstance[]> =>
  withTrainingFolder(report, async root => {
    const config = parseConfig({
      ...{ suite: { tiers: TIERS }, seed: 'endpoint', minutes, demonstrations: 5 },
      evaluation: { everySeconds: Math.max(30, 20 * minutes), lastInstances: 1 },
    });
    const state = await train(root, config, report);
    return compare(join(root, runId(state.run), WEIGHTS_FILE), random, text => report.say(`    ${text}`));
  });

async function compare(
  file: string,
  random: Random,
  notice: (text: string) => void,
): Promise<readonly ComparedInstance[]> {
  const loaded = await new WeightsFile(file).load();
  if (loaded === undefined) throw new RangeError(`'${file}' has no weights. Increase --minutes.`);
  const { shape, mode, weights } = loaded;
  const pool = new Pool({
    ...{ size: 1, maxRequests: 1, maxWaitMs: 0, maxSwapping: 1, clock: systemClock },
    start: () => startWorker({ entry: entry('worker'), shape }),
    health: (thing, _, message) => notice(`${thing}: ${message}`),
  });
  pool.publish(weights);
  const server = await startPolicyServer({
    ...{ file, name: 'compact', port: 0, key: KEY, coordinates: 'ui-tars-1.5', clock: systemClock, notice },
    workerEntry: entry('worker'),
  });
  const client = chatClient({
    ...{ url: server.url, key: new ApiKey(KEY), model: 'compact', concurrency: 1, timeoutMs: TIMEOUT_MS },
  });
  const results: ComparedInstance[] = [];
  try {
    for (const temperature of TEMPERATURES)
      for (const task of TIERS.flatMap(tier => POCKET.tasks('test', tier)))
        for (let index = 0; index < INSTANCES; index++) {
          const rules: PlayRules = { mode, temperature };
          const instance = { task, seed: POCKET.seed('test', index) };
          const name = `${task}/${index}/${temperature}`;
          const seeds = () => random.fork(name);
          const direct = await playInstance(instance, seeds(), directly(pool, rules));
          const decider = throughEndpoint(client.chat, name, rules);
          const endpoint = await playInstance(instance, seeds(), decider);
          const difference = firstDifference(direct.actions, endpoint.actions);
          results.push({
            ...{ ...instance, temperature, direct: direct.score, endpoint: endpoint.score },
            actions: direct.actions.length,
            ...(difference !== undefined && { difference }),
          });
        }
    return results;
  } finally {
    client.close();
    await server.close();
    await pool.close();
  }
}

/** The share of instances that one way solves, clustered by task. */
export function successOf(compared: readonly ComparedInstance[], way: 'direct' | 'endpoint'): Interval {
  const tasks = [...new Set(compared.map(({ task }) => task))];
  return clustered(
    tasks.map(task => {
      const scores = compared.filter(each => each.task === task).map(each => each[way]);
      return { successes: scores.filter(score => score >= SUCCESS).length, trials: scores.length };
    }),
  );
}
