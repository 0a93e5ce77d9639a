// The learner: what it says of choices, and how its weights come to differ.

import { expect, onTestFinished, test } from 'vitest';
import { choicesFor } from '../../runtime/agent/act.ts';
import { KINDS, SLOTS } from '../../runtime/agent/kinds.ts';
import { OBJECTIVE } from '../../runtime/agent/objective.ts';
import { renaming } from '../../runtime/agent/renaming.ts';
import { type Sample, sampleOf } from '../../runtime/agent/sample.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { WEIGHTS } from '../../runtime/graph/layout.ts';
import type { Program } from '../../runtime/graph/program.ts';
import type { Session } from '../../runtime/graph/session.ts';
import type { Tensor, Tensors } from '../../runtime/graph/tensor.ts';
import { Learner, type LearnerOptions, type Row } from '../../runtime/trainer/learner.ts';
import { numbers, open, SHAPE, weightsOf } from '../agent/running.ts';
import { element, tokens } from '../agent/screens.ts';

const START = weightsOf('learner');
const OPTIONS: LearnerOptions = {
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
async function learner(options: Partial<LearnerOptions> = {}): Promise<Learner & Fed> {
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
  const made = await Learner.open(
    engine,
    { ...OPTIONS, ...options },
    START.data as Float32Array<ArrayBuffer>,
  );
  onTestFinished(() => made.close());
  return Object.assign(made, { feeds });
}

const weightsNow = async (made: Learner): Promise<Tensor> => (await made.state())[WEIGHTS] as Tensor;
const imitated = (sample: Sample): Row => ({ sample, policyWeight: 0, cloneWeight: 0.2 });

/** The logarithm of the probability of all that was chosen. */
async function likely(made: Learner, samples: readonly Sample[]): Promise<readonly number[]> {
  const assessed = await made.assess(samples, await weightsNow(made));
  return assessed.map(({ logProbabilities }, index) =>
    logProbabilities.reduce((sum, each, slot) => sum + each * (samples[index]?.used[slot] ?? 0), 0),
  );
}

test('assesses each sample alike, however many are assessed at once', async () => {
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

test('assesses under the weights that it is given, whatever it has learned since', async () => {
  const made = await learner();
  const before = await made.assess(SAMPLES, START);
  await made.learn(SAMPLES.map(imitated));
  expect(await made.assess(SAMPLES, START)).toEqual(before);
  expect(await made.assess(SAMPLES, await weightsNow(made))).not.toEqual(before);
});

test('comes to do what it imitates', async () => {
  const made = await learner();
  const before = await likely(made, SAMPLES);
  const losses: number[] = [];
  for (let step = 0; step < 25; step++) losses.push((await made.learn(SAMPLES.map(imitated))).cloneLoss);
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

test('is as surprised by each row as all that was chosen in it was unlikely, in the order of rows', async () => {
  const made = await learner();
  const samples = [...SAMPLES, ...VARIED];
  expect(new Set(VARIED.map(({ used }) => used.join())).size).toBe(5);
  const expected = (await likely(made, samples)).map(each => -each);
  const { surprises } = await made.learn(samples.map(imitated));
  expect(surprises).toHaveLength(samples.length);
  for (const [index, surprise] of surprises.entries()) expect(surprise).toBeCloseTo(expected[index] ?? 0, 3);
  expect(new Set(surprises.map(each => each.toFixed(2))).size).toBeGreaterThan(6);
});

test('is less surprised by what it has learned', async () => {
  const made = await learner();
  const rows = VARIED.map(imitated);
  const { surprises: before } = await made.learn(rows);
  for (let step = 0; step < 20; step++) await made.learn(rows);
  const { surprises: after } = await made.learn(rows);
  for (const [index, surprise] of after.entries()) {
    expect(surprise).toBeGreaterThan(0);
    expect(surprise).toBeLessThan(before[index] ?? 0);
  }
});

test('is surprised alike by a row that teaches nothing, and not at all by one that decided nothing', async () => {
  const made = await learner();
  const [sample = waiting] = VARIED;
  const [expected = 0] = await likely(made, [sample]);
  const none = { ...sample, used: SLOTS.map(() => 0) };
  const rows = [none, sample].map(each => ({ ...imitated(each), cloneWeight: 0 }));
  const { surprises } = await made.learn(rows);
  expect(Math.abs(surprises[0] ?? Number.NaN)).toBe(0);
  expect(surprises[1]).toBeCloseTo(-expected, 3);
});

test('does what was better than its group more often, and what was worse less often', async () => {
  const made = await learner();
  const [better, worse] = [SAMPLES[0] as Sample, SAMPLES[2] as Sample];
  const samples = [better, worse];
  const before = await likely(made, samples);
  const assessed = await made.assess(samples, START);
  const rows = samples.map((sample, index) => ({
    ...{ sample, policyWeight: 0.5, cloneWeight: 0, advantage: index === 0 ? 1 : -1 },
    old: assessed[index]?.logProbabilities ?? [],
  }));
  const first = await made.learn(rows);
  for (let step = 0; step < 4; step++) await made.learn(rows);
  const after = await likely(made, samples);
  // They share weights, and both may move the same way: the one that was better moves further up.
  const [gained = 0, lost = 0] = after.map((now, index) => now - (before[index] ?? 0));
  expect(gained).toBeGreaterThan(lost + 0.01);
  expect(lost).toBeLessThan(0);
  // Before the first update nothing is stale, and nothing is clipped.
  expect(first).toMatchObject({ applied: true, clipped: 0, cloneLoss: 0 });
  expect(Math.abs(first.kl)).toBeLessThan(1e-5);
});

test('takes its own probabilities for those of a rollout that recorded none', async () => {
  const made = await learner();
  const sample = SAMPLES[1] as Sample;
  const [assessed] = await made.assess([sample], START);
  const old = assessed?.logProbabilities ?? [];
  const recorded = old.map(log => log - 1);
  const row = { policyWeight: 1, cloneWeight: 0, advantage: 1, old };
  await made.learn([
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

test('has no use for the reference where nothing holds it there, and is fed it where something does', async () => {
  const bound = await learner({ objective: { ...OBJECTIVE, divergence: 0.1 } });
  const reference = SLOTS.map((_, slot) => -1 - slot);
  await bound.learn([{ ...imitated(SAMPLES[0] as Sample), reference }]);
  expect(numbers(bound.feeds.at(-1) ?? {}, 'reference')).toEqual(reference);
  const free = await learner();
  await free.learn([imitated(SAMPLES[0] as Sample)]);
  expect(free.feeds.at(-1)).not.toHaveProperty('reference');
});

test('refuses a step that is no number, and stays as it was', async () => {
  const made = await learner();
  const before = numbers(await made.state(), WEIGHTS);
  const broken = { ...imitated(SAMPLES[0] as Sample), policyWeight: 1, advantage: Number.NaN };
  expect(await made.learn([broken])).toMatchObject({ applied: false });
  expect(numbers(await made.state(), WEIGHTS)).toEqual(before);
  expect(await made.learn(SAMPLES.map(imitated))).toMatchObject({ applied: true });
});

test('learns the same from the same rows, bit for bit', async () => {
  const learned = async () => {
    const made = await learner();
    for (let step = 0; step < 3; step++) await made.learn(SAMPLES.map(imitated));
    return numbers(await made.state(), WEIGHTS);
  };
  expect(await learned()).toEqual(await learned());
});

const letters = (made: Fed) => numbers(made.feeds.at(-1) ?? {}, 'letters');
const renamed = renaming(seeded('learner'), 1);
const waiting = sampleOf(SAMPLES[0]?.tokens ?? tokens(''), { kind: KINDS.indexOf('wait') });

test('gives other names to what is only imitated, and leaves those of the policy’s own steps', async () => {
  const made = await learner({ renamed });
  const own: Row = { sample: waiting, policyWeight: 1, cloneWeight: 0 };
  await made.learn([own]);
  const kept = letters(made);
  await made.learn([imitated(waiting)]);
  expect(letters(made)).not.toEqual(kept);
});

test('leaves them though the same screen is imitated in the same batch', async () => {
  const made = await learner({ renamed });
  const own: Row = { sample: waiting, policyWeight: 1, cloneWeight: 0 };
  await made.learn([own]);
  const kept = letters(made);
  await made.learn([own, imitated(waiting)]);
  expect(letters(made).slice(0, kept.length)).toEqual(kept);
});
