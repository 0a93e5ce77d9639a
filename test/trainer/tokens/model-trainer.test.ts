// The trainer of a language model: what a batch trains, and which steps and batches are skipped.

import { describe, expect, test } from 'vitest';
import { serializeValue } from '../../../runtime/agents/compact/serialized-value.ts';
import { encodeChat } from '../../../runtime/agents/model/chat-observation.ts';
import type { BatchStep } from '../../../runtime/core/batch.ts';
import { withoutProbabilities } from '../../../runtime/core/trace.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { decodePublished } from '../../../runtime/learner/published-weights.ts';
import { TokenBatchError } from '../../../runtime/trainer/tokens/prepare-tokens.ts';
import { MemoryFiles } from '../../learner/file/memory-files.ts';
import { open as openFiles } from '../../learner/file/open-file-learner.ts';
import { Disk, idsOf, newLearner, RUN, TOKEN_RECIPE, tokenBatch, tokenRing } from './token-ring.ts';

/** The step with an image in its prompt: the token 9 fills its places. */
const withPicture = (step: BatchStep): BatchStep => ({
  ...step,
  observation: encodeChat([
    { role: 'user', parts: [{ type: 'image', sha256: 'a'.repeat(64), width: 8, height: 8 }] },
  ]),
  choice: {
    kind: 'tokens',
    prompt: [2, 9, 9, 3],
    ids: [1, 1],
    estimator: 'surprisal',
    logProbabilities: [-2, -2],
  },
});

