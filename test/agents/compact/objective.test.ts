// The loss of a whole batch, through the network: what it adds up to, and that rows without weight change nothing.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { sampledRows, samplingFeeds } from '../../../runtime/agents/compact/decide.ts';
import { feedsOf } from '../../../runtime/agents/compact/feeds.ts';
import { OBJECTIVE, type ObjectiveOptions } from '../../../runtime/agents/compact/objective.ts';
import { decidingProgram, layoutFor, learningProgram } from '../../../runtime/agents/compact/programs.ts';
import { type Sample, sampleOf } from '../../../runtime/agents/compact/sample.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { WEIGHTS } from '../../../runtime/graph/layout.ts';
import type { Session } from '../../../runtime/graph/session.ts';
import type { Tensors } from '../../../runtime/graph/tensor.ts';
import { plainTerms } from './plain-objective.ts';
import { floats, numbers, openWith, row, SHAPE, sampleFeeds, weightsOf } from './running-policy.ts';
import { pocketRows } from './screens.ts';

const FULL: ObjectiveOptions = { ...OBJECTIVE, divergence: 0.1, entropyFloor: 0.6, entropyWeight: 0.3 };
const BARE: ObjectiveOptions = { ...OBJECTIVE, divergence: 0, entropyWeight: 0 };
const UNALIGNED: ObjectiveOptions = { ...OBJECTIVE, truncation: 0 };
const OPTIMISER = { learningRate: { peak: 1e-3 } };
const START = weightsOf('objective');
const SCREENS = pocketRows(8, 'a11y_tree');

/** One row, and how it trains. */
interface Trained {
  readonly sample: Sample;
  readonly advantage: number;
  readonly old: readonly number[];
  readonly rollout: readonly number[];
  readonly reference: readonly number[];
  readonly policyWeight: number;
  readonly cloneWeight: number;
}

let rows: readonly Trained[];

beforeAll(async () => {
  const deciding = await openWith(decidingProgram(SHAPE), START);
  const random = seeded('objective');
  const outputs = await deciding.run({
    ...feedsOf(SCREENS, SHAPE.pixels),
    ...samplingFeeds(SCREENS.length, () => random.next()),
  });
  await deciding.close();
  rows = sampledRows(outputs, SCREENS.length).map(({ choices, logProbabilities }, index) => {
    const sample = sampleOf(SCREENS[index] as Tokens, choices, logProbabilities);
    const near = () => logProbabilities.map(log => Math.fround(log + random.next() - 0.5));
    const imitated = index % 4 === 3;
    return {
      sample,
      advantage: Math.fround(4 * random.next() - 2),
      old: near(),
      rollout: near(),
      reference: near(),
      policyWeight: imitated ? 0 : 0.25,
      cloneWeight: imitated ? 0.5 : 0,
    };
  });
});

const feedsFor = (some: readonly Trained[], { divergence, truncation }: ObjectiveOptions): Tensors => {
  const table = (of: (row: Trained) => readonly number[]) =>
    floats(some.flatMap(of), some.length, SLOTS.length);
  return {
    ...sampleFeeds(some.map(({ sample }) => sample)),
    used: table(({ sample }) => sample.used),
    advantage: floats(some.map(({ advantage }) => advantage)),
    old: table(({ old }) => old),
    policyWeight: floats(some.map(({ policyWeight }) => policyWeight)),
    cloneWeight: floats(some.map(({ cloneWeight }) => cloneWeight)),
    ...(truncation > 0 && { rollout: table(({ rollout }) => rollout) }),
    ...(divergence > 0 && { reference: table(({ reference }) => reference) }),
  };
};

const sessions = new Map<ObjectiveOptions, Session>();
afterAll(() => Promise.all([...sessions.values()].map(each => each.close())));

/** One update from the first weights: what it gave, and the weights that came of it. */
async function update(some: readonly Trained[], options: ObjectiveOptions) {
  let session = sessions.get(options);
  if (session === undefined) {
    session = await openWith(learningProgram(SHAPE, options, OPTIMISER), START);
    sessions.set(options, session);
    first.set(session, await session.read());
  }
  await session.write(first.get(session) ?? {});
  const results = await session.run(feedsFor(some, options));
  return { results, weights: numbers(await session.read(), WEIGHTS) };
}
const first = new Map<Session, Tensors>();

const START_NUMBERS = Array.from(START.data, Number);
const furthest = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((most, each, index) => Math.max(most, Math.abs(each - (b[index] ?? Number.NaN))), 0);

describe.each([
  ['with all its terms', FULL],
  ['with neither divergence nor entropy', BARE],
  ['without alignment', UNALIGNED],
])('the loss %s', (_name, options) => {
  test('matches the plain formulas', async () => {
    const { results } = await update(rows, options);
    const wanted = { gain: 0, cloneLoss: 0, clipped: 0, kl: 0 };
    for (const [index, each] of rows.entries()) {
      const now = row(results, 'logProbability', index);
      const step = { ...each, now, used: each.sample.used, uncertainty: row(results, 'uncertainty', index) };
      const { surrogate, divergence, entropyBonus, cloning, clipped, kl } = plainTerms(step, options);
      const gain = surrogate - options.divergence * divergence + options.entropyWeight * entropyBonus;
      wanted.gain += each.policyWeight * gain;
      wanted.cloneLoss += each.cloneWeight * cloning;
      wanted.clipped += each.policyWeight * clipped;
      wanted.kl += each.policyWeight * kl;
    }
    for (const [name, value] of Object.entries(wanted))
      expect(Math.abs(Number(numbers(results, name)[0]) - value), name).toBeLessThan(
        2e-5 * (1 + Math.abs(value)),
      );
    const loss = Number(numbers(results, 'loss')[0]);
    expect(Math.abs(loss - (wanted.cloneLoss - wanted.gain))).toBeLessThan(5e-5 * (1 + Math.abs(loss)));
    expect(numbers(results, 'applied')).toEqual([1]);
  });
});

