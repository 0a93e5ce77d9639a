// The trainer across stops: checkpoints, published versions, a full disk, and the learning rate.

import { mkdir, rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../runtime/core/disk.ts';
import { runId, version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { DurableFolder } from '../../runtime/data/files/durable.ts';
import { ChannelClosed } from '../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { restartFrom } from '../../runtime/trainer/checkpoint.ts';
import { CheckpointFolder } from '../../runtime/trainer/checkpoint-folder.ts';
import { numbers } from '../agents/compact/running-policy.ts';
import { batch, drawn, folder, lesson, type Ring, rest, ring, UPDATE, until } from './ring.ts';

describe('a version names the same weights for ever', () => {
  const begun = async (asked: Parameters<typeof ring>[0]) => {
    const made = await ring(asked);
    made.stop.abort();
    await made.trainer.run(made.stop.signal);
    return made.versions.map(each => each.version);
  };

  test('a resumed trainer skips the versions that the files of the run name', async () => {
    expect(await begun({ usedVersion: version(7) })).toEqual([8]);
    expect(await begun({ usedVersion: version(0) })).toEqual([0]);
  });

  test('a trainer skips a version of which the last one published only the mean', async () => {
    const fabric = embeddedFabric();
    await fabric.weights.set({ version: version(2), blob: new Uint8Array() });
    await fabric.averaged.set({ version: version(3), blob: new Uint8Array() });
    expect(await begun({ fabric })).toEqual([4]);
  });
});

test('a checkpoint that counted published versions continues at its optimiser steps', async () => {
  const made = await ring({ during: until(20), recipe: { publishSeconds: 1000 } });
  await made.fabric.lessons.put(lesson(0));
  await made.trainer.run(made.stop.signal);
  const found = await new CheckpointFolder(made.checkpoints).newest();
  if (found === undefined) throw new Error('There is no checkpoint.');
  await rm(made.checkpoints, { recursive: true });
  const files = new DurableFolder(made.checkpoints);
  await mkdir(made.checkpoints);
  await new CheckpointFolder(made.checkpoints).write({ ...found.checkpoint, version: version(3) }, files);
  const again = await ring({ checkpoints: made.checkpoints, during: until(1) });
  again.stop.abort();
  await again.trainer.run(again.stop.signal);
  expect(again.versions.map(each => each.version)).toEqual([20]);
});

describe('on a full disk', () => {
  const full = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  const told = ({ events }: Ring) =>
    events.flatMap(each => (each.kind === 'health' ? [`${each.thing}: ${each.message}`] : []));

  test('training continues, the next checkpoint is tried when due, and both are reported once', async () => {
    const written: string[] = [];
    let isFull = true;
    const made = await ring({
      recipe: { checkpointSeconds: (4 * UPDATE) / 1000 },
      files: { write: async name => (isFull ? full() : void written.push(name)) },
      during: (count, { stop }) => {
        if (count === 10) isFull = false;
        if (count === 16) stop.abort();
      },
    });
    await made.fabric.lessons.put(lesson(0));
    await mkdir(made.checkpoints, { recursive: true });
    await made.trainer.run(made.stop.signal);
    expect(told(made)).toEqual([
      'checkpoints: Writing failed: ENOSPC: no space left on device. Training continues, and the next write is tried as usual.',
      'checkpoints: Writing works again.',
    ]);
    // Tried after 4 and 8 updates, written after 12 and 16. Each attempt published its weights.
    expect(written).toEqual(['checkpoint-12.safetensors', 'checkpoint-16.safetensors']);
    expect(made.versions.map(each => each.version)).toEqual([0, 4, 8, 12, 16]);
  });

  test('a failing last checkpoint is an error', async () => {
    const made = await ring({ during: until(2), files: { write: full } });
    await made.fabric.lessons.put(lesson(0));
    await expect(made.trainer.run(made.stop.signal)).rejects.toThrow('ENOSPC');
  });

  test('a batch trains although its masks are not stored', async () => {
    const made = await ring({ during: until(1), keep: full });
    for (const name of ['first', 'second']) await made.fabric.batches.put(batch(name, 0, 20));
    await made.trainer.run(made.stop.signal);
    expect(drawn(made.updates).length).toBe(16);
    expect(told(made)).toEqual([expect.stringContaining('masks: Writing failed: ENOSPC')]);
  });
});

describe('a checkpoint is written without the next batch', () => {
  test('on time while the trainer waits, and once', async () => {
    const clock = new VirtualClock();
    const written: string[] = [];
    const made = await ring({
      clock,
      recipe: { publishSeconds: 5, checkpointSeconds: 60 },
      files: { write: async name => void written.push(name) },
    });
    await mkdir(made.checkpoints, { recursive: true });
    await made.fabric.batches.put(batch('b', 0, 4));
    const running = made.trainer.run(made.stop.signal);
    await rest();
    await clock.run(59_000);
    await rest();
    expect(written).toEqual([]);
    await clock.run(300_000);
    await rest();
    expect(written).toEqual(['checkpoint-4.safetensors']);
    expect(made.versions.map(each => each.version)).toEqual([0, 4]);
    made.stop.abort();
    await running;
  });

  test('at once on a pause that begins while the trainer waits', async () => {
    const written: string[] = [];
    const made = await ring({
      recipe: { publishSeconds: 1000 },
      files: { write: async name => void written.push(name) },
    });
    await mkdir(made.checkpoints, { recursive: true });
    await made.fabric.batches.put(batch('b', 0, 4));
    const running = made.trainer.run(made.stop.signal);
    await rest();
    expect(written).toEqual([]);
    await made.fabric.commands.append({ kind: 'pause', run: runId('r') });
    await rest();
    expect(written).toEqual(['checkpoint-4.safetensors']);
    expect(made.versions.map(each => each.version)).toEqual([0, 4]);
    made.stop.abort();
    await running;
  });

  test('at once on a pause, where a failed attempt is not repeated', async () => {
    const tried: string[] = [];
    const made = await ring({
      recipe: { publishSeconds: 1000 },
      files: {
        write: async name => {
          tried.push(name);
          throw new Error('ENOSPC: no space left on device');
        },
      },
      during: async (count, { fabric }) => {
        if (count === 1) await fabric.commands.append({ kind: 'pause', run: runId('r') });
      },
    });
    await made.fabric.batches.put(batch('b', 0, 4));
    const running = made.trainer.run(made.stop.signal);
    await rest();
    expect(tried).toEqual(['checkpoint-4.safetensors']);
    expect(made.versions.map(each => each.version)).toEqual([0, 4]);
    made.stop.abort();
    await expect(running).rejects.toThrow('ENOSPC');
  });
});

test('an earlier checkpoint that cannot be deleted is reported, and is no error', async () => {
  const remove = () => Promise.reject(new Error('EPERM: operation not permitted'));
  const made = await ring({
    recipe: { checkpointSeconds: 0 },
    during: until(12),
    disk: { ...nodeDisk, remove },
  });
  await made.fabric.lessons.put(lesson(0));
  await made.trainer.run(made.stop.signal);
  const message = expect.stringMatching(/Deleting '.*checkpoint-\d+\.safetensors' failed: EPERM/);
  expect(made.events).toContainEqual(
    expect.objectContaining({ kind: 'health', thing: 'earlier checkpoints', message }),
  );
});

describe('the learning rate', () => {
  const rates = ({ updates }: Ring) => updates.map(each => numbers(each, 'rate')[0] ?? Number.NaN);

  test('decays with the training time, across a stop', async () => {
    const seconds = (4 * UPDATE) / 1000;
    const first = await ring({ during: until(2), recipe: { seconds, cooling: 0 } });
    await first.fabric.lessons.put(lesson(0));
    await first.trainer.run(first.stop.signal);
    expect(rates(first)).toEqual([1, 1]);
    const again = await ring({
      checkpoints: first.checkpoints,
      during: until(4),
      recipe: { seconds, cooling: 0 },
    });
    await again.fabric.lessons.put(lesson(0));
    await again.trainer.run(again.stop.signal);
    const [half, , none] = rates(again);
    expect(half).toBeCloseTo(0.5, 6);
    expect(none).toBeCloseTo(0, 6);
  });

  test('warms up once, across a stop', async () => {
    const recipe = { warmupUpdates: 4, cooling: 1 };
    const first = await ring({ during: until(2), recipe });
    await first.fabric.lessons.put(lesson(0));
    await first.trainer.run(first.stop.signal);
    expect(rates(first)).toEqual([0.25, 0.5]);
    const again = await ring({ checkpoints: first.checkpoints, during: until(4), recipe });
    await again.fabric.lessons.put(lesson(0));
    await again.trainer.run(again.stop.signal);
    expect(rates(again)).toEqual([0.75, 1, 1, 1]);
  });

  test('starts anew for a training from the weights of another', async () => {
    const recipe = { warmupUpdates: 4, cooling: 0, seconds: (4 * UPDATE) / 1000 };
    const first = await ring({ during: until(4), recipe });
    await first.fabric.lessons.put(lesson(0));
    await first.trainer.run(first.stop.signal);
    const found = await new CheckpointFolder(first.checkpoints).newest();
    if (found === undefined) throw new Error('It kept nothing.');
    const checkpoints = await folder();
    const begun = restartFrom(found.checkpoint, seeded('other'));
    await new CheckpointFolder(checkpoints).write(begun, new DurableFolder(checkpoints));
    const other = await ring({ checkpoints, during: until(4), recipe });
    await other.fabric.lessons.put(lesson(0));
    await other.trainer.run(other.stop.signal);
    expect(rates(other)).toEqual(rates(first));
    expect(other.versions[0]?.version).toBe(0);
    expect(other.means[0]?.blob).toEqual(first.means.at(-1)?.blob);
  });
});

test.each([0, 1000])(
  'after the channels close, the trainer ends with a checkpoint (published every %d s)',
  async publishSeconds => {
    const made = await ring({
      recipe: { publishSeconds },
      during: async (count, { fabric }) => {
        if (count === 4) await fabric.close();
      },
    });
    await made.fabric.lessons.put(lesson(0));
    await expect(made.trainer.run(made.stop.signal)).rejects.toThrow(ChannelClosed);
    const again = await ring({ checkpoints: made.checkpoints });
    again.stop.abort();
    await again.trainer.run(again.stop.signal);
    expect(new Float32Array(again.versions[0]?.blob.slice().buffer ?? new ArrayBuffer(0))[0]).toBe(4);
  },
);