describe('a batch', () => {
  test('trains in parts with signed weights, and a version follows', async () => {
    const learner = newLearner(new Disk());
    const { fabric, idle } = await tokenRing({ learner });
    await fabric.batches.put(tokenBatch('b', 5));
    await idle();
    expect(idsOf(learner.applied)).toEqual(['b/0', 'b/1', 'b/2']);
    expect(learner.applied.map(({ rows }) => rows.length)).toEqual([1, 2, 2]);
    const first = learner.applied[1]?.rows.map(({ weights, origin }) => [origin.advantage, weights]);
    for (const [advantage, weights] of first ?? [])
      for (const weight of weights as readonly number[])
        expect(Math.sign(weight)).toBe(Math.sign(Number(advantage)));
    const published = await fabric.weights.get();
    expect(published && decodePublished(published)).toMatchObject({
      version: 3,
      step: 3,
      path: 'memory/step-3',
    });
    expect(await fabric.averaged.get()).toEqual(published);
  });

  test('likely replies with a positive advantage become likelier', async () => {
    const disk = new Disk();
    const learner = newLearner(disk);
    const { fabric, idle } = await tokenRing({ learner });
    const batch = tokenBatch('b', 2);
    const steps = batch.groups[0]?.steps.map(({ choice }) =>
      choice.kind === 'tokens'
        ? { prompt: [{ kind: 'text' as const, tokens: choice.prompt }], reply: choice.ids }
        : undefined,
    );
    const before = await learner.assess(
      steps?.flatMap(step => step ?? []) ?? [],
      'present',
      new AbortController().signal,
    );
    await fabric.batches.put(batch);
    await idle();
    const after = await learner.assess(
      steps?.flatMap(step => step ?? []) ?? [],
      'present',
      new AbortController().signal,
    );
    expect(after[0]?.[0]).toBeGreaterThan(before[0]?.[0] ?? 0);
    expect(after[1]?.[0]).toBeLessThan(before[1]?.[0] ?? 0);
  });

  test('of decisions by heads is skipped with a reason, and the next one trains', async () => {
    const learner = newLearner(new Disk());
    const { fabric, idle, events } = await tokenRing({ learner });
    const good = tokenBatch('good', 2);
    const [group] = good.groups;
    const heads = group?.steps.map(step => ({
      ...step,
      choice: { kind: 'heads' as const, decisions: [{ head: 'kind' as const, choice: 0 }] },
    }));
    await fabric.batches.put({
      ...tokenBatch('heads', 2),
      groups: group ? [{ ...group, steps: heads ?? [] }] : [],
    });
    await fabric.batches.put(good);
    await idle();
    expect(idsOf(learner.applied)).toEqual(['good/0', 'good/1']);
    const told = events.flatMap(event => (event.kind === 'health' && !event.healthy ? [event.message] : []));
    expect(told.join()).toMatch(/chosen by heads, not by tokens.*It is skipped/);
  });

  test('whose images are gone is skipped with a reason, also in the middle', async () => {
    const learner = newLearner(new Disk());
    learner.during = count => {
      if (count === 1) throw new TokenBatchError('The images of trajectory t are gone.');
    };
    const { fabric, idle, events, stop, running } = await tokenRing({ learner });
    await fabric.batches.put(tokenBatch('one', 4));
    await fabric.batches.put(tokenBatch('two', 2));
    await idle();
    stop.abort();
    await running;
    expect(learner.applied.map(({ id }) => id)).toEqual(['one/0', 'two/0', 'two/1']);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'health', message: expect.stringContaining('images of trajectory') }),
    );
  });

  test('trains without the steps of a trajectory whose images are gone, with a report', async () => {
    const learner = newLearner(new Disk());
    const why = 'The images of trajectory one-t0 are gone.';
    const { fabric, idle, events, masks } = await tokenRing({
      learner,
      useImages: async images =>
        new Map([...images.keys()].filter(id => id.includes('t0')).map(id => [id, why])),
    });
    const pictured = tokenBatch('one', 4);
    const groups = pictured.groups.map(group => ({ ...group, steps: group.steps.map(withPicture) }));
    const [group] = groups;
    const alone = {
      ...tokenBatch('two', 1),
      groups: group ? [{ ...group, steps: group.steps.slice(0, 1) }] : [],
    };
    await fabric.batches.put({ ...pictured, groups });
    await fabric.batches.put(alone);
    await idle();
    const trained = learner.applied
      .flatMap(({ rows }) => rows.map(({ origin }) => origin.trajectory))
      .toSorted();
    expect(trained).toEqual(['one-t1', 'one-t2', 'one-t3']);
    expect(masks.map(({ steps, rollouts }) => [steps.length, rollouts?.length])).toEqual([[3, 3]]);
    const told = events.flatMap(event => (event.kind === 'health' && !event.healthy ? [event.message] : []));
    expect(told).toEqual([`${why} The other steps of the batch train.`, `${why} It is skipped.`]);
  });

  test.each([
    [0, [1, 1]],
    [0.1, [0, 0, 1, 1]],
  ])('without an advantage trains steps only for the KL term: β %d', async (divergence, trained) => {
    const learner = newLearner(new Disk());
    const objective = { ...TOKEN_RECIPE.objective, divergence };
    const { fabric, idle } = await tokenRing({ learner, recipe: { objective } });
    const batch = tokenBatch('b', 4);
    const groups = batch.groups.map(group => ({
      ...group,
      steps: group.steps.map(step => ({ ...step, advantage: Math.max(0, step.advantage) })),
    }));
    await fabric.batches.put({ ...batch, groups });
    await idle();
    const advantages = learner.applied.flatMap(({ rows }) => rows.map(({ origin }) => origin.advantage));
    expect(advantages.toSorted()).toEqual(trained);
  });

  test('whose log-probabilities differ too much stops the run with the reason, and with the age of its replies', async () => {
    const learner = newLearner(new Disk());
    const { fabric, events, stop, running } = await tokenRing({ learner, recipe: { maxMismatch: 3 } });
    await fabric.batches.put(tokenBatch('a', 2));
    await fabric.batches.put(tokenBatch('b', 2, -9));
    const commands = fabric.commands.read(0, stop.signal)[Symbol.asyncIterator]();
    expect((await commands.next()).value?.entry).toEqual({ kind: 'stop', run: 'r' });
    expect(idsOf(learner.applied)).toEqual(['a/0', 'a/1']);
    const told = events.flatMap(event => (event.kind === 'health' ? [event.message] : []));
    expect(told.join()).toMatch(
      /mismatch_kl.*'trainer.maxMismatch' \(3\)\. .* staleness 2 \(optimiser steps\)/,
    );
    stop.abort();
    await running;
    // The batch did not train.
    expect(await fabric.batches.depth()).toEqual({ waiting: 1, taken: 0 });
  });

  test('with a reply of unknown entropy keeps it, and takes the threshold from the others', async () => {
    const learner = await openFiles(new MemoryFiles(new Map()), {});
    const { fabric, idle, masks } = await tokenRing({ learner, recipe: { highEntropy: true } });
    const batch = tokenBatch('b', 14);
    const groups = batch.groups.map(group => ({
      ...group,
      steps: group.steps.map((step, index) =>
        index < 4 ? { ...step, choice: withoutProbabilities(step.choice) } : step,
      ),
    }));
    await fabric.batches.put({ ...batch, groups });
    await idle();
    expect(masks).toEqual([expect.objectContaining({ threshold: 2 })]);
    expect(masks[0]?.steps.map(({ kept }) => kept)).toEqual(Array.from({ length: 14 }, () => true));
  });

  test('stores one mask per group', async () => {
    const { fabric, idle, masks } = await tokenRing({
      learner: newLearner(new Disk()),
      recipe: { highEntropy: true },
    });
    await fabric.batches.put(tokenBatch('b', 12));
    await idle();
    expect(masks.map(({ group, steps }) => [group, steps.length])).toEqual([['b-g', 12]]);
  });
});

test('an update that takes ten minutes counts as ten minutes of training', async () => {
  const clock = new VirtualClock();
  const disk = new Disk();
  const learner = newLearner(disk);
  learner.during = () => clock.sleep(600_000);
  const { fabric, running, stop } = await tokenRing({ disk, learner, clock });
  await fabric.batches.put(tokenBatch('b', 1));
  await clock.run(700_000);
  expect(disk.progress()).toMatchObject({ step: 1, milliseconds: 600_000 });
  stop.abort();
  await clock.run(800_000);
  await running;
});