test('divergence, entropy and alignment are not in the graph without a weight', () => {
  const feeds = (options: ObjectiveOptions) =>
    learningProgram(SHAPE, options, OPTIMISER).feeds.map(({ name }) => name);
  expect(feeds(FULL)).toContain('reference');
  expect(feeds(BARE)).not.toContain('reference');
  expect(feeds(BARE)).toContain('rollout');
  expect(feeds(UNALIGNED)).not.toContain('rollout');
});

describe('a row without weight', () => {
  const masked = (each: Trained): Trained => ({ ...each, policyWeight: 0, cloneWeight: 0 });

  test('has no effect on the update', async () => {
    const [some, others] = [rows.slice(0, 4), rows.slice(4)];
    const { weights: without } = await update(some, FULL);
    const wild = others.map(each => ({
      ...masked(each),
      advantage: 3,
      old: each.old.map(() => 0),
      rollout: each.old.map(() => 0),
    }));
    const { weights: beside } = await update([...some, ...wild], FULL);
    expect(furthest(without, START_NUMBERS)).toBeGreaterThan(5e-4);
    // Adam's first step is as long for a small gradient as for a large one: only rounding near zero is seen here.
    const moved = beside.filter((each, index) => Math.abs(each - (without[index] ?? 0)) > 1e-5).length;
    expect(moved / beside.length).toBeLessThan(0.01);
  });

  test('has no gradient, and a batch of such rows does not change the weights', async () => {
    const { results, weights } = await update(rows.map(masked), FULL);
    expect(numbers(results, 'grad_norm')).toEqual([0]);
    expect(weights).toEqual(START_NUMBERS);
  });

  test('for the policy still trains by imitation, and vice versa', async () => {
    const gradient = async (policyWeight: number, cloneWeight: number) => {
      const { results } = await update(
        rows.map(each => ({ ...each, policyWeight, cloneWeight })),
        BARE,
      );
      return Number(numbers(results, 'grad_norm')[0]);
    };
    expect(await gradient(0, 1)).toBeGreaterThan(0);
    expect(await gradient(1, 0)).toBeGreaterThan(0);
  });
});

describe('after some updates', () => {
  const total = (results: Tensors, some: readonly Trained[]): number =>
    some.reduce((sum, { sample }, index) => {
      const now = row(results, 'logProbability', index);
      return sum + sample.used.reduce((all, used, slot) => all + used * (now[slot] ?? 0), 0);
    }, 0);

  /** How much likelier the choices become. */
  async function likelier(some: readonly Trained[], options: ObjectiveOptions, peak = 3e-3): Promise<number> {
    const session = await openWith(learningProgram(SHAPE, options, { learningRate: { peak } }), START);
    onTestFinished(() => session.close());
    const before = total(await session.run(feedsFor(some, options)), some);
    for (let step = 0; step < 8; step++) await session.run(feedsFor(some, options));
    return total(await session.run(feedsFor(some, options)), some) - before;
  }

  const asDrawn = (each: Trained, advantage: number): Trained => {
    const said = each.sample.logProbabilities ?? [];
    return {
      ...each,
      advantage,
      old: said,
      rollout: said,
      reference: said,
      policyWeight: 0.2,
      cloneWeight: 0,
    };
  };

  test('imitation makes the choices more likely', async () => {
    const imitated = rows.map(each => ({ ...each, policyWeight: 0, cloneWeight: 0.2 }));
    expect(await likelier(imitated, BARE)).toBeGreaterThan(1);
  });

  test('good steps become more likely within the clip, bad steps less likely', async () => {
    const good = rows.map(each => asDrawn(each, 1));
    const used = good.reduce((sum, { sample }) => sum + sample.used.reduce((all, each) => all + each, 0), 0);
    // Clipping stops a gradient only once a step went too far, and words known by heart vote fast: a single update
    // at the usual rate would already leap beyond.
    const slowly = 3e-4;
    const gained = await likelier(good, BARE, slowly);
    expect(gained).toBeGreaterThan(0.5);
    expect(gained / used).toBeLessThan(1);
    const bad = rows.map(each => asDrawn(each, -1));
    expect(await likelier(bad, BARE, slowly)).toBeLessThan(-0.5);
  });
});

test('all programs of a policy share one vector of weights', () => {
  const layout = layoutFor(SHAPE);
  expect(START.dims).toEqual([layout.size]);
  expect(decidingProgram(SHAPE).layout).toEqual(layout);
  expect(learningProgram(SHAPE, BARE, OPTIMISER).layout).toEqual(layout);
});
