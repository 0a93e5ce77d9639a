// The trainer with its channels and an engine that records its feeds: batches, lessons and reports.

import { describe, expect, test } from 'vitest';
import { SLOTS } from '../../runtime/agents/compact/action-kinds.ts';
import { numbers } from '../agents/compact/running-policy.ts';
import { batch, batchOf, drawn, groupOf, lesson, numbersOf, type Ring, rest, ring, until } from './ring.ts';

const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const rising = (values: readonly number[]) => values.toSorted((a, b) => a - b);

describe('a batch', () => {
  test('trains once, in parts of equal size that fit an update', async () => {
    const made = await ring({ during: until(1), recipe: { highEntropy: false } });
    await made.fabric.batches.put(batch('b', 0, 20));
    await made.trainer.run(made.stop.signal);
    expect(rising(drawn(made.updates))).toEqual(range(20));
    expect(drawn(made.updates)).not.toEqual(range(20));
    // Each part trains in a shorter and a longer half, in random order.
    const halves = made.updates.map(each => numbersOf(each).length);
    expect(range(4).map(part => rising(halves.slice(2 * part, 2 * part + 2)))).toEqual(Array(4).fill([2, 3]));
    const orders = range(4).map(part => halves[2 * part]);
    expect(new Set(orders).size).toBe(2);
    const weights = made.updates.flatMap(each => numbers(each, 'policyWeight'));
    expect(weights).toEqual(range(20).map(() => Math.fround(1 / 5)));
  });

  test('weighs all its steps equally', async () => {
    for (const count of range(14, 1)) {
      const made = await ring({ during: until(1), recipe: { highEntropy: false } });
      await made.fabric.batches.put(batch('b', 0, count));
      await made.trainer.run(made.stop.signal);
      expect(drawn(made.updates).length).toBe(count);
      const weights = made.updates.flatMap(each => numbers(each, 'policyWeight'));
      expect(Math.min(...weights), `${count} steps`).toBeGreaterThanOrEqual(Math.max(...weights) / 2);
    }
  });

  test('trains in at least two parts with one π_old', async () => {
    const made = await ring({ during: until(1), recipe: { policyRows: 100 } });
    await made.fabric.batches.put(batch('b', 0, 8));
    await made.trainer.run(made.stop.signal);
    expect(made.updates).toHaveLength(4);
    for (const update of made.updates) expect(new Set(numbers(update, 'old'))).toEqual(new Set([-1]));
  });

  test('trains with its advantages and the recorded probabilities', async () => {
    const made = await ring({ during: until(3) });
    await made.fabric.batches.put(batch('recorded', 0, 2, -2));
    await made.fabric.batches.put(batch('shown', 2, 2));
    await made.trainer.run(made.stop.signal);
    const [kind = 0, pointer = 0] = [SLOTS.indexOf('kind'), SLOTS.indexOf('pointer')];
    for (const update of made.updates) {
      const [number = -1] = numbersOf(update);
      const rollout = numbers(update, 'rollout');
      expect([rollout[kind], rollout[pointer]]).toEqual(number < 2 ? [-2, -2] : [-1, -1]);
      expect(numbers(update, 'advantage')).toEqual([number % 2 === 0 ? 1 : -1]);
    }
    expect(drawn(made.updates).length).toBe(4);
  });

  test('leaves out the steps with the lowest entropy and stores the mask', async () => {
    const made = await ring({ during: until(1) });
    const groups = ['a', 'b'].map((name, index) => batch(name, 20 * index, 20).groups[0]?.steps ?? []);
    await made.fabric.batches.put(
      batchOf(
        'b',
        groups.map((steps, index) => groupOf(`g${index}`, steps)),
      ),
    );
    await made.trainer.run(made.stop.signal);
    expect(rising(drawn(made.updates))).toEqual([...range(16, 4), ...range(16, 24)]);
    expect(made.masks.map(({ batch: id, group }) => [id, group])).toEqual([
      ['b', 'g0'],
      ['b', 'g1'],
    ]);
    const [mask] = made.masks;
    expect(mask?.threshold).toBeCloseTo(0.04, 6);
    expect(mask?.steps.map(({ kept }) => kept)).toEqual(range(20).map(index => index >= 4));
    expect(mask?.steps[7]?.uncertainty).toBeCloseTo(0.07, 6);
    const trained = new Set(groups[0]?.map(({ trajectory }) => trajectory));
    expect(new Set(mask?.rollouts?.map(({ trajectory }) => trajectory))).toEqual(trained);
    expect(mask?.rollouts?.reduce((sum, { steps }) => sum + steps, 0)).toBe(20);
  });

  test('is acknowledged after its last update', async () => {
    const depths: unknown[] = [];
    const made = await ring({
      during: async (count, { fabric, stop }) => {
        depths.push(await fabric.batches.depth());
        if (count === 4) stop.abort();
      },
    });
    for (const name of ['first', 'second']) await made.fabric.batches.put(batch(name, 0, 4));
    await made.trainer.run(made.stop.signal);
    expect(depths).toEqual(range(4).map(() => ({ waiting: 1, taken: 1 })));
    expect(await made.fabric.batches.depth()).toEqual({ waiting: 1, taken: 0 });
  });

  test('is dropped without a policy loss, and lessons train', async () => {
    const made = await ring({ during: until(3), recipe: { policyWeight: 0 } });
    for (const name of ['first', 'second']) await made.fabric.batches.put(batch(name, 100, 4));
    await made.fabric.lessons.put(lesson(0));
    await made.trainer.run(made.stop.signal);
    expect(drawn(made.updates).every(number => number < 100)).toBe(true);
    expect(made.updates.flatMap(each => numbers(each, 'policyWeight')).every(weight => weight === 0)).toBe(
      true,
    );
    expect(await made.fabric.batches.depth()).toEqual({ waiting: 0, taken: 0 });
    expect(made.masks).toEqual([]);
  });

  test('is given back by a trainer that fails', async () => {
    const made = await ring({
      during: count => {
        if (count === 2) throw new Error('The engine broke.');
      },
    });
    await made.fabric.batches.put(batch('b', 0, 9));
    await expect(made.trainer.run(made.stop.signal)).rejects.toThrow('The engine broke.');
    expect(await made.fabric.batches.depth()).toEqual({ waiting: 1, taken: 0 });
    expect((await made.fabric.batches.taker().take()).attempt).toBe(2);
  });

  test('that trainers gave back untouched trains', async () => {
    const made = await ring({ during: until(1), recipe: { highEntropy: false } });
    const { batches } = made.fabric;
    await batches.put(batch('b', 0, 4));
    for (let life = 0; life < 2; life++) await (await batches.taker().take()).giveBack('untouched');
    await batches.put(batch('next', 10, 4));
    await made.trainer.run(made.stop.signal);
    expect(rising(drawn(made.updates))).toEqual(range(4));
  });

  test('in work at the stop signal is finished, published and checkpointed', async () => {
    const made = await ring({ during: until(1), recipe: { publishSeconds: 1000 } });
    await made.fabric.batches.put(batch('b', 0, 20));
    await made.trainer.run(made.stop.signal);
    expect(await made.fabric.batches.depth()).toEqual({ waiting: 0, taken: 0 });
    expect(made.versions.at(-1)).toMatchObject({ version: 6 });
    const again = await ring({ checkpoints: made.checkpoints, during: until(1) });
    again.stop.abort();
    await again.trainer.run(again.stop.signal);
    expect(again.versions.map(each => each.version)).toEqual([6]);
    expect(again.versions[0]?.blob).toEqual(made.versions.at(-1)?.blob);
    expect(again.means[0]).toEqual(made.means.at(-1));
  });
});

