// The conformance suite holds for a correct learner, and each of its laws fails for a broken one.

import { describe, expect, test } from 'vitest';
import type { Learner, TokenStep, TokenUpdate } from '../../runtime/learner/learner.ts';
import { BROKEN, Delegate } from './broken-learners.ts';
import { checkLaw, type LearnerFixture, lawsFor, testLearner } from './conformance.ts';
import { SoftmaxLearner, type SoftmaxState } from './softmax-learner.ts';

const ALL = { assesses: true, hasReference: true, clips: true, publishes: true };
const NONE = { assesses: false, hasReference: false, clips: false, publishes: false };

const IMAGE = 'a1'.repeat(32);
const images = async (sha256: string): Promise<Uint8Array> => {
  if (sha256 !== IMAGE) throw new RangeError(`No image has the hash ${sha256}. Use the hash of a step.`);
  return Uint8Array.of(3, 1);
};
const STEPS: readonly TokenStep[] = [
  { prompt: [{ kind: 'text', tokens: [1, 2] }], reply: [3, 0, 4] },
  {
    prompt: [
      { kind: 'text', tokens: [5] },
      { kind: 'image', sha256: IMAGE, tokens: 4 },
    ],
    reply: [6, 1],
  },
  { prompt: [{ kind: 'text', tokens: [0] }], reply: [2] },
];

interface Variant {
  readonly wrap?: (learner: Learner) => Learner;
  readonly restored?: (state: SoftmaxState) => SoftmaxState;
}

function fixtureOf({ wrap = learner => learner, restored }: Variant = {}): LearnerFixture {
  const disk = new Map<string, SoftmaxState>();
  const open = async () => wrap(new SoftmaxLearner({ images, disk, ...(restored && { restored }) }));
  return {
    open,
    // Its memory is lost.
    reopen: open,
    steps: STEPS,
    optimiser: { learningRate: 1e-2, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clipNorm: 1 },
    tolerance: 1e-9,
  };
}

async function failing(variant: Variant, abilities = ALL): Promise<readonly string[]> {
  const titles: string[] = [];
  for (const law of lawsFor(abilities))
    await checkLaw(law, fixtureOf(variant)).catch(() => titles.push(law.title));
  return titles;
}

/** A correct learner without the abilities. */
class Mute extends Delegate {
  override get capabilities() {
    return { ...super.capabilities, ...NONE };
  }
  override async assess(): Promise<never> {
    throw new Error('This learner computes no log-probabilities. Use another one.');
  }
  override async update(update: TokenUpdate, signal: AbortSignal) {
    if (update.clip !== undefined) throw new Error('This learner does not clip. Use another one.');
    return await super.update(update, signal);
  }
  override async publish(): Promise<never> {
    throw new Error('This learner publishes no weights. Use another one.');
  }
}

testLearner('a softmax', ALL, () => fixtureOf());
testLearner('a softmax without abilities', NONE, () => fixtureOf({ wrap: inner => new Mute(inner) }));

test('a learner without abilities has the laws of their absence', () => {
  const titles = lawsFor(NONE).map(({ title }) => title);
  expect(titles.filter(title => title.includes('is rejected with the reason'))).toHaveLength(4);
  expect(
    lawsFor(ALL)
      .map(({ title }) => title)
      .join(),
  ).not.toContain('with the reason');
});

describe('a law fails for a learner that breaks it', () => {
  test.each(BROKEN.map(([variant, law]) => [variant.name, law, variant] as const))(
    '%s breaks: %s',
    async (_name, law, Broken) => {
      expect((await failing({ wrap: inner => new Broken(inner) })).join('\n')).toContain(law);
    },
  );

  const RESTORED: readonly (readonly [string, string, Variant['restored'] & {}])[] = [
    ['loses the moments', 'load restores the weights and the optimiser', losesMoments],
    ['loses the moments', 'load after a crash restores the weights and the optimiser', losesMoments],
    ['forgets the last id', 'load restores the id of the last update', forgetsId],
    ['forgets the last id', 'load after a crash restores the id of the last update', forgetsId],
  ];
  test.each(RESTORED)('load that %s breaks: %s', async (_name, law, restored) => {
    expect(await failing({ restored })).toContain(law);
  });

  test('every law is broken by one of them', async () => {
    const variants: readonly Variant[] = [...new Set(BROKEN.map(([Broken]) => Broken))].map(Broken => ({
      wrap: inner => new Broken(inner),
    }));
    const found = new Set<string>();
    for (const variant of [...variants, { restored: losesMoments }, { restored: forgetsId }])
      for (const title of await failing(variant)) found.add(title);
    expect(
      lawsFor(ALL)
        .map(({ title }) => title)
        .filter(title => !found.has(title)),
    ).toEqual([]);
  });

  test.each([
    ['resolves', new Error()],
    ['gives no reason', new Error('no')],
  ])('an excluded call that %s breaks each law of absence', async (kind, error) => {
    class Unclear extends Delegate {
      override get capabilities() {
        return { ...super.capabilities, ...NONE };
      }
      override async assess(...call: Parameters<Learner['assess']>) {
        if (kind === 'resolves') return await super.assess(...call);
        throw error;
      }
      override async update(update: TokenUpdate, signal: AbortSignal) {
        if (kind === 'resolves' || update.clip === undefined) return await super.update(update, signal);
        throw error;
      }
      override async publish(signal: AbortSignal) {
        if (kind === 'resolves') return await super.publish(signal);
        throw error;
      }
    }
    const titles = await failing({ wrap: inner => new Unclear(inner) }, NONE);
    expect(titles.filter(title => title.includes('with the reason'))).toHaveLength(4);
  });
});

function losesMoments(state: SoftmaxState): SoftmaxState {
  return { ...state, mean: state.mean.map(() => 0), variance: state.variance.map(() => 0) };
}

function forgetsId({ last: _, ...state }: SoftmaxState): SoftmaxState {
  return state;
}
