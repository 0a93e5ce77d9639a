// The learner: what it says of choices, and how its weights come to differ.

import { expect, onTestFinished, test } from 'vitest';
import { choicesFor } from '../../runtime/agents/compact/act.ts';
import { KINDS, SLOTS } from '../../runtime/agents/compact/action-kinds.ts';
import { OBJECTIVE } from '../../runtime/agents/compact/objective.ts';
import { renaming } from '../../runtime/agents/compact/renaming.ts';
import { type Sample, sampleOf } from '../../runtime/agents/compact/sample.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { WEIGHTS } from '../../runtime/graph/layout.ts';
import type { Program } from '../../runtime/graph/program.ts';
import type { Session } from '../../runtime/graph/session.ts';
import type { Tensor, Tensors } from '../../runtime/graph/tensor.ts';
import {
  NetworkTrainer,
  type NetworkTrainerOptions,
  type TrainingRow,
} from '../../runtime/trainer/network-trainer.ts';
import { numbers, open, SHAPE, weightsOf } from '../agents/compact/running-policy.ts';
import { element, tokens } from '../agents/compact/screens.ts';

const START = weightsOf('learner');
const OPTIONS: NetworkTrainerOptions = {
  shape: SHAPE,
  objective: OBJECTIVE,
  optimiser: { learningRate: { peak: 3e-3 } },
};

const THINGS = ['Save', 'Open', 'Close'].map((name, at) => element({ name, box: [0, 20 * at, 20, 20] }));

/** Pressing the thing that is asked for, on screens of different lengths. */
const SAMPLES: readonly Sample[] = ['Save', 'Open', 'Close', 'Save', 'Close'].map((name, at) => {
  const instruction = `Press ${name}${' now'.repeat(3 * at)}.`;
  const row = tokens(instruction, THINGS);
  const { x = 0, y = 0 } = THINGS.find(each => each.name === name)?.box ?? {};
  return sampleOf(row, choicesFor(row, instruction, { kind: 'click', at: { x, y } }) ?? {});
});

interface Fed {
  readonly feeds: Tensors[];
}

/** A learner in this process, and all that its programs were fed. */
async function learner(options: Partial<NetworkTrainerOptions> = {}): Promise<NetworkTrainer & Fed> {
  const feeds: Tensors[] = [];
  const engine = {
    open: async (program: Program): Promise<Session> => {
      const session = await open(program);
      const run = (given: Tensors) => {
        feeds.push(given);
        return session.run(given);
      };
      return {
        run,
        read: () => session.read(),
        write: state => session.write(state),
        close: () => session.close(),
      };
    },
  };
  const made = await NetworkTrainer.open(engine, { ...OPTIONS, ...options }, { [WEIGHTS]: START });
  onTestFinished(() => made.close());
  return Object.assign(made, { feeds });
}

const weightsNow = async (made: NetworkTrainer): Promise<Tensor> => (await made.state())[WEIGHTS] as Tensor;
const imitated = (sample: Sample): TrainingRow => ({ sample, policyWeight: 0, cloneWeight: 0.2 });

/** The logarithm of the probability of all that was chosen. */
async function likely(made: NetworkTrainer, samples: readonly Sample[]): Promise<readonly number[]> {
  const assessed = await made.assess(samples, await weightsNow(made));
  return assessed.map(({ logProbabilities }, index) =>
    logProbabilities.reduce((sum, each, slot) => sum + each * (samples[index]?.used[slot] ?? 0), 0),
  );
}

test('the assessment does not depend on the batch size', async () => {
  const made = await learner();
  const whole = await made.assess(SAMPLES, START);
  expect(whole).toHaveLength(SAMPLES.length);
  for (const rows of [1, 2]) {
    for (const [index, { logProbabilities, uncertainties }] of (
      await made.assess(SAMPLES, START, rows)
    ).entries()) {
      for (const [slot, used] of (SAMPLES[index]?.used ?? []).entries()) {
        if (used === 0) continue;
        expect(logProbabilities[slot]).toBeCloseTo(whole[index]?.logProbabilities[slot] ?? Number.NaN, 4);
        expect(uncertainties[slot]).toBeCloseTo(whole[index]?.uncertainties[slot] ?? Number.NaN, 4);
      }
    }
  }
  expect(await made.assess([], START)).toEqual([]);
});

