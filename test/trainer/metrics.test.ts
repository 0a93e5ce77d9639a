// What the trainer lets others have and know: versions of its weights, figures, and what it waits for.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { OBJECTIVE } from '../../runtime/agents/compact/objective.ts';
import { runId, version } from '../../runtime/core/ids.ts';
import { LESSON_SORTS } from '../../runtime/core/lesson.ts';
import type { Weights } from '../../runtime/core/policy.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { floats } from '../agents/compact/running-policy.ts';
import { PATIENCE } from '../patience.ts';
import { batch, batchOf, lesson, type Ring, rest, ring, UPDATE, until } from './ring.ts';

const first = ({ blob }: Weights) => new Float32Array(blob.slice().buffer)[0] ?? Number.NaN;
const firstWeight = ({ versions }: Ring) => versions.map(first);
const firstMean = ({ means }: Ring) => means.map(first);

describe('versions of the weights', () => {
  test('are optimiser steps, published at the interval of the recipe', async () => {
    const made = await ring({ during: until(12), recipe: { publishSeconds: (6 * UPDATE) / 1000 } });
    await made.fabric.lessons.put(lesson(0));
    await made.trainer.run(made.stop.signal);
    expect(made.versions.map(each => each.version)).toEqual([0, 6, 12]);
    expect(firstWeight(made)).toEqual([0, 6, 12]);
  });

  test('carry the mean of the last seconds', async () => {
    const made = await ring({ during: until(40), recipe: { publishSeconds: 0 } });
    await made.fabric.lessons.put(lesson(0));
    await made.trainer.run(made.stop.signal);
    const [weights, means] = [firstWeight(made), firstMean(made)];
    expect(made.means.map(each => each.version)).toEqual(made.versions.map(each => each.version));
    expect(means[0]).toBe(0);
    for (const [index, mean] of means.entries()) {
      if (index === 0) continue;
      expect(mean).toBeGreaterThan(means[index - 1] ?? Number.NaN);
      expect(mean).toBeLessThan(weights[index] ?? Number.NaN);
    }
  });

  test('are published at the same interval while the trainer waits', async () => {
    const clock = new VirtualClock();
    const made = await ring({ clock, recipe: { publishSeconds: 5 } });
    const running = made.trainer.run(made.stop.signal);
    await rest();
    for (const [at, weights] of [
      [4000, [0]],
      [6000, [0, 8]],
      [9000, [0, 8]],
      [30_000, [0, 8, 16]],
    ] as const) {
      await made.fabric.batches.put(batch(`b${at}`, 0, 4));
      await rest();
      await clock.run(at);
      expect(firstWeight(made)).toEqual(weights);
    }
    made.stop.abort();
    await running;
  });

  test('are published at once on a pause, after the batch in work; the others wait for its end', async () => {
    const made = await ring({
      recipe: { publishSeconds: 1000 },
      during: async (count, { fabric }) => {
        if (count === 1) await fabric.commands.append({ kind: 'pause', run: runId('r') });
      },
    });
    for (const name of ['in-work', 'waiting', 'also-waiting'])
      await made.fabric.batches.put(batch(name, 0, 4));
    const running = made.trainer.run(made.stop.signal);
    await rest();
    expect(firstWeight(made)).toEqual([0, 4]);
    expect((await made.fabric.batches.depth()).waiting).toBe(2);
    await made.fabric.commands.append({ kind: 'resume', run: runId('r') });
    await vi.waitUntil(async () => (await made.fabric.batches.depth()).waiting === 0, PATIENCE);
    made.stop.abort();
    await running;
    expect(firstWeight(made).at(-1)).toBe(12);
  });

  test('continue above those of a failed trainer', async () => {
    const fabric = embeddedFabric();
    await fabric.weights.set({ version: version(7), blob: new Uint8Array(8) });
    const made = await ring({ fabric, during: until(2), recipe: { publishSeconds: 0 } });
    await fabric.lessons.put(lesson(0));
    await made.trainer.run(made.stop.signal);
    expect(made.versions.map(each => each.version)).toEqual([8, 10]);
  });
});

