// The losses of the protocol: their weights against numerical differences, their values against the formulas.

import { describe, expect, test } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { sum } from '../../../runtime/core/sum.ts';
import {
  checkLoss,
  LOSS_NAMES,
  type LossConfig,
  tokenLosses,
} from '../../../runtime/model-server/tinker/losses.ts';

const CONFIGS: Readonly<Record<string, LossConfig>> = {
  ppo: { clip_low_threshold: 0.7, clip_high_threshold: 1.4 },
  cispo: { clip_low_threshold: 0.7, clip_high_threshold: 1.4 },
  dro: { beta: 0.3 },
};

function randomInputs(seed: string) {
  const random = seeded(seed);
  const list = (of: () => number) => Array.from({ length: 40 }, of);
  const logprobs = list(() => -3 * random.next() - 0.01);
  return {
    logprobs,
    sampled: logprobs.map(each => each + random.next() - 0.5),
    advantages: list(() => 2 * random.next() - 1),
    weights: list(() => random.int(2)),
  };
}

/** The loss of cispo as its gradient sees it: the clipped ratio is a constant. */
function frozen(name: string, config: LossConfig, inputs: ReturnType<typeof randomInputs>) {
  const { weights } = tokenLosses(name, config, inputs);
  return (logprobs: readonly number[]) => sum(logprobs.map((each, token) => -at(weights, token) * each));
}

describe.each(LOSS_NAMES)('%s', name => {
  test('weights are minus the derivatives of the loss', () => {
    for (let trial = 0; trial < 5; trial++) {
      const inputs = randomInputs(`${name}/${trial}`);
      const config = CONFIGS[name] ?? {};
      const { weights } = tokenLosses(name, config, inputs);
      const lossOf =
        name === 'cispo'
          ? frozen(name, config, inputs)
          : (logprobs: readonly number[]) => sum(tokenLosses(name, config, { ...inputs, logprobs }).losses);
      for (const [token, weight] of weights.entries()) {
        const moved = (by: number) =>
          lossOf(inputs.logprobs.map((each, index) => (index === token ? each + by : each)));
        const slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
        expect(-weight).toBeCloseTo(slope, 4);
      }
    }
  });

  test('a token with the weight 0 has no part in it', () => {
    const inputs = randomInputs(name);
    const { losses, weights } = tokenLosses(name, {}, { ...inputs, weights: inputs.weights.map(() => 0) });
    expect([...losses, ...weights].every(each => each === 0)).toBe(true);
  });
});

const one = (name: string, present: number, sampled: number, advantage: number) => {
  const { losses, weights } = tokenLosses(
    name,
    {},
    {
      ...{ logprobs: [present], sampled: [sampled], advantages: [advantage] },
    },
  );
  return { loss: losses[0], weight: weights[0] };
};

test.each([
  // The ratio is e^0.5 = 1.65, above 1.2; and e^−0.5 = 0.61, below 0.8.
  ['ppo', -1, -1.5, 1, { loss: -1.2, weight: 0 }],
  ['ppo', -1, -1.5, -1, { loss: Math.exp(0.5), weight: -Math.exp(0.5) }],
  ['ppo', -1.5, -1, -1, { loss: 0.8, weight: 0 }],
  ['ppo', -1.5, -1, 1, { loss: -Math.exp(-0.5), weight: Math.exp(-0.5) }],
  ['cispo', -1, -1.5, 2, { loss: 2.4, weight: 2.4 }],
  ['importance_sampling', -1, -1.5, 2, { loss: -2 * Math.exp(0.5), weight: 2 * Math.exp(0.5) }],
  ['dro', -1, -1.5, 2, { loss: 2 + 0.025 * 0.25, weight: 2 - 0.05 * 0.5 }],
])('%s of log p %d, sampled %d, advantage %d', (name, present, sampled, advantage, expected) => {
  const found = one(name, present, sampled, advantage);
  expect(found.loss).toBeCloseTo(expected.loss, 9);
  expect(found.weight).toBeCloseTo(expected.weight, 9);
});

test('without weights, cross-entropy counts each token once', () => {
  expect(tokenLosses('cross_entropy', {}, { logprobs: [-1, -2] })).toEqual({
    losses: [1, 2],
    weights: [1, 1],
  });
});

test.each([
  ['an unknown loss', () => checkLoss('gspo', {}), /not served\. Use one of cross_entropy/],
  ['an unknown setting', () => checkLoss('ppo', { beta: 1 }), /no setting 'beta'/],
  ['a setting that is no number', () => checkLoss('dro', { beta: 'high' }), /finite number/],
  ['no advantages', () => tokenLosses('ppo', {}, { logprobs: [-1], sampled: [-1] }), /needs 'advantages'/],
  [
    'an infinite weight',
    () => tokenLosses('cross_entropy', {}, { logprobs: [-1], weights: [Number.POSITIVE_INFINITY] }),
    /Send finite/,
  ],
])('%s is a fault', (_, call, message) => {
  expect(call).toThrow(message);
});