describe('lessons', () => {
  test('train without a batch and beside one', async () => {
    const made = await ring({
      during: async (count, { fabric, stop }) => {
        if (count === 4) await fabric.batches.put(batch('b', 10, 6));
        if (count === 8) stop.abort();
      },
    });
    await made.fabric.lessons.put(lesson(0));
    await made.trainer.run(made.stop.signal);
    expect(await made.fabric.lessons.depth()).toEqual({ waiting: 0, taken: 0 });
    expect(made.updates.slice(0, 4).map(each => numbersOf(each).length)).toEqual([4, 4, 4, 4]);
    const cloned = made.updates.slice(0, 4).flatMap(each => numbers(each, 'cloneWeight'));
    expect(cloned).toEqual(cloned.map(() => 1 / 8));
    // Two parts of three rows, each beside four that are imitated.
    const beside = made.updates.slice(4, 8);
    const sizes = beside.map(each => numbersOf(each).length);
    expect([rising(sizes.slice(0, 2)), rising(sizes.slice(2))]).toEqual([
      [3, 4],
      [3, 4],
    ]);
    expect(drawn(beside).filter(number => number === 0)).toHaveLength(8);
    expect(rising(drawn(beside).filter(number => number > 0))).toEqual(range(6, 10));
  });

  test('train alone within the budget of their sort; then the trainer waits for the next', async () => {
    const passes = { hindsight: 6, beside: 0, successes: 0, demonstrations: 0, grounding: 0 };
    const made = await ring({ recipe: { passes }, during: until(8) });
    // 24 rows of updates of 8 rows, each in two halves.
    for (const number of range(4)) await made.fabric.lessons.put(lesson(number));
    const running = made.trainer.run(made.stop.signal);
    await rest();
    expect(made.updates).toHaveLength(6);
    expect(made.events.at(-1)).toMatchObject({ kind: 'waiting' });
    // Beside groups they are shown all the same.
    await made.fabric.batches.put(batch('b', 10, 6));
    await running;
    expect(made.updates.slice(6, 8).map(each => numbersOf(each).length)).toEqual([4, 3]);
  });

  test('do not train where imitation has no weight, since momentum alone would move the weights', async () => {
    const made = await ring({ during: until(2), recipe: { cloneWeight: 0, highEntropy: false } });
    await made.fabric.lessons.put(lesson(30));
    const training = made.trainer.run(made.stop.signal);
    await rest();
    expect(made.updates).toEqual([]);
    await made.fabric.batches.put(batch('b', 0, 2));
    await training;
    expect(rising(drawn(made.updates))).toEqual([0, 1]);
  });

  test('that exceed a run make more than two optimiser steps, each row in one of them', async () => {
    const made = await ring({ recipe: { batch: 600 }, during: until(1) });
    await made.fabric.lessons.put(lesson(3));
    await made.trainer.run(made.stop.signal);
    const sizes = made.updates.map(({ words }) => words?.dims ?? []);
    for (const [rows = 0, longest = 0] of sizes)
      expect(rows * longest ** 2).toBeLessThanOrEqual(32 * 104 ** 2);
    expect(sizes.length).toBeGreaterThan(2);
    expect(drawn(made.updates)).toEqual(Array<number>(600).fill(3));
  });

  test('that arrive during an update are added, and weighted kinds are drawn more often', async () => {
    const made = await ring({
      during: async (count, { fabric, stop }) => {
        if (count === 2) {
          await fabric.lessons.put(lesson(1));
          await fabric.needs.set({ 'kind 0': 0 });
        }
        if (count === 10) stop.abort();
      },
    });
    await made.fabric.lessons.put(lesson(0));
    await made.trainer.run(made.stop.signal);
    expect(new Set(drawn(made.updates.slice(0, 2)))).toEqual(new Set([0]));
    expect(new Set(drawn(made.updates.slice(6)))).toEqual(new Set([1]));
  });
});