describe('checkpoints', () => {
  test('are written at the interval of the recipe, only between batches', async () => {
    const kept: number[] = [];
    const made = await ring({
      recipe: { publishSeconds: 1000, checkpointSeconds: (4 * UPDATE) / 1000 },
      during: async (count, { fabric, versions, stop }) => {
        kept.push(versions.length - 1);
        if (count === 3) await fabric.batches.put(batch('b', 0, 20));
        if (count === 18) stop.abort();
      },
    });
    await made.fabric.lessons.put(lesson(0));
    await made.trainer.run(made.stop.signal);
    // After the 4th update; after the 6 of the batch; after each 4 more.
    expect(kept).toEqual([4, 6, 4, 4].flatMap((count, before) => Array<number>(count).fill(before)));
    expect(firstWeight(made)).toEqual([0, 4, 10, 14, 18]);
    expect(made.versions.map(each => each.version)).toEqual([0, 4, 10, 14, 18]);
  });
});

test('a skipped checkpoint is reported, and versions continue above it', async () => {
  const made = await ring({ during: until(8), recipe: { checkpointSeconds: (4 * UPDATE) / 1000 } });
  await made.fabric.lessons.put(lesson(0));
  await made.trainer.run(made.stop.signal);
  expect(made.versions.map(each => each.version)).toEqual([0, 4, 8]);
  const newest = join(made.checkpoints, 'checkpoint-8.safetensors');
  await writeFile(newest, 'harmed');
  const again = await ring({ checkpoints: made.checkpoints });
  again.stop.abort();
  await again.trainer.run(again.stop.signal);
  expect(again.events).toMatchObject([{ kind: 'health', thing: newest, healthy: false }]);
  expect(again.versions.map(each => each.version)).toEqual([9]);
  expect(firstWeight(again)).toEqual([4]);
});

const waits = ({ events }: Ring) =>
  events.flatMap(each => (each.kind === 'waiting' ? [[each.at, each.reason, each.since]] : []));
const figures = ({ events }: Ring, name: string) =>
  events.flatMap(each => (each.kind === 'metric' && each.name === name ? [each.value] : []));

describe('without anything to train on', () => {
  test('the trainer reports what it waits for and since when', async () => {
    const clock = new VirtualClock(2000);
    const made = await ring({ clock, during: until(1) });
    const running = made.trainer.run(made.stop.signal);
    await rest();
    await clock.run(25_000);
    expect(waits(made)).toEqual([2000, 12_000, 22_000].map(at => [at, 'a batch or a lesson', 2000]));
    expect(figures(made, 'trainer/idle_ratio')).toEqual([1, 1]);
    expect(made.updates).toEqual([]);
    await made.fabric.batches.put(batch('b', 0, 4));
    await running;
    expect(waits(made).slice(3)).toEqual([[25_000, undefined, 25_000]]);
    expect(made.updates).toHaveLength(4);
    expect(figures(made, 'time/wait_for_batch')).toEqual([23]);
  });

  test('the wait for the end of a pause begins with the pause', async () => {
    const clock = new VirtualClock(2000);
    const made = await ring({ clock });
    const running = made.trainer.run(made.stop.signal);
    await rest();
    await clock.run(15_000);
    await made.fabric.commands.append({ kind: 'pause', run: runId('r') });
    await clock.run(26_000);
    expect(waits(made).slice(2)).toEqual([
      [15_000, 'to be resumed', 15_000],
      [25_000, 'to be resumed', 15_000],
    ]);
    made.stop.abort();
    await running;
  });

  test('a lesson ends the wait', async () => {
    const made = await ring({ during: until(2) });
    const running = made.trainer.run(made.stop.signal);
    await rest();
    await made.fabric.lessons.put(lesson(0));
    await running;
    expect(made.updates).toHaveLength(2);
  });

  test('it stops on the signal and takes nothing after it', async () => {
    const made = await ring();
    const running = made.trainer.run(made.stop.signal);
    await rest();
    made.stop.abort();
    await running;
    await made.fabric.batches.put(batch('b', 0, 4));
    await made.fabric.lessons.put(lesson(0));
    await rest();
    expect(await made.fabric.batches.depth()).toEqual({ waiting: 1, taken: 0 });
    expect(await made.fabric.lessons.depth()).toEqual({ waiting: 1, taken: 0 });
  });
});

