// The training loops of `tinker-cookbook` on PyPI, unchanged, against a real `dartboard model serve` with a micro model: it learns.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { firstMicroWeights } from '../../runtime/agents/micro/programs.ts';
import { encodeText } from '../../runtime/agents/micro/tokenizer.ts';
import { END, PIECES } from '../../runtime/agents/micro/vocabulary.ts';
import { encodeMicro } from '../../runtime/agents/micro/weights-file.ts';
import { at } from '../../runtime/core/at.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { sum } from '../../runtime/core/sum.ts';
import { TINY } from '../agents/micro/tiny.ts';
import { describeUnless } from '../environments/docker/engine.ts';
import { temporaryFolder } from '../temporary.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { COOKBOOK_FOLDER } from './install-folder.mjs';
import { runPython } from './python.ts';
import { type ServedPolicy, servePolicy } from './served-policy.ts';

const missingCookbook = existsSync(join(COOKBOOK_FOLDER, 'installed'))
  ? undefined
  : `tinker-cookbook is not installed in '${COOKBOOK_FOLDER}': 'node test/interop/cookbook/install.mjs' installs it, and this test runs.`;

const here = (name: string): string => fileURLToPath(new URL(`cookbook/${name}`, import.meta.url));

const BUTTONS = ['Star', 'Send', 'Open', 'Mute'];
const SCREEN = BUTTONS.map((name, index) => `${index + 1}. button "${name}"\n`).join('');
const PROMPTS = BUTTONS.map(name => encodeText(`Task: ${name} it.\nElements:\n${SCREEN}`));
const REPLIES = BUTTONS.map((_, index) => [...encodeText(`Action: click(start_box='${index + 1}')`), END]);
const ROWS = PROMPTS.map((prompt, index) => [prompt, at(REPLIES, index)]);
const BATCHES = [ROWS.slice(0, 2), ROWS.slice(2)];
const SHAPE = { ...TINY, width: 16, hidden: 24 };

function randomMicro(): Uint8Array {
  const random = seeded('cookbook');
  return encodeMicro({ shape: SHAPE, version: 0, weights: firstMicroWeights(SHAPE, () => random.next()) });
}

const checkpoint = z.object({ name: z.string(), state_path: z.string(), sampler_path: z.string() });
const replies = z.array(z.array(z.int()));
const supervised = z.object({
  metrics: z.array(z.object({ train_mean_nll: z.number(), train_mean_bpb: z.number() })),
  checkpoints: z.array(checkpoint),
  before: replies,
  after: replies,
});
const reinforced = z.object({
  metrics: z.array(
    z.object({
      'env/all/reward/total': z.number().optional(),
      'optim/kl_sample_train_v2': z.number().optional(),
    }),
  ),
  checkpoints: z.array(checkpoint),
});

const numbersOf = (list: readonly (number | undefined)[]): readonly number[] =>
  list.filter(each => each !== undefined);
const mean = (list: readonly number[]) => sum(list) / list.length;

describeUnless(missingCookbook, 'tinker-cookbook', () => {
  let served: ServedPolicy;
  beforeAll(async () => {
    // Clients of the protocol reject keys of another form.
    served = await servePolicy({ weights: randomMicro(), key: 'tml-a-key-for-the-tests' });
  });
  afterAll(() => served.stop());

  /** The folder has the files of the loop, which continues from its last checkpoint there. */
  const train = (script: string, folder: string, fields: object): Promise<unknown> =>
    runPython(
      {
        python: join(COOKBOOK_FOLDER, 'environment/bin/python'),
        script: here(script),
        environment: {
          ...process.env,
          ...{ TINKER_API_KEY: served.key, PYTHONPATH: here('stand-ins') },
          ...{ PYTHONDONTWRITEBYTECODE: '1', TQDM_DISABLE: '1' },
          // The loops ask a web site for the prices of tokens. Nothing answers here, and they go on without.
          https_proxy: 'http://127.0.0.1:9',
        },
      },
      { url: served.tinkerUrl, folder, pieces: PIECES, ...fields },
    );

  const imitate = async (folder: string, epochs: number) =>
    supervised.parse(
      await train('supervised.py', folder, {
        batches: BATCHES,
        settings: { num_epochs: epochs, learning_rate: 0.03, lr_schedule: 'constant' },
      }),
    );

  test('the supervised loop: the loss falls, also after a resume, and the saved weights give the replies', async () => {
    const { metrics, checkpoints, before, after } = await imitate(temporaryFolder('cookbook'), 20);
    const losses = metrics.map(step => step.train_mean_nll);
    expect(losses).toHaveLength(40);
    expect(mean(losses.slice(-2))).toBeLessThan(0.2 * at(losses, 0));
    expect(at(metrics, 39).train_mean_bpb).toBeLessThan(0.2 * at(metrics, 0).train_mean_bpb);
    expect(checkpoints.map(({ name }) => name)).toEqual(['000020', 'final']);
    for (const { state_path, sampler_path } of checkpoints) {
      expect(state_path).toMatch(/^tinker:\/\/.*\/weights\//);
      expect(sampler_path).toMatch(/^tinker:\/\/.*\/sampler_weights\//);
    }
    for (const [index, reply] of before.entries()) expect(reply).not.toEqual(at(REPLIES, index));
    expect(after).toEqual(REPLIES);

    const folder = temporaryFolder('cookbook');
    expect((await imitate(folder, 10)).metrics).toHaveLength(20);
    const resumed = (await imitate(folder, 20)).metrics.map(step => step.train_mean_nll);
    expect(resumed).toHaveLength(40);
    for (const [step, loss] of resumed.entries())
      expect(loss, `step ${step}`).toBeCloseTo(at(losses, step), 3);
  });

  test('the reinforcement learning loop, from a checkpoint of the other: the reward rises, and samples have the log-probabilities of the passes', async () => {
    // After 17 epochs about a third of the samples are right.
    const { checkpoints: started } = await imitate(temporaryFolder('cookbook'), 17);
    const { metrics, checkpoints } = reinforced.parse(
      await train('reinforce.py', temporaryFolder('cookbook'), {
        ...{ batches: [ROWS], size: 8 },
        settings: {
          ...{ load_checkpoint_path: started.at(-1)?.state_path, num_epochs: 30 },
          ...{ learning_rate: 0.003, max_tokens: 4 },
        },
      }),
    );
    const rewards = numbersOf(metrics.map(step => step['env/all/reward/total']));
    expect(rewards).toHaveLength(30);
    expect(mean(rewards.slice(-5))).toBeGreaterThan(mean(rewards.slice(0, 3)) + 0.25);
    const divergences = numbersOf(metrics.map(step => step['optim/kl_sample_train_v2']));
    expect(divergences).toHaveLength(30);
    expect(Math.max(...divergences)).toBeLessThan(1e-6);
    expect(checkpoints.map(({ name }) => name)).toEqual(['000020', 'final']);
  });
});
