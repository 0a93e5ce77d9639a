// Each term of the objective against the same in plain numbers, and its gradient at and beyond every bound.

import { afterAll, describe, expect, test } from 'vitest';
import { SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import {
  OBJECTIVE,
  type ObjectiveOptions,
  objectiveTerms,
} from '../../../runtime/agents/compact/objective.ts';
import { type Random, seeded } from '../../../runtime/core/rng.ts';
import { gradients } from '../../../runtime/graph/gradient.ts';
import { Graph } from '../../../runtime/graph/graph.ts';
import * as op from '../../../runtime/graph/ops/index.ts';
import { forwardProgram } from '../../../runtime/graph/program.ts';
import type { Session } from '../../../runtime/graph/session.ts';
import type { Tensors } from '../../../runtime/graph/tensor.ts';
import { type PlainStep, type PlainTerms, plainTerms } from './plain-objective.ts';
import { floats, numbers, open, row } from './running-policy.ts';

const OPTIONS: Readonly<Record<string, ObjectiveOptions>> = {
  'as the paper has it': OBJECTIVE,
  'with other bounds': {
    ...OBJECTIVE,
    clipLow: 0.05,
    clipHigh: 0.6,
    dualClip: 2,
    truncation: 3,
    entropyFloor: 0.5,
  },
};

/** All terms, and the gradients of some with respect to what the policy says now and to what it said at first. */
function session(options: ObjectiveOptions): Promise<Session> {
  const graph = new Graph();
  const input = (name: string) => graph.input(name, 'float32', ['B', SLOTS.length]);
  const [now, old, uncertainty] = [input('now'), input('old'), input('uncertainty')];
  const found = objectiveTerms(
    { logProbability: now, uncertainty, entropy: uncertainty, open: uncertainty },
    {
      used: input('used'),
      advantage: graph.input('advantage', 'float32', ['B']),
      rollout: input('rollout'),
      old,
      reference: input('reference'),
    },
    options,
  );
  const [byNow, byOld] = gradients(op.reduceSum(found.surrogate), [now, old]);
  const [apart] = gradients(op.reduceSum(found.divergence), [now]);
  const [held] = gradients(op.reduceSum(found.entropyBonus), [uncertainty]);
  const [cloned] = gradients(op.reduceSum(found.cloning), [now]);
  if (!byNow || !byOld || !apart || !held || !cloned) throw new Error('A gradient is missing.');
  return open(forwardProgram(graph, { ...found, byNow, byOld, apart, held, cloned }));
}

const sessions = new Map<ObjectiveOptions, Promise<Session>>();
const sessionFor = (options: ObjectiveOptions) => {
  const there = sessions.get(options) ?? session(options);
  sessions.set(options, there);
  return there;
};
afterAll(async () => {
  for (const each of sessions.values()) await (await each).close();
});

const table = (steps: readonly PlainStep[], name: Exclude<keyof PlainStep, 'advantage'>) =>
  floats(
    steps.flatMap(step => step[name]),
    steps.length,
    SLOTS.length,
  );

const run = async (steps: readonly PlainStep[], options = OBJECTIVE): Promise<Tensors> =>
  (await sessionFor(options)).run({
    used: table(steps, 'used'),
    now: table(steps, 'now'),
    old: table(steps, 'old'),
    rollout: table(steps, 'rollout'),
    reference: table(steps, 'reference'),
    uncertainty: table(steps, 'uncertainty'),
    advantage: floats(steps.map(({ advantage }) => advantage)),
  });

const slots = (of: (slot: number) => number): readonly number[] =>
  SLOTS.map((_, slot) => Math.fround(of(slot)));

/** Log-probabilities apart by about so much. */
function drawn(random: Random, spread: number): PlainStep {
  const around = (centre: readonly number[]) =>
    slots(slot => (centre[slot] ?? 0) + spread * (random.next() + random.next() + random.next() - 1.5));
  const old = slots(() => -6 * random.next());
  return {
    used: slots(() => random.int(2)),
    old,
    now: around(old),
    rollout: around(old),
    reference: around(old),
    uncertainty: slots(() => random.next()),
    advantage: Math.fround(6 * random.next() - 3),
  };
}

/** A step of one decision, at a ratio to what it was. */
const single = (logRatio: number, advantage: number, more: Partial<PlainStep> = {}): PlainStep => ({
  used: slots(slot => (slot === 1 ? 1 : 0)),
  now: slots(() => -3 + logRatio),
  old: slots(() => -3),
  rollout: slots(() => -3),
  reference: slots(() => -3),
  uncertainty: slots(() => 0.5),
  advantage,
  ...more,
});

describe.each(Object.entries(OPTIONS))('%s, on random steps', (_name, options) => {
  test.each([0.1, 1, 15])('every term matches the plain formulas, at a spread of %d', async spread => {
    const random = seeded(`terms ${spread}`);
    const steps = Array.from({ length: 400 }, () => drawn(random, spread));
    const results = await run(steps, options);
    for (const name of ['surrogate', 'divergence', 'entropyBonus', 'cloning', 'clipped', 'kl'] as const) {
      const found = numbers(results, name);
      for (const [index, step] of steps.entries()) {
        const wanted = plainTerms(step, options)[name satisfies keyof PlainTerms];
        expect(Math.abs((found[index] ?? Number.NaN) - wanted) / (1 + Math.abs(wanted)), name).toBeLessThan(
          2e-5,
        );
      }
    }
  });
});

describe('the surrogate', () => {
  const high = Math.log(1 + OBJECTIVE.clipHigh);
  const low = Math.log(1 - OBJECTIVE.clipLow);
  const dual = Math.log(OBJECTIVE.dualClip);
  const pull = async (step: PlainStep) => row(await run([step]), 'byNow', 0)[1] ?? Number.NaN;

  test.each([
    ['a good step', 'up to the upper bound', 2, high - 0.01],
    ['a good step', 'below the lower bound, where it lost', 2, low - 1],
    ['a bad step', 'down to the lower bound', -2, low + 0.01],
    ['a bad step', 'above the upper bound, where it gained', -2, high + 0.5],
    ['a bad step', 'up to the dual clip', -2, dual - 0.01],
  ])('pulls at %s in proportion to ratio and advantage %s', async (_step, _where, advantage, logRatio) => {
    expect(await pull(single(logRatio, advantage))).toBeCloseTo(Math.exp(logRatio) * advantage, 4);
  });

  test.each([
    ['a good step beyond the upper bound', 2, high + 0.01],
    ['a bad step beyond the lower bound', -2, low - 0.01],
    ['a bad step beyond the dual clip', -2, dual + 0.01],
    ['a step at the mean', 0, 0.1],
  ])('does not pull at %s', async (_step, advantage, logRatio) => {
    expect(await pull(single(logRatio, advantage))).toBe(0);
  });

  test('of a bad step is bounded for any ratio', async () => {
    const bound = -3 * OBJECTIVE.dualClip;
    const results = await run([5, 19, 60].map(logRatio => single(logRatio, -3)));
    for (const each of numbers(results, 'surrogate')) expect(each).toBeCloseTo(bound, 4);
  });

  test('and all other terms stay finite for extreme log-probabilities', async () => {
    const absurd = [
      single(1e9, 3),
      single(-1e9, -3),
      single(0, 1, { rollout: slots(() => -1e9) }),
      single(0, 1, { reference: slots(() => 1e9) }),
    ];
    const results = await run(absurd);
    for (const name of ['surrogate', 'divergence', 'kl', 'byNow', 'byOld', 'apart'])
      expect(numbers(results, name).every(Number.isFinite), name).toBe(true);
    expect(numbers(results, 'kl')[0]).toBe(-20);
    expect(numbers(results, 'divergence')[3]).toBeCloseTo(Math.exp(20) - 21, -3);
  });

  test('weights a stale step by its importance, at most by 1', async () => {
    const stale = (log: number) => single(0, 1, { rollout: slots(() => -3 - log) });
    const results = await run([stale(-1), stale(0), stale(1)]);
    const [less, same, more] = numbers(results, 'surrogate');
    expect(less).toBeCloseTo(Math.exp(-1), 5);
    expect([same, more]).toEqual([1, 1]);
    expect(row(results, 'byNow', 0)[1]).toBeCloseTo(Math.exp(-1), 5);
  });

  test('has no gradient through the importance weight', async () => {
    const step = single(0.1, 1, { rollout: slots(() => -2.5) });
    const results = await run([step]);
    const weight = Math.exp(-0.5);
    // Were the weight differentiated as well, its part would cancel this one.
    expect(row(results, 'byOld', 0)[1]).toBeCloseTo(-weight * Math.exp(0.1), 5);
  });

  test('is the mean over the used decisions; unused ones have no effect', async () => {
    const all = single(0.1, 2, { used: slots(() => 1) });
    const strange = single(0.1, 2, {
      now: slots(slot => (slot === 1 ? -2.9 : -1e9)),
      old: slots(slot => (slot === 1 ? -3 : 0)),
      rollout: slots(slot => (slot === 1 ? -3 : 0)),
    });
    const results = await run([single(0.1, 2), all, strange]);
    const [one, every, other] = numbers(results, 'surrogate');
    expect(every).toBeCloseTo(one ?? 0, 5);
    expect(other).toBeCloseTo(one ?? 0, 5);
    expect(row(results, 'byNow', 1)[1]).toBeCloseTo((row(results, 'byNow', 0)[1] ?? 0) / SLOTS.length, 5);
    expect(row(results, 'byNow', 2).filter(pull => pull !== 0)).toHaveLength(1);
  });
});

describe('the divergence', () => {
  test('is zero where both agree, else positive; its gradient points to the reference', async () => {
    const apart = (log: number) => single(log, 0);
    const results = await run([apart(0), apart(0.7), apart(-0.7)]);
    const [none, above, below] = numbers(results, 'divergence');
    expect(none).toBe(0);
    expect(above).toBeCloseTo(Math.exp(-0.7) + 0.7 - 1, 5);
    expect(below).toBeCloseTo(Math.exp(0.7) - 0.7 - 1, 5);
    // It is made smaller: a choice that became likelier is pulled down.
    expect(row(results, 'apart', 1)[1]).toBeGreaterThan(0);
    expect(row(results, 'apart', 2)[1]).toBeLessThan(0);
  });
});

describe('entropy', () => {
  test('is rewarded up to the floor only', async () => {
    const { entropyFloor } = OBJECTIVE;
    const certain = (uncertainty: number) => single(0, 0, { uncertainty: slots(() => uncertainty) });
    const results = await run([certain(entropyFloor / 2), certain(entropyFloor * 2)]);
    expect(numbers(results, 'entropyBonus')[0]).toBeCloseTo(entropyFloor / 2, 6);
    expect(numbers(results, 'entropyBonus')[1]).toBeCloseTo(entropyFloor, 6);
    expect(row(results, 'held', 0)[1]).toBeCloseTo(1, 5);
    expect(row(results, 'held', 1)[1]).toBe(0);
  });
});

test('imitation trains every used decision, for any advantage', async () => {
  const step = single(2, -3, { used: slots(slot => (slot < 3 ? 1 : 0)) });
  const results = await run([step]);
  expect(numbers(results, 'cloning')[0]).toBeCloseTo(3, 5);
  expect(row(results, 'cloned', 0).map(Math.abs)).toEqual(SLOTS.map((_, slot) => (slot < 3 ? 1 : 0)));
});

test('a step without used decisions has no terms and no gradient', async () => {
  const results = await run([single(3, -2, { used: slots(() => 0) })]);
  for (const name of Object.keys(results)) {
    const all = numbers(results, name);
    expect([name, ...all.filter(each => each !== 0)]).toEqual([name]);
  }
});