test('a batch that arrives during a pause trains once the run is resumed', async () => {
  const clock = new VirtualClock();
  const learner = newLearner(new Disk());
  const { fabric, events, running, stop } = await tokenRing({ learner, clock });
  const waits = () =>
    events.flatMap(event => (event.kind === 'waiting' ? [[event.reason, event.since]] : []));
  const reason = () => waits().at(-1)?.[0];
  await clock.run(15_000);
  expect(waits().at(-1)).toEqual(['a batch', 0]);
  await fabric.commands.append({ kind: 'pause', run: RUN });
  // The next wait begins one turn of the event loop later.
  await clock.run(15_000);
  await clock.run(100_000);
  expect(waits().at(-1)).toEqual(['to be resumed', 15_000]);
  await fabric.batches.put(tokenBatch('b', 2));
  await clock.run(200_000);
  expect(learner.applied).toEqual([]);
  expect(reason()).toBe('to be resumed');
  await fabric.commands.append({ kind: 'resume', run: RUN });
  await clock.run(300_000);
  expect(idsOf(learner.applied)).toEqual(['b/0', 'b/1']);
  stop.abort();
  await clock.run(400_000);
  await running;
});

test('a pause holds back the other updates of a batch, and saves those before it', async () => {
  const [clock, disk] = [new VirtualClock(), new Disk()];
  const learner = newLearner(disk);
  const { fabric, events, running, stop } = await tokenRing({ disk, learner, clock });
  learner.during = async count => {
    if (count !== 1) return;
    await fabric.commands.append({ kind: 'pause', run: RUN });
    await clock.sleep(1000);
  };
  await fabric.batches.put(tokenBatch('b', 8));
  await clock.run(100_000);
  expect(idsOf(learner.applied)).toEqual(['b/0']);
  expect(disk.progress().saved).toMatchObject({ step: 1 });
  expect(events.findLast(({ kind }) => kind === 'waiting')).toMatchObject({ reason: 'to be resumed' });
  await fabric.commands.append({ kind: 'resume', run: RUN });
  await clock.run(200_000);
  expect(idsOf(learner.applied)).toEqual(['b/0', 'b/1', 'b/2', 'b/3']);
  stop.abort();
  await clock.run(300_000);
  await running;
});

describe('the learner is saved without the next batch', () => {
  test('on time while the trainer waits, and once', async () => {
    const [clock, disk] = [new VirtualClock(), new Disk()];
    const learner = newLearner(disk);
    const names: string[] = [];
    const save = learner.save.bind(learner);
    learner.save = async (...call) => {
      names.push(call[0]);
      return save(...call);
    };
    const recipe = { checkpointSeconds: 60 };
    const { fabric, running, stop } = await tokenRing({ disk, learner, recipe, clock });
    await fabric.batches.put(tokenBatch('b', 2));
    await clock.run(59_000);
    expect(disk.progress().step).toBe(2);
    expect(names).toEqual([]);
    await clock.run(300_000);
    expect(disk.progress().saved).toMatchObject({ step: 2, milliseconds: 60_000 });
    expect(names).toEqual(['step-2']);
    stop.abort();
    await clock.run(400_000);
    await running;
  });

  test('at once on a pause, where a failed attempt is not repeated', async () => {
    const clock = new VirtualClock();
    const learner = newLearner(new Disk());
    const tried: string[] = [];
    learner.save = async name => {
      tried.push(name);
      throw new Error('ENOSPC: no space left on device');
    };
    const recipe = { checkpointSeconds: 600 };
    const { fabric, running, stop } = await tokenRing({ learner, recipe, clock });
    await fabric.batches.put(tokenBatch('b', 2));
    await clock.run(15_000);
    expect(tried).toEqual([]);
    await fabric.commands.append({ kind: 'pause', run: RUN });
    await clock.run(30_000);
    expect(tried).toEqual(['step-2']);
    await clock.run(2_000_000);
    expect(tried).toEqual(['step-2']);
    await fabric.commands.append({ kind: 'resume', run: RUN });
    await clock.run(2_700_000);
    expect(tried).toEqual(['step-2', 'step-2']);
    stop.abort();
    await clock.run(2_800_000);
    await expect(running).rejects.toThrow('ENOSPC');
  });
});

test('the time of a step does not contain that of the save behind it', async () => {
  const clock = new VirtualClock();
  const learner = newLearner(new Disk());
  learner.during = () => clock.sleep(5000);
  const save = learner.save.bind(learner);
  learner.save = async (...call) => {
    await clock.sleep(60_000);
    return save(...call);
  };
  const recipe = { checkpointSeconds: 0 };
  const { fabric, events, running, stop } = await tokenRing({ learner, recipe, clock });
  await fabric.batches.put(tokenBatch('b', 1));
  await clock.run(200_000);
  const seconds = events.flatMap(event =>
    event.kind === 'metric' && event.name === 'learner/step_seconds' ? [event.value] : [],
  );
  expect(seconds).toEqual([5]);
  stop.abort();
  await clock.run(300_000);
  await running;
});

test('recipes and batches travel to another process', () => {
  expect(structuredClone(TOKEN_RECIPE)).toEqual(TOKEN_RECIPE);
  expect(serializeValue(tokenBatch('b', 2)).bytes.length).toBeGreaterThan(0);
});
