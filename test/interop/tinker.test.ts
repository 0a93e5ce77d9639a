// The official Tinker SDK (`tinker` on PyPI) against a real `dartboard model serve` with a micro model: it learns.

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
import { missingPackages, python } from './python.ts';
import { type ServedPolicy, servePolicy } from './served-policy.ts';

const PROMPT = encodeText('Task: Star the mail.\nElements:\n1. button "Star"\n');
const REPLY = [...encodeText("Action: click(start_box='1')"), END];
const SHAPE = { ...TINY, width: 16, hidden: 24 };

function randomMicro(): Uint8Array {
  const random = seeded('tinker');
  return encodeMicro({ shape: SHAPE, version: 0, weights: firstMicroWeights(SHAPE, () => random.next()) });
}

const numbers = z.array(z.number());
const mean = (list: readonly number[]) => sum(list) / list.length;

describeUnless(missingPackages, 'the Tinker SDK', () => {
  let served: ServedPolicy;
  beforeAll(async () => {
    // Clients of the protocol reject keys of another form.
    served = await servePolicy({ weights: randomMicro(), key: 'tml-a-key-for-the-tests' });
  });
  afterAll(() => served.stop());

  const play = (scenario: string, fields: object = {}): Promise<unknown> =>
    python('tinker_sdk.py', {
      ...{ scenario, url: served.tinkerUrl, key: served.key, prompt: PROMPT, reply: REPLY, rate: 0.02 },
      ...fields,
    });

  test('it lists the model, and makes one to train', async () => {
    expect(await play('capabilities')).toEqual({ models: ['micro'], model: 'micro' });
  });

  test('cross-entropy: the loss falls, and the sampled text becomes the reply', async () => {
    const result = z
      .object({ losses: numbers, before: numbers, after: numbers, latest: numbers, path: z.string() })
      .parse(await play('imitate', { steps: 60 }));
    expect(result.losses.at(-1)).toBeLessThan(0.1 * at(result.losses, 0));
    expect(result.before).not.toEqual(REPLY);
    expect(result.after).toEqual(REPLY);
    expect(result.latest).toEqual(REPLY);
    expect(result.path).toMatch(/^tinker:\/\/.*\/sampler_weights\/imitated$/);
  });

  test.each(['importance_sampling', 'ppo'])('%s: the reward rises', async loss => {
    const { rewards } = z
      .object({ rewards: numbers })
      .parse(await play('reinforce', { loss, steps: 40, group: 32, limit: PIECES.length / 2 }));
    expect(mean(rewards.slice(0, 3))).toBeLessThan(0.4);
    expect(mean(rewards.slice(-3))).toBeGreaterThan(0.9);
  });

  test('a saved state is loaded with and without the optimiser, and deleted', async () => {
    const lists = { saved: numbers, after: numbers, loaded: numbers, restored: numbers, continued: numbers };
    const result = z
      .object({ ...lists, path: z.string(), info: z.string(), is_deleted: z.boolean() })
      .parse(await play('state'));
    expect(result.loaded).toEqual(result.saved);
    expect(result.restored).toEqual(result.saved);
    expect(result.after).not.toEqual(result.saved);
    expect(result.continued).toEqual(result.after);
    expect(result.info).toBe('micro');
    expect(result.is_deleted).toBe(true);
  });

  test('prompts are scored, and samples have alternatives', async () => {
    const scored = z.array(z.number().nullable());
    const result = z
      .object({ prompt: scored, same: scored, top: scored, alternatives: numbers, ids: z.array(z.string()) })
      .parse(await play('scores'));
    expect(result.prompt).toHaveLength(PROMPT.length);
    expect(result.prompt[0]).toBeNull();
    expect(result.same).toEqual(result.prompt);
    expect(result.top.slice(1).every(count => count === 3)).toBe(true);
    expect(result.alternatives.every(count => count === 2)).toBe(true);
    expect(new Set(result.ids).size).toBe(2);
  });

  test('a request that fails raises the exception of the SDK, and the model goes on', async () => {
    expect(await play('failure')).toMatchObject({
      ...{
        exception: 'RequestFailedError',
        category: 'user',
        text: expect.stringContaining("'gspo' is not served"),
      },
      loss: expect.any(Number),
    });
  });

  test('a loss of the client is trained on, by two passes', async () => {
    const { losses, probabilities } = z
      .object({ losses: numbers, probabilities: numbers })
      .parse(await play('by_hand', { steps: 60 }));
    expect(losses.at(-1)).toBeLessThan(0.1 * at(losses, 0));
    for (const probability of probabilities) expect(Math.abs(probability - 0.5)).toBeLessThan(0.2);
  });
});
