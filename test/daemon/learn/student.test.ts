// The student, with an engine that only notes what it is fed: which steps it learns from, and how often.

import { describe, expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/contracts/ids.ts';
import { SUCCESS } from '../../../runtime/contracts/verdict.ts';
import { seeded } from '../../../runtime/contracts/world.ts';
import type { Lesson, PlayedGroup, ShelfName, Work } from '../../../runtime/daemon/learn/lesson.ts';
import { type Recipe, SCRATCH } from '../../../runtime/daemon/learn/recipe.ts';
import { Student } from '../../../runtime/daemon/learn/student.ts';
import { type Tensors, tensor } from '../../../runtime/graph/tensor.ts';
import { SLOTS } from '../../../runtime/policy/kinds.ts';
import { COMPACT } from '../../../runtime/policy/network.ts';
import type { Sample } from '../../../runtime/policy/sample.ts';
import { tokens } from '../../policy/screens.ts';

const SHAPE = { ...COMPACT, width: 16, blocks: 1, hidden: 16, letterWidth: 4 };
const WEIGHTS = tensor('float32', [1], new Float32Array(1));
const RECIPE: Recipe = { ...SCRATCH, renaming: 0, batch: 32, replay: 0, policyBatch: 1, policyRows: 100 };
const UPDATES = 100;

/** A student with what it fed to its updates; every look at its clock takes a millisecond. */
async function student(recipe: Partial<Recipe> = {}) {
  const updates: Tensors[] = [];
  const session = {
    run: async (feeds: Tensors) => {
      if (feeds['advantage'] !== undefined) updates.push(feeds);
      return {};
    },
    read: async () => ({ weights: WEIGHTS }),
    write: async () => undefined,
    close: async () => undefined,
  };
  let time = 0;
  const clock = { now: () => time++, sleep: async () => undefined };
  const made = await Student.open(
    { open: async () => session },
    SHAPE,
    { ...RECIPE, ...recipe },
    WEIGHTS,
    clock,
    seeded('student'),
  );
  return { made, updates };
}

const TOKENS = tokens('Wait.');
/** A step that is known again by its number. */
const step = (number: number): Sample => ({
  tokens: TOKENS,
  chosen: SLOTS.map(() => number),
  used: SLOTS.map(() => 1),
});
const rowsOf = ({ chosen }: Tensors): readonly number[] =>
  Array.from(chosen?.data ?? [], Number).filter((_, index) => index % SLOTS.length === 0);

const work = (given: Partial<Work>): Work => ({ lessons: [], groups: [], rates: {}, ...given });
const lesson = (shelf: ShelfName, kind: string, number: number): Lesson => ({
  shelf,
  kind,
  samples: [step(number)],
});

/** The share that each of some lessons has of all rows, numbered from 0. */
async function shares(given: Partial<Work>, recipe: Partial<Recipe> = {}): Promise<readonly number[]> {
  const { made, updates } = await student(recipe);
  made.take(work(given));
  expect(await made.learn(UPDATES, 0)).toBe(true);
  const rows = updates.flatMap(rowsOf);
  return (given.lessons ?? []).map((_, index) => rows.filter(each => each === index).length / rows.length);
}

function near(shares: readonly number[], wanted: readonly number[]): void {
  expect(shares).toHaveLength(wanted.length);
  for (const [index, share] of shares.entries())
    expect(Math.abs(share - (wanted[index] ?? Number.NaN)), `share ${index}: ${shares}`).toBeLessThan(0.03);
}

describe('what is imitated', () => {
  test('is nothing where there is nothing', async () => {
    const { made, updates } = await student();
    expect(await made.learn(UPDATES, 0)).toBe(false);
    expect(updates).toEqual([]);
  });

  test('is of each shelf as much as the recipe says', async () => {
    const lessons = [
      lesson('hindsight', 'mail-star', 0),
      lesson('successes', 'mail-star', 1),
      lesson('demonstrations', 'mail-star', 2),
    ];
    const wanted = { hindsight: 3, beside: 5, successes: 1, demonstrations: 0, grounding: 0 };
    near(await shares({ lessons }, { shares: wanted }), [3 / 4, 1 / 4, 0]);
  });

  test('is nothing where the recipe wants none of what there is', async () => {
    const { made } = await student({ shares: { ...SCRATCH.shares, demonstrations: 0 } });
    made.take(work({ lessons: [lesson('demonstrations', 'mail-star', 0)] }));
    expect(await made.learn(UPDATES, 0)).toBe(false);
  });

  test('is what fails five times as often as what always succeeds, and what nobody asks for', async () => {
    const lessons = ['mail-read-all', 'mail-star', 'mail-read'].map((kind, index) =>
      lesson('hindsight', kind, index),
    );
    near(await shares({ lessons, rates: { 'mail-read-all': 0, 'mail-star': 1 } }), [5 / 7, 1 / 7, 1 / 7]);
  });

  test('is as often as the worst of several tasks needs it that ask for the same', async () => {
    const lessons = ['files-delete', 'mail-star'].map((kind, index) => lesson('hindsight', kind, index));
    const rates = { 'files-delete-selected': 1, 'files-delete-by-size': 0.5, 'mail-star': 1 };
    near(await shares({ lessons, rates }), [3 / 4, 1 / 4]);
  });
});

/** Trajectories of one step each, with these rewards; their steps are numbered from `from` on. */
const group = (rewards: readonly number[], from = 0, instance = 0): PlayedGroup => ({
  task: taskId('mail-star'),
  seed: seed(instance),
  trajectories: rewards.map((reward, index) => ({ reward, samples: [step(from + index)] })),
});

describe('groups', () => {
  test('are learned from step by step, each once, in another order', async () => {
    const { made, updates } = await student();
    const rewards = Array.from({ length: 12 }, (_, index) => index % 2);
    made.take(work({ groups: [group(rewards)] }));
    await made.learn(1, 0);
    const rows = updates.flatMap(rowsOf);
    const inOrder = rewards.map((_, index) => index);
    expect([...rows].sort((a, b) => a - b)).toEqual(inOrder);
    expect(rows).not.toEqual(inOrder);
    const advantages = updates.flatMap(({ advantage }) => Array.from(advantage?.data ?? [], Number));
    for (const [at, row] of rows.entries()) expect(Math.sign(advantages[at] ?? 0)).toBe(row % 2 ? 1 : -1);
  });

  test('in which all came out alike are not learned from', async () => {
    const { made, updates } = await student();
    made.take(work({ groups: [group([0, 0], 0, 1), group([1, 1], 0, 2)] }));
    expect(await made.learn(1, 0)).toBe(false);
    expect(made.counts()).toMatchObject({ filtered: 2, trained: 0 });
    expect(updates).toEqual([]);
  });

  test.each([
    [SUCCESS, [0, 11]],
    [SUCCESS - 0.001, []],
  ])('that all fail, after one with a score of %d, learn from the steps %j', async (score, wanted) => {
    const { made, updates } = await student();
    made.take(work({ groups: [group([score, 0]), group([0, 0], 10), group([0, 0], 20, 1)] }));
    await made.learn(1, 0);
    expect(updates.flatMap(rowsOf).toSorted()).toEqual([0, 1]);
    const before = updates.length;
    await made.learn(1, 0);
    // The success takes the place of the oldest failure, on that instance and on no other.
    expect(updates.slice(before).flatMap(rowsOf).toSorted()).toEqual(wanted);
    expect(made.counts().injected).toBe(wanted.length > 0 ? 1 : 0);
  });

  test('wait, but no more than 48: the oldest are dropped', async () => {
    const { made } = await student();
    made.take(work({ groups: Array.from({ length: 50 }, () => group([1, 0])) }));
    expect(made.counts().dropped).toBe(2);
  });
});
