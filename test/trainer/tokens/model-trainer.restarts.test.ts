// Stops and restarts of the trainer of a language model: no batch is applied twice and none is lost.

import { setImmediate as others } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { version } from '../../../runtime/core/ids.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { ChannelClosed, closedError } from '../../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../../runtime/fabric/fabric.ts';
import { StepsLost, type TinkerCause, TinkerError } from '../../../runtime/learner/tinker/tinker-error.ts';
import { Disk, idsOf, newLearner, tokenBatch, tokenRing } from './token-ring.ts';

const failure = (reason: TinkerCause) => new TinkerError(reason, 'lab', `It is ${reason}. Check its log.`);

describe('a trainer that ended', () => {
  /** Runs a batch of four updates, and ends the trainer in the middle of each write or update in turn. */
  test.each([1, 2, 3, 4])('after update %i continues with the next one', async ending => {
    const disk = new Disk();
    const fabric = embeddedFabric();
    const learner = newLearner(disk);
    const first = await tokenRing({ disk, learner, fabric });
    learner.during = count => {
      if (count === ending) first.stop.abort();
    };
    await fabric.batches.put(tokenBatch('b', 8));
    await first.running;
    learner.during = () => undefined;
    const second = await tokenRing({ disk, learner, fabric });
    await second.idle();
    expect(idsOf(learner.applied)).toEqual(['b/0', 'b/1', 'b/2', 'b/3']);
    expect(await fabric.batches.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test.each([0, 1, 2, 3])('between update %i and its progress file makes it once', async lost => {
    const disk = new Disk();
    const fabric = embeddedFabric();
    const learner = newLearner(disk);
    const first = await tokenRing({ disk, learner, fabric });
    const kept: (Uint8Array | undefined)[] = [];
    learner.during = count => {
      kept.push(disk.files.get('progress.json'));
      if (count === lost + 1) first.stop.abort();
    };
    await fabric.batches.put(tokenBatch('b', 8));
    await first.running;
    // The file as it was before the update ended.
    const before = kept[lost];
    if (before === undefined) disk.files.clear();
    else disk.files.set('progress.json', before);
    learner.during = () => undefined;
    const second = await tokenRing({ disk, learner, fabric });
    await second.idle();
    expect(idsOf(learner.applied)).toEqual(['b/0', 'b/1', 'b/2', 'b/3']);
  });

  test('twice between an update and its progress file skips no version', async () => {
    const disk = new Disk();
    const learner = newLearner(disk);
    for (const name of ['a', 'b']) {
      const { fabric, stop, running } = await tokenRing({ disk, learner });
      let before: Uint8Array | undefined;
      learner.during = () => {
        before = disk.files.get('progress.json');
        stop.abort();
      };
      await fabric.batches.put(tokenBatch(name, 2));
      await running;
      if (before === undefined) disk.files.clear();
      else disk.files.set('progress.json', before);
    }
    const { fabric, idle } = await tokenRing({ disk, learner });
    await idle();
    expect(learner.step).toBe(2);
    expect((await fabric.weights.get())?.version).toBe(version(2));
  });

  test('with its learner loads the saved state, and its versions are new', async () => {
    const disk = new Disk();
    const fabric = embeddedFabric();
    const first = await tokenRing({
      disk,
      learner: newLearner(disk),
      fabric,
      recipe: { checkpointSeconds: 0 },
    });
    await fabric.batches.put(tokenBatch('a', 4));
    await first.idle();
    first.stop.abort();
    await first.running;
    const before = await fabric.weights.get();
    const learner = newLearner(disk);
    const second = await tokenRing({ disk, learner, fabric });
    expect(learner.step).toBe(2);
    await fabric.batches.put(tokenBatch('b', 2));
    await second.idle();
    const after = await fabric.weights.get();
    expect(after?.version).toBeGreaterThan(before?.version ?? 0);
    expect(learner.step).toBe(4);
  });

  test('with steps that were not saved trains the batch in work as a whole, under new numbers', async () => {
    const disk = new Disk();
    const fabric = embeddedFabric();
    const old = newLearner(disk);
    const first = await tokenRing({ disk, learner: old, fabric });
    old.during = count => {
      if (count === 2) first.stop.abort();
    };
    await fabric.batches.put(tokenBatch('b', 8));
    await first.running;
    disk.states.clear();
    // Its saved state is lost too.
    const bytes = disk.files.get('progress.json');
    const { saved: _, ...progress } = JSON.parse(new TextDecoder().decode(bytes));
    disk.files.set('progress.json', new TextEncoder().encode(JSON.stringify(progress)));
    const learner = newLearner(disk);
    const second = await tokenRing({ disk, learner, fabric });
    await second.idle();
    expect(idsOf(learner.applied)).toEqual(['b/0', 'b/1', 'b/2', 'b/3']);
    expect((await fabric.weights.get())?.version).toBeGreaterThan(version(4));
  });
});

describe('a batch that is in work when trainers end', () => {
  /** Ends one trainer after another before its first update, then lets one train. */
  async function endedBy(failures: readonly Error[]) {
    const [disk, fabric] = [new Disk(), embeddedFabric()];
    const learner = newLearner(disk);
    const update = learner.update.bind(learner);
    const left = [...failures];
    learner.update = async (...call) => {
      const next = left.shift();
      if (next !== undefined) throw next;
      return update(...call);
    };
    await fabric.batches.put(tokenBatch('b', 2));
    for (const each of failures) {
      const { running } = await tokenRing({ disk, learner, fabric });
      await expect(running).rejects.toBe(each);
    }
    const { events, idle } = await tokenRing({ disk, learner, fabric });
    await idle();
    const told = events.flatMap(event => (event.kind === 'health' ? [event.message] : []));
    return { trained: idsOf(learner.applied), told: told.join() };
  }

  test('trains after outages of the server, whatever their number up to seven', async () => {
    const outages = [
      ...[failure('unreachable'), failure('timeout'), failure('rate-limited'), failure('unauthorized')],
      ...[1, 2, 3].map(step => new StepsLost(step, 0, failure('no-model'))),
    ];
    expect(await endedBy(outages)).toEqual({ trained: ['b/0', 'b/1'], told: '' });
  });

  test('trains after trainers that gave it back untouched', async () => {
    const fabric = embeddedFabric();
    await fabric.batches.put(tokenBatch('b', 2));
    for (let life = 0; life < 2; life++) await (await fabric.batches.taker().take()).giveBack('untouched');
    const learner = newLearner(new Disk());
    const { idle } = await tokenRing({ learner, fabric });
    await idle();
    expect(idsOf(learner.applied)).toEqual(['b/0', 'b/1']);
  });

  test('trains after trainers that were stopped in the middle of it', async () => {
    const [disk, fabric] = [new Disk(), embeddedFabric()];
    const learner = newLearner(disk);
    let stop: AbortController | undefined;
    learner.during = async () => {
      // A trainer starts before its caller knows its stop.
      await others();
      stop?.abort();
    };
    await fabric.batches.put(tokenBatch('b', 8));
    for (let life = 0; life < 2; life++) {
      const ring = await tokenRing({ disk, learner, fabric });
      stop = ring.stop;
      await ring.running;
    }
    stop = undefined;
    const { idle } = await tokenRing({ disk, learner, fabric });
    await idle();
    expect(idsOf(learner.applied)).toEqual(['b/0', 'b/1', 'b/2', 'b/3']);
  });

  test('is skipped after eight: it may have ended the server', async () => {
    const { trained, told } = await endedBy(Array.from({ length: 8 }, () => failure('unreachable')));
    expect(trained).toEqual([]);
    expect(told).toMatch(/ended 8 times while it trained on this batch\. It is skipped/);
  });

  test.each([
    ['the server failed at it', [failure('failed'), new StepsLost(1, 0, failure('failed'))], 2],
    ['the trainer failed', [new Error('Out of memory.'), new Error('Out of memory.')], 2],
    [
      'both failed, beside an outage',
      [failure('failed'), failure('timeout'), new Error('Out of memory.')],
      3,
    ],
  ])('is skipped after two, if %s', async (_, failures, ends) => {
    const { trained, told } = await endedBy(failures);
    expect(trained).toEqual([]);
    expect(told).toContain(`ended ${ends} times`);
  });
});

test('the interval between two saves goes on in the next trainer', async () => {
  const [disk, fabric, clock] = [new Disk(), embeddedFabric(), new VirtualClock()];
  const learner = newLearner(disk);
  learner.during = () => clock.sleep(60_000);
  const life = () => tokenRing({ disk, learner, fabric, clock, recipe: { checkpointSeconds: 100 } });
  const pass = (milliseconds: number) => clock.run(clock.now() + milliseconds);
  const first = await life();
  await fabric.batches.put(tokenBatch('a', 1));
  await pass(80_000);
  const crash = new Error('Out of memory.');
  const assess = learner.assess.bind(learner);
  learner.assess = () => Promise.reject(crash);
  await fabric.batches.put(tokenBatch('b', 1));
  await pass(10_000);
  await expect(first.running).rejects.toBe(crash);
  expect(disk.progress()).toMatchObject({ step: 1, milliseconds: 60_000 });
  expect(disk.progress().saved).toBeUndefined();
  learner.assess = assess;
  const second = await life();
  await pass(80_000);
  expect(disk.progress().saved).toMatchObject({ step: 2, milliseconds: 120_000 });
  second.stop.abort();
  await pass(10_000);
  await second.running;
  // Less than the interval after the last save.
  await fabric.batches.put(tokenBatch('c', 1));
  await life();
  await pass(80_000);
  expect(disk.progress()).toMatchObject({ step: 3, saved: { step: 2 } });
});

test('steps lost behind a state that was saved within a batch are repeated from there, and reported', async () => {
  const disk = new Disk();
  const fabric = embeddedFabric();
  const old = newLearner(disk);
  const first = await tokenRing({ disk, learner: old, fabric, recipe: { checkpointSeconds: 0 } });
  old.during = count => {
    if (count === 2) first.stop.abort();
  };
  await fabric.batches.put(tokenBatch('b', 8));
  await first.running;
  expect(disk.progress()).toMatchObject({ step: 2, saved: { step: 2 } });
  // A third update was made, and its learner has lost it.
  const text = JSON.stringify({ format: 'dartboard-progress-1', ...disk.progress(), step: 3 });
  disk.files.set('progress.json', new TextEncoder().encode(text));
  const learner = newLearner(disk);
  const second = await tokenRing({ disk, learner, fabric });
  await second.idle();
  expect(idsOf(learner.applied)).toEqual(['b/2', 'b/3']);
  expect((await fabric.weights.get())?.version).toBeGreaterThan(version(4));
  const message = expect.stringContaining('lost its state after step 2');
  expect(second.events).toContainEqual(expect.objectContaining({ kind: 'health', healthy: false, message }));
});

test('steps lost behind a state that the learner saved by itself are repeated from there', async () => {
  const disk = new Disk();
  const fabric = embeddedFabric();
  const old = newLearner(disk);
  const first = await tokenRing({ disk, learner: old, fabric });
  let own = '';
  old.during = async count => {
    // As a learner on a server does before it renews its model.
    if (count === 2) own = await old.save('renewal', new AbortController().signal);
    if (count === 3) first.stop.abort();
  };
  await fabric.batches.put(tokenBatch('b', 8));
  await first.running;
  const learner = newLearner(disk);
  await learner.load(own, new AbortController().signal);
  const { saved: _, ...progress } = disk.progress();
  const text = JSON.stringify({ format: 'dartboard-progress-1', ...progress });
  disk.files.set('progress.json', new TextEncoder().encode(text));
  const second = await tokenRing({ disk, learner, fabric });
  await second.idle();
  expect(idsOf(learner.applied)).toEqual(['b/2', 'b/3']);
});

test('a save that finds lost steps ends the trainer, so that no number names other weights', async () => {
  const disk = new Disk();
  const learner = newLearner(disk);
  const { fabric, running } = await tokenRing({ disk, learner, recipe: { checkpointSeconds: 0 } });
  const lost = new StepsLost(1, 0, failure('no-model'));
  learner.save = async () => {
    Object.defineProperty(learner, 'step', { get: () => 0 });
    throw lost;
  };
  await fabric.batches.put(tokenBatch('b', 2));
  await expect(running).rejects.toBe(lost);
});

test('a saved state is forgotten once the next one is named by the progress', async () => {
  const disk = new Disk();
  const learner = newLearner(disk);
  const { fabric, idle } = await tokenRing({ disk, learner, recipe: { checkpointSeconds: 0 } });
  await fabric.batches.put(tokenBatch('a', 2));
  await idle();
  const first = disk.progress().saved?.place;
  expect(learner.forgotten).not.toContain(first);
  await fabric.batches.put(tokenBatch('b', 2));
  await idle();
  expect(learner.forgotten).toContain(first);
  expect(disk.progress().saved?.place).not.toBe(first);
});

test.each<[string, (fabric: Fabric) => unknown]>([
  ['all channels close', fabric => fabric.close()],
  [
    'the channel of the weights closes',
    ({ averaged }) => {
      averaged.set = () => Promise.reject(closedError('averaged'));
    },
  ],
])('the trainer saves its updates before it ends because %s', async (_, close) => {
  const disk = new Disk();
  const learner = newLearner(disk);
  const { fabric, running } = await tokenRing({ disk, learner });
  learner.during = async count => {
    if (count === 2) await close(fabric);
  };
  await fabric.batches.put(tokenBatch('b', 8));
  await expect(running).rejects.toThrow(ChannelClosed);
  expect(learner.step).toBeGreaterThan(0);
  expect(disk.progress().saved?.step).toBe(learner.step);
});

test('a failing last save is an error, and comes after the last version', async () => {
  const learner = newLearner(new Disk());
  const { fabric, stop, running } = await tokenRing({ learner });
  const full = new Error('ENOSPC: no space left on device');
  learner.save = () => Promise.reject(full);
  learner.during = count => {
    if (count === 2) stop.abort();
  };
  await fabric.batches.put(tokenBatch('b', 8));
  await expect(running).rejects.toBe(full);
  expect((await fabric.weights.get())?.version).toBe(version(2));
});

test('an earlier state that cannot be deleted is reported, and is no error', async () => {
  const disk = new Disk();
  const learner = newLearner(disk);
  const train = async (name: string) => {
    const { fabric, idle, stop, running, events } = await tokenRing({ disk, learner });
    await fabric.batches.put(tokenBatch(name, 2));
    await idle();
    stop.abort();
    await running;
    return events;
  };
  await train('a');
  const before = disk.progress().saved?.place;
  learner.forget = () => Promise.reject(new Error('EPERM: operation not permitted'));
  const message = expect.stringContaining(`Deleting '${before}' failed: EPERM`);
  expect(await train('b')).toContainEqual(expect.objectContaining({ kind: 'health', message }));
  expect(disk.progress().saved?.step).toBe(4);
});

test('a stop while a batch is assessed saves the updates before it, and gives the batch back', async () => {
  const disk = new Disk();
  const learner = newLearner(disk);
  const { fabric, idle, stop, running } = await tokenRing({ disk, learner });
  await fabric.batches.put(tokenBatch('one', 2));
  await idle();
  learner.assess = async (_steps, _of, signal) => {
    stop.abort();
    signal.throwIfAborted();
    return [];
  };
  await fabric.batches.put(tokenBatch('two', 2));
  await running;
  expect(disk.progress().saved).toMatchObject({ step: 2 });
  expect(await fabric.batches.depth()).toMatchObject({ waiting: 1 });
});