describe('unreadable input is reported and skipped once:', () => {
  const NO_CHOICE = { kind: 'heads' as const, decisions: [] };
  const otherEncoding = { encoding: 'other', bytes: new Uint8Array(9) };
  const told = ({ events }: Ring) => events.flatMap(each => (each.kind === 'health' ? [each.thing] : []));

  test('a batch', async () => {
    const made = await ring({ during: until(1) });
    const [first, ...others] = batch('b', 0, 4).groups[0]?.steps ?? [];
    if (first === undefined) throw new Error('There are four.');
    const steps = [...others, { ...first, observation: otherEncoding }];
    await made.fabric.batches.put(batchOf('spoilt', [groupOf('g', steps)]));
    await made.fabric.batches.put(batch('whole', 10, 4));
    await made.trainer.run(made.stop.signal);
    expect(rising(drawn(made.updates))).toEqual(range(4, 10));
    expect(told(made)).toEqual(['batch spoilt']);
    expect(await made.fabric.batches.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('a batch that ended trainers before', async () => {
    const made = await ring({ during: until(1) });
    await made.fabric.batches.put(batch('harmful', 0, 4));
    for (let life = 0; life < 2; life++) await (await made.fabric.batches.taker().take()).giveBack();
    await made.fabric.batches.put(batch('whole', 10, 4));
    await made.trainer.run(made.stop.signal);
    expect(rising(drawn(made.updates))).toEqual(range(4, 10));
    expect(told(made)).toEqual(['batch harmful']);
    expect(await made.fabric.batches.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('steps of a lesson, while the others train', async () => {
    const made = await ring({ during: until(6), recipe: { batch: 1 } });
    const unreadable = range(9).map(() => ({ observation: otherEncoding, choice: NO_CHOICE }));
    await made.fabric.lessons.put({ ...lesson(5), steps: [...unreadable, ...lesson(5).steps] });
    await made.trainer.run(made.stop.signal);
    expect(drawn(made.updates)).toEqual(range(6).map(() => 5));
    expect(new Set(told(made))).toEqual(new Set(["lesson of hindsight 'kind 5'"]));
    expect(made.events.filter(({ kind }) => kind === 'waiting')).toEqual([]);
  });

  test('a lesson without a readable step; then the trainer waits', async () => {
    const made = await ring({ during: until(2) });
    await made.fabric.lessons.put({
      ...lesson(5),
      steps: [{ observation: otherEncoding, choice: NO_CHOICE }],
    });
    const running = made.trainer.run(made.stop.signal);
    await rest();
    expect(new Set(told(made))).toEqual(new Set(["lesson of hindsight 'kind 5'"]));
    expect(made.events.at(-1)).toMatchObject({
      kind: 'waiting',
      reason: expect.stringContaining('a lesson'),
    });
    await made.fabric.lessons.put(lesson(6));
    await running;
    expect(new Set(drawn(made.updates))).toEqual(new Set([6]));
  });
});

test('messages get through between updates', async () => {
  let messages = 0;
  const made = await ring({ during: until(40) });
  await made.fabric.lessons.put(lesson(0));
  const running = made.trainer.run(made.stop.signal);
  const listening = new Promise<void>(resolve => {
    const next = () => {
      messages += 1;
      if (made.stop.signal.aborted) resolve();
      else setImmediate(next);
    };
    setImmediate(next);
  });
  await Promise.all([running, listening]);
  expect(messages).toBeGreaterThan(15);
});

test('an engine that cannot open rejects', async () => {
  const open = async () => Promise.reject(new Error('There is no memory left.'));
  await expect(ring({ engine: { open } })).rejects.toThrow('There is no memory left.');
});