test('metrics have the names of the field', async () => {
  const made = await ring({ during: until(1) });
  await made.fabric.batches.put(batch('b', 0, 20, -1.5));
  await made.trainer.run(made.stop.signal);
  const near = (name: string, value: number) => {
    expect(figures(made, name), name).toHaveLength(1);
    expect(figures(made, name)[0], name).toBeCloseTo(value, 5);
  };
  near('actor/entropy', 0.095);
  near('data/kept_steps', 0.8);
  near('data/kept_steps/click', 0.8);
  // 5, 5 and 6 rows, each half with the share of its rows.
  near('actor/ppo_kl', (0.05 + 0.05 + 0.06) / 3);
  near('actor/pg_clipfrac', (0.05 + 0.05 + 0.06) / 3);
  near('actor/grad_norm', 2);
  near('off_policy/weight', 1);
  near('mismatch_kl', Math.exp(0.5) - 0.5 - 1);
  near('trainer/idle_ratio', 0);
  near('time/wait_for_batch', 0);
  near('trainer/updates', 6);
  expect(figures(made, 'data/kept_steps/type')).toEqual([]);
});

test('the rows of each sort of lesson are a metric', async () => {
  const made = await ring({ during: until(6) });
  await made.fabric.lessons.put(lesson(0));
  await made.trainer.run(made.stop.signal);
  const { sort } = lesson(0);
  const told = LESSON_SORTS.map(each => [each, figures(made, `imitated/${each}`).at(-1) ?? 0] as const);
  expect(told.filter(([, rows]) => rows > 0).map(([each]) => each)).toEqual([sort]);
});

test('the share of transferred demonstrations by people in the lessons is a metric', async () => {
  const made = await ring({ during: until(6) });
  const shown = { ...lesson(0, 'task', 'demonstrations'), transferredFrom: 'person' as const };
  await made.fabric.lessons.put(shown);
  await made.trainer.run(made.stop.signal);
  expect(figures(made, 'data/person_transfer_share').at(-1)).toBe(1);
});

test('other lessons are none of these', async () => {
  const made = await ring({ during: until(6) });
  await made.fabric.lessons.put({
    ...lesson(0, 'task', 'demonstrations'),
    transferredFrom: 'script' as const,
  });
  await made.fabric.lessons.put(lesson(1));
  await made.trainer.run(made.stop.signal);
  expect(figures(made, 'data/person_transfer_share').at(-1)).toBe(0);
});

test.each([
  [
    'with alignment half of the weight is left where a choice has become half as likely',
    OBJECTIVE.truncation,
    0.5,
  ],
  ['without it all of it is left, and nobody is fed what rollouts recorded', 0, 1],
])('%s', async (_, truncation, weight) => {
  const made = await ring({ during: until(1), recipe: { objective: { ...OBJECTIVE, truncation } } });
  await made.fabric.batches.put(batch('b', 0, 20, Math.log(2) - 1));
  await made.trainer.run(made.stop.signal);
  expect(figures(made, 'off_policy/weight')[0]).toBeCloseTo(weight, 5);
  for (const fed of made.updates) expect('rollout' in fed).toBe(truncation > 0);
});

test('a rejected update is reported once, and so is the next success', async () => {
  const refusing = await ring({
    during: until(8),
    instead: count => (count > 2 && count < 7 ? { applied: floats([0]) } : {}),
  });
  await refusing.fabric.lessons.put(lesson(0));
  await refusing.trainer.run(refusing.stop.signal);
  const health = refusing.events.flatMap(each =>
    each.kind === 'health' ? [[each.thing, each.healthy]] : [],
  );
  expect(health).toEqual([
    ['updates', false],
    ['updates', true],
  ]);
});

test('staleness counts when a batch trains', async () => {
  const fabric = embeddedFabric();
  await fabric.weights.set({ version: version(7), blob: new Uint8Array(8) });
  const made = await ring({ fabric, during: until(1) });
  await fabric.batches.put(batchOf('b', batch('b', 0, 4).groups, [5, 8, 7]));
  await made.trainer.run(made.stop.signal);
  expect(made.versions[0]?.version).toBe(8);
  expect(figures(made, 'off_policy/max')).toEqual([3]);
  expect(figures(made, 'off_policy/mean')[0]).toBeCloseTo(4 / 3, 6);
});
