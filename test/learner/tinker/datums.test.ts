// Steps as rows: the places of a prompt with images, the limits of a request, and the two ways to reduce a loss.

import { describe, expect, test } from 'vitest';
import type { TokenStep } from '../../../runtime/learner/learner.ts';
import {
  clipIn,
  forwardDatum,
  inRequests,
  logProbabilities,
  lossFor,
  ofReply,
  trainingDatum,
  weightsIn,
  wholePrompt,
} from '../../../runtime/learner/tinker/datums.ts';
import type { WireDatum } from '../../../runtime/learner/tinker/wire/messages.ts';
import { FIRST_STATE, imageTokens, TableModel } from '../../doubles/tinker/table-model.ts';
import { ADAM, images, updateOf } from './lab.ts';

const STEP: TokenStep = {
  prompt: [
    { kind: 'text', tokens: [1, 2] },
    { kind: 'image', sha256: 'aa', tokens: imageTokens(new Uint8Array(4)) },
    { kind: 'text', tokens: [3] },
  ],
  reply: [4, 5, 6],
};

const ONE = { rows: 1, reduction: 'sum' } as const;

describe('a row', () => {
  test('has inputs that are shifted by one, and targets at the end', async () => {
    const { input, lossInputs } = await trainingDatum({ step: STEP, weights: [0.5, -1, 2] }, ONE, images);
    expect(input).toEqual([
      { kind: 'text', tokens: [1, 2] },
      { kind: 'image', data: await images('aa'), format: 'png', expectedTokens: 2 },
      // The prompt, and the reply without its last token.
      { kind: 'text', tokens: [3, 4, 5] },
    ]);
    // Two tokens, two places of the image, and three tokens.
    expect(lossInputs).toEqual({
      target_tokens: { type: 'int64', data: [0, 0, 0, 0, 4, 5, 6], shape: [7] },
      weights: { type: 'float32', data: [0, 0, 0, 0, 0.5, -1, 2], shape: [7] },
    });
  });

  test('for a forward pass has weights of 0', async () => {
    const { lossInputs } = await forwardDatum(STEP, images);
    expect(lossInputs['weights']?.data).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  test('of a reply with one token has the prompt as its input', async () => {
    const { input } = await forwardDatum({ ...STEP, reply: [4] }, images);
    expect(input.at(-1)).toEqual({ kind: 'text', tokens: [3] });
    const { input: pictured } = await forwardDatum({ prompt: STEP.prompt.slice(1, 2), reply: [4] }, images);
    expect(pictured).toHaveLength(1);
  });

  test('needs a prompt and its images', async () => {
    await expect(forwardDatum({ prompt: [], reply: [1] }, images)).rejects.toThrow('empty prompt');
    const strange = { kind: 'image', sha256: 'zz', tokens: 1 } as const;
    await expect(forwardDatum({ prompt: [strange], reply: [1] }, images)).rejects.toThrow('hash zz');
  });

  test('as a whole prompt ends in the reply', async () => {
    expect((await wholePrompt(STEP, images)).at(-1)).toEqual({ kind: 'text', tokens: [3, 4, 5, 6] });
  });
});

describe('requests', () => {
  const text = (tokens: number): WireDatum => ({
    input: [{ kind: 'text', tokens: Array.from({ length: tokens }, () => 1) }],
    lossInputs: {},
  });
  const sizes = async (
    tokens: readonly number[],
    limits: { readonly rows: number; readonly bytes: number },
  ) => {
    const requests: number[] = [];
    for await (const request of inRequests(tokens, async each => text(each), limits))
      requests.push(request.length);
    return requests;
  };

  test('have as many rows as the limits allow', async () => {
    expect(await sizes([1, 1, 1, 1, 1], { rows: 2, bytes: 1000 })).toEqual([2, 2, 1]);
    expect(await sizes([10, 10, 10], { rows: 9, bytes: 80 })).toEqual([2, 1]);
    expect(await sizes([], { rows: 9, bytes: 80 })).toEqual([]);
  });

  test('have one row if it is larger than the limit', async () => {
    expect(await sizes([1, 100, 1], { rows: 9, bytes: 80 })).toEqual([1, 1, 1]);
  });

  test('count tensors and images', async () => {
    const image = { kind: 'image', data: new Uint8Array(100), format: 'png' } as const;
    const tensor = { type: 'int64', data: Array.from({ length: 10 }, () => 0) } as const;
    const large: WireDatum = { input: [image], lossInputs: { target_tokens: tensor } };
    const requests: number[] = [];
    for await (const request of inRequests([large, large], async each => each, { rows: 9, bytes: 359 }))
      requests.push(request.length);
    expect(requests).toEqual([1, 1]);
  });
});

describe('a server that takes the mean over rows', () => {
  const { rows } = updateOf(1);

  test('makes the same step as one that takes the sum', async () => {
    const adam = {
      ...{ learning_rate: ADAM.learningRate, beta1: ADAM.beta1, beta2: ADAM.beta2 },
      ...{ eps: ADAM.epsilon, weight_decay: 0, grad_clip_norm: 0 },
    };
    const states = await Promise.all(
      (['sum', 'row-mean'] as const).map(async reduction => {
        const model = new TableModel();
        const data = await Promise.all(
          rows.map(async row => {
            const forward = await forwardDatum(row.step, images);
            const present = model.pass(forward, lossFor('sum'), 'sum', false).slice(-row.step.reply.length);
            const weighted = reduction === 'sum' ? row : { ...row, sampled: present };
            return trainingDatum(weighted, { rows: rows.length, reduction }, images);
          }),
        );
        for (const datum of data) model.pass(datum, lossFor(reduction), reduction, true);
        model.step(adam, reduction);
        return model.state.weights;
      }),
    );
    const [sums = [], means = []] = states;
    expect(sums).not.toEqual(FIRST_STATE.weights);
    for (const [index, each] of sums.entries()) expect(means[index]).toBeCloseTo(each, 12);
  });

  test('gets weights that can be read again', async () => {
    for (const row of rows)
      for (const [reduction, sampled] of [
        ['sum', undefined],
        ['sum', row.step.reply.map(() => -1)],
        ['row-mean', row.step.reply.map(() => -1)],
      ] as const) {
        const datum = await trainingDatum({ ...row, sampled }, { rows: rows.length, reduction }, images);
        const read = weightsIn(datum, rows.length).slice(-row.weights.length);
        for (const [token, weight] of row.weights.entries()) expect(read[token]).toBeCloseTo(weight, 12);
      }
  });
});

describe("PPO's loss", () => {
  test('has the bounds of the ratio as its settings, which can be read again', () => {
    const clip = { clipLow: 0.25, clipHigh: 0.5 };
    for (const reduction of ['sum', 'row-mean'] as const) {
      const loss = lossFor(reduction, clip);
      expect(loss).toEqual({
        lossFn: 'ppo',
        lossFnConfig: { clip_low_threshold: 0.75, clip_high_threshold: 1.5 },
      });
      expect(clipIn(loss)).toEqual(clip);
      expect(clipIn(lossFor(reduction))).toBeUndefined();
    }
  });

  test('has no mask where the server takes the sum, and advantages of 0 before the reply', async () => {
    const step = { prompt: [{ kind: 'text', tokens: [1, 2, 3] }], reply: [4, 5] } as const;
    const row = { step, weights: [0.5, -1], sampled: [-1, -2] };
    const sum = await trainingDatum(row, { rows: 3, reduction: 'sum' }, images);
    expect(Object.keys(sum.lossInputs)).toEqual(['target_tokens', 'logprobs', 'advantages']);
    expect(sum.lossInputs['advantages']?.data).toEqual([0, 0, 0.5, -1]);
    const mean = await trainingDatum(row, { rows: 3, reduction: 'row-mean' }, images);
    expect(mean.lossInputs['weights']?.data).toEqual([0, 0, 1, 1]);
    expect(mean.lossInputs['advantages']?.data).toEqual([0, 0, 3, -6]);
  });
});

describe('log-probabilities', () => {
  const inputs = { target_tokens: { type: 'int64', data: [0, 4, 5] } } as const;
  const resultOf = (...rows: readonly (readonly number[])[]) => ({
    ...{ outputType: '', metrics: {} },
    outputs: rows.map(data => ({ logprobs: { type: 'float32', data } as const })),
  });

  test('are those of the reply, which is last', () => {
    const [values = []] = logProbabilities(resultOf([-9, -1, -2]), [inputs], 'lab');
    expect(ofReply(values, 2, 'lab')).toEqual([-1, -2]);
  });

  test('of another number than the places are an error', () => {
    expect(() => logProbabilities(resultOf([-1, -2]), [inputs], 'lab')).toThrow(
      '2 log-probabilities for row 0',
    );
    expect(() => logProbabilities(resultOf(), [inputs], 'lab')).toThrow('0 results for 1 rows');
  });

  test('that are not finite are an error', () => {
    expect(() => ofReply([0, Number.NaN], 1, 'lab')).toThrow('NaN as the log-probability');
    expect(ofReply([Number.NaN, -1], 1, 'lab')).toEqual([-1]);
  });
});