test('assesses under the given weights', async () => {
  const made = await learner();
  const before = await made.assess(SAMPLES, START);
  await made.step(SAMPLES.map(imitated));
  expect(await made.assess(SAMPLES, START)).toEqual(before);
  expect(await made.assess(SAMPLES, await weightsNow(made))).not.toEqual(before);
});

test('learns imitated actions', async () => {
  const made = await learner();
  const before = await likely(made, SAMPLES);
  const losses: number[] = [];
  for (let step = 0; step < 25; step++) losses.push((await made.step(SAMPLES.map(imitated))).cloneLoss);
  const after = await likely(made, SAMPLES);
  for (const [index, each] of after.entries()) expect(each).toBeGreaterThan(before[index] ?? 0);
  expect(losses.at(-1)).toBeLessThan(0.6 * Number(losses[0]));
});

/** One sample of each kind that this screen allows, with texts from everywhere. */
const VARIED: readonly Sample[] = (() => {
  const instruction = 'Write "good day" to Ada.';
  const memory = [{ text: 'Total 12 EUR', age: 1 }];
  const row = tokens(instruction, THINGS, { memory });
  const typed = ['good day', 'Total 12 EUR', '12', 'Save'].map(text => ({ kind: 'type' as const, text }));
  const others = [{ kind: 'wait' as const }, { kind: 'click' as const, at: { x: 5, y: 25 } }];
  return [...typed, ...others].map(action => sampleOf(row, choicesFor(row, instruction, action) ?? {}));
})();

test('reports −log π per row, in order', async () => {
  const made = await learner();
  const samples = [...SAMPLES, ...VARIED];
  expect(new Set(VARIED.map(({ used }) => used.join())).size).toBe(5);
  const expected = (await likely(made, samples)).map(each => -each);
  const { surprises } = await made.step(samples.map(imitated));
  expect(surprises).toHaveLength(samples.length);
  for (const [index, surprise] of surprises.entries()) expect(surprise).toBeCloseTo(expected[index] ?? 0, 3);
  expect(new Set(surprises.map(each => each.toFixed(2))).size).toBeGreaterThan(6);
});

test('reports a lower loss after training', async () => {
  const made = await learner();
  const rows = VARIED.map(imitated);
  const { surprises: before } = await made.step(rows);
  for (let step = 0; step < 20; step++) await made.step(rows);
  const { surprises: after } = await made.step(rows);
  for (const [index, surprise] of after.entries()) {
    expect(surprise).toBeGreaterThan(0);
    expect(surprise).toBeLessThan(before[index] ?? 0);
  }
});

test('reports the loss of rows without weight, and 0 for rows without decisions', async () => {
  const made = await learner();
  const [sample = waiting] = VARIED;
  const [expected = 0] = await likely(made, [sample]);
  const none = { ...sample, used: SLOTS.map(() => 0) };
  const rows = [none, sample].map(each => ({ ...imitated(each), cloneWeight: 0 }));
  const { surprises } = await made.step(rows);
  expect(Math.abs(surprises[0] ?? Number.NaN)).toBe(0);
  expect(surprises[1]).toBeCloseTo(-expected, 3);
});

