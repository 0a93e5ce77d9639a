// What a learner finds out about its server when it opens: whether the server computes PPO's loss, and how it reduces a loss.

import { describe, expect, test } from 'vitest';
import { seeded } from '../../../runtime/core/rng.ts';
import type { TinkerLearner } from '../../../runtime/learner/tinker/tinker-learner.ts';
import { HOSTED, JSON_SERVER, type TinkerTraits } from '../../doubles/tinker/traits.ts';
import { clippedBatch } from '../clipped-batches.ts';
import {
  ADAM,
  assess,
  type Lab,
  LIVE,
  lab,
  open,
  STEPS,
  settled,
  storedState,
  update,
  updateOf,
} from './lab.ts';

const labOf = (traits: Partial<TinkerTraits>): Lab => {
  const { reduction = 'sum' } = traits;
  return lab({ traits, learner: { reduction } });
};

describe("PPO's loss", () => {
  test.each([
    ['protobuf', HOSTED, true],
    ['JSON', JSON_SERVER, true],
    ['means over rows', { ...JSON_SERVER, reduction: 'row-mean' as const }, true],
    ['another clip', { ...HOSTED, clip: 'ppo-one-sided' as const }, false],
    ['no such loss', { ...HOSTED, clip: 'none' as const }, false],
    ['no such loss, in JSON', { ...JSON_SERVER, clip: 'none' as const }, false],
    ['no loss in its results', { ...HOSTED, clip: 'unreported' as const }, false],
  ])('on a server with %s', async (_, traits, expected) => {
    const from = labOf(traits);
    const learner = await open(from);
    expect(learner.capabilities.clips).toBe(expected);
    expect(await update(from, learner, 1)).toMatchObject({ step: 1 });
  });

  test('is refused before anything is sent, where the server has none', async () => {
    const from = labOf({ clip: 'none' });
    const learner = await open(from);
    const sent = from.server.routes.length;
    const { clipped } = await batchFor(from, learner, 'x');
    await expect(settled(from.clock, learner.update(clipped, LIVE))).rejects.toThrow(
      "has a clip, and the server http://lab:8000 does not compute PPO's loss",
    );
    expect(from.server.routes.slice(sent).filter(route => route === '/forward_backward')).toHaveLength(
      // `assess` sent two of them.
      2,
    );
  });

  test('needs no pass before the gradient, on both reductions', async () => {
    for (const reduction of ['sum', 'row-mean'] as const) {
      const from = labOf({ reduction });
      const learner = await open(from);
      const { clipped } = await batchFor(from, learner, 'x');
      from.server.routes.length = 0;
      await settled(from.clock, learner.update(clipped, LIVE));
      expect(from.server.routes.filter(route => route !== '/retrieve_future')).toEqual([
        ...['/forward_backward', '/forward_backward', '/optim_step'],
      ]);
    }
  });

  test.each(['sum', 'row-mean'] as const)(
    'makes the step of signed weights on a server with the reduction %s, over random batches',
    async reduction => {
      const random = seeded(`clipped ${reduction}`);
      const [one, other] = [labOf({ reduction }), labOf({ reduction })];
      const [clipping, plain] = [await open(one), await open(other)];
      for (let number = 0; number < 20; number++) {
        const { clipped, signed } = await batchFor(one, clipping, `b${number}`, random);
        const report = await settled(one.clock, clipping.update(clipped, LIVE));
        await settled(other.clock, plain.update(signed, LIVE));
        expect(report.divergence).toBeGreaterThan(0);
        const [states, wanted] = [await stateOf(one, clipping), await stateOf(other, plain)];
        for (const [index, weight] of states.weights.entries())
          expect(Math.abs(weight - (wanted.weights[index] ?? Number.NaN))).toBeLessThan(1e-5);
      }
    },
  );
});

describe('a reduction that is not that of the server', () => {
  test.each([
    ['sum', 'row-mean', /divides the loss of a row by the sum of its weights.*Set "reduction": "row-mean"/],
    ['row-mean', 'sum', /adds up the losses of tokens.*Set "reduction": "sum"/],
  ] as const)('is an error: %s in the learner, %s on the server', async (own, served, message) => {
    const from = lab({ traits: { reduction: served }, learner: { reduction: own } });
    await expect(open(from)).rejects.toThrow(message);
  });

  test('is looked for without a model that stays, and without a change of the weights', async () => {
    const from = labOf({});
    const learner = await open(from);
    expect(from.server.loaded).toHaveLength(1);
    const first = await assess(from, learner);
    const fresh = labOf({ room: 1 });
    expect(await assess(fresh, await open(fresh))).toEqual(first);
  });

  test('is not looked for again after the first step', async () => {
    const from = labOf({});
    const learner = await open(from);
    await update(from, learner, 1);
    await settled(from.clock, learner.close());
    from.server.routes.length = 0;
    await open(from);
    expect(from.server.routes).not.toContain('/optim_step');
  });

  test('leaves a server alone that has no room for a second model', async () => {
    const from = lab({ traits: { reduction: 'row-mean', room: 1 } });
    expect((await open(from)).step).toBe(0);
  });

  test('is found with reference weights too, which stay those before the first step', async () => {
    const from = lab({ learner: { needsReference: true } });
    const learner = await open(from);
    const first = await assess(from, learner);
    expect(await assess(from, learner, 'reference')).toEqual(first);
    expect(from.server.loaded).toHaveLength(2);
    expect(await settled(from.clock, learner.update(updateOf(1), LIVE))).toMatchObject({ step: 1 });
  });
});

const stateOf = (from: Lab, learner: TinkerLearner) => settled(from.clock, storedState(from, learner));

async function batchFor(from: Lab, learner: TinkerLearner, id: string, random = seeded(id)) {
  const present = await assess(from, learner);
  return clippedBatch(id, { steps: STEPS, present, optimiser: ADAM }, random);
}