test('raises actions with positive advantage and lowers those with negative', async () => {
  const made = await learner();
  const [better, worse] = [SAMPLES[0] as Sample, SAMPLES[2] as Sample];
  const samples = [better, worse];
  const before = await likely(made, samples);
  const assessed = await made.assess(samples, START);
  const rows = samples.map((sample, index) => ({
    ...{ sample, policyWeight: 0.5, cloneWeight: 0, advantage: index === 0 ? 1 : -1 },
    old: assessed[index]?.logProbabilities ?? [],
  }));
  const first = await made.step(rows);
  for (let step = 0; step < 4; step++) await made.step(rows);
  const after = await likely(made, samples);
  // They share weights, and both may move the same way: the one that was better moves further up.
  const [gained = 0, lost = 0] = after.map((now, index) => now - (before[index] ?? 0));
  expect(gained).toBeGreaterThan(lost + 0.01);
  expect(lost).toBeLessThan(0);
  // Before the first update nothing is stale, and nothing is clipped.
  expect(first).toMatchObject({ applied: true, clipped: 0, cloneLoss: 0 });
  expect(Math.abs(first.kl)).toBeLessThan(1e-5);
});

test('uses π_old for missing rollout probabilities', async () => {
  const made = await learner();
  const sample = SAMPLES[1] as Sample;
  const [assessed] = await made.assess([sample], START);
  const old = assessed?.logProbabilities ?? [];
  const recorded = old.map(log => log - 1);
  const row = { policyWeight: 1, cloneWeight: 0, advantage: 1, old };
  await made.step([
    { ...row, sample },
    { ...row, sample: { ...sample, logProbabilities: recorded } },
    { ...imitated(sample), sample },
  ]);
  const rollout = numbers(made.feeds.at(-1) ?? {}, 'rollout');
  const width = SLOTS.length;
  const rows = [0, 1, 2].map(at => rollout.slice(at * width, (at + 1) * width));
  const same = (given: readonly number[]) => given.map(each => Math.fround(each));
  expect(rows).toEqual([same(old), same(recorded), old.map(() => 0)]);
});

test('feeds the reference only with a KL term', async () => {
  const bound = await learner({ objective: { ...OBJECTIVE, divergence: 0.1 } });
  const reference = SLOTS.map((_, slot) => -1 - slot);
  await bound.step([{ ...imitated(SAMPLES[0] as Sample), reference }]);
  expect(numbers(bound.feeds.at(-1) ?? {}, 'reference')).toEqual(reference);
  const free = await learner();
  await free.step([imitated(SAMPLES[0] as Sample)]);
  expect(free.feeds.at(-1)).not.toHaveProperty('reference');
});

test('rejects a step that is not finite and stays unchanged', async () => {
  const made = await learner();
  const before = numbers(await made.state(), WEIGHTS);
  const broken = { ...imitated(SAMPLES[0] as Sample), policyWeight: 1, advantage: Number.NaN };
  expect(await made.step([broken])).toMatchObject({ applied: false });
  expect(numbers(await made.state(), WEIGHTS)).toEqual(before);
  expect(await made.step(SAMPLES.map(imitated))).toMatchObject({ applied: true });
});

test('the same rows give the same weights, bit for bit', async () => {
  const learned = async () => {
    const made = await learner();
    for (let step = 0; step < 3; step++) await made.step(SAMPLES.map(imitated));
    return numbers(await made.state(), WEIGHTS);
  };
  expect(await learned()).toEqual(await learned());
});

const letters = (made: Fed) => numbers(made.feeds.at(-1) ?? {}, 'letters');
const renamed = renaming(seeded('learner'), 1);
const waiting = sampleOf(SAMPLES[0]?.tokens ?? tokens(''), { kind: KINDS.indexOf('wait') });

test('replaces names in imitated rows only', async () => {
  const made = await learner({ renamed });
  const own: TrainingRow = { sample: waiting, policyWeight: 1, cloneWeight: 0 };
  await made.step([own]);
  const kept = letters(made);
  await made.step([imitated(waiting)]);
  expect(letters(made)).not.toEqual(kept);
});

test('leaves names of policy rows although the same screen is imitated', async () => {
  const made = await learner({ renamed });
  const own: TrainingRow = { sample: waiting, policyWeight: 1, cloneWeight: 0 };
  await made.step([own]);
  const kept = letters(made);
  await made.step([own, imitated(waiting)]);
  expect(letters(made).slice(0, kept.length)).toEqual(kept);
});
