// The loop of the data module, with channels that the tests fill and drain.

import { describe, expect, test } from 'vitest';
import { runId, type TrajectoryId, trajectoryId, version } from '../../runtime/core/ids.ts';
import type { LessonStep } from '../../runtime/core/lesson.ts';
import type { Order } from '../../runtime/core/order.ts';
import type { TrainingChoice } from '../../runtime/core/trace.ts';
import type { DartState } from '../../runtime/data/curation/dart.ts';
import type { CuratorOptions } from '../../runtime/data/curator.ts';
import { curating } from './curator-fixture.ts';
import { answered, finished, INSTANCE, RUN, seenBy, stepBy } from './finished-episodes.ts';

test('orders whole groups up to the target and the staleness bound, without waiting for results', async () => {
  const { fabric, order, pass, end } = curating();
  await pass(1000);
  expect((await fabric.orders.depth()).waiting).toBe(4);
  const [first, ...others] = [await order(), await order(), await order()];
  expect(first).toMatchObject({ purpose: 'train', instance: INSTANCE, maxSteps: 10, mode: 'a11y_tree' });
  expect(new Set(others.map(each => each?.group))).toEqual(new Set([first?.group]));
  await pass(1000);
  expect((await fabric.orders.depth()).waiting).toBe(5);
  for (let index = 0; index < 5; index++) await order();
  await pass(10_000);
  // Eight are out: what two versions allow.
  expect((await fabric.orders.depth()).waiting).toBe(0);
  await end();
});

test('a complete group becomes a batch, and its successes lessons', async () => {
  const { fabric, order, answer, pass, end, curator } = curating();
  await pass(0);
  const first = await order();
  await answer(first, { score: 1 });
  for (const score of [0, 0, 1]) await answer(await order(), { score });
  await pass(300);
  const batch = await fabric.batches.taker().tryTake();
  expect(batch?.item).toMatchObject({ run: RUN, groups: [{ instance: INSTANCE, injected: false }] });
  expect(batch?.item.groups[0]?.steps.length).toBe(4);
  const lesson = (await fabric.lessons.taker().tryTake())?.item;
  expect(lesson).toEqual({
    ...{ sort: 'successes', kind: INSTANCE.task, from: `${first?.id}.t` },
    steps: [
      {
        observation: seenBy(first?.id ?? ''),
        choice: { kind: 'heads', decisions: [{ head: 'kind', choice: 1 }] },
      },
    ],
  });
  expect(curator.counts()).toMatchObject({ accepted: 4 });
  await end();
});

test('a repeated delivery is acknowledged again and counted once', async () => {
  const { fabric, order, answer, pass, end, curator } = curating();
  await pass(0);
  const first = await order();
  for (let index = 0; index < 3; index++) await answer(first, { score: 1 });
  await pass(300);
  expect(await fabric.trajectories.depth()).toEqual({ waiting: 0, taken: 0 });
  expect(await fabric.lessons.depth()).toEqual({ waiting: 1, taken: 0 });
  expect(Object.values(curator.save().curation.results)).toEqual([[true]]);
  await end();
});

test('a successful demonstration is a lesson; an evaluation trajectory goes to the evaluation only', async () => {
  const { fabric, pass, end, evaluated, kept } = curating();
  const shown = { purpose: 'demonstrate', provenance: { kind: 'oracle' } } as const;
  await fabric.trajectories.put(finished('shown', { score: 1 }, shown));
  await fabric.trajectories.put(finished('wrong', { score: 0 }, shown));
  await fabric.trajectories.put(finished('measured', { score: 1 }, { purpose: 'evaluate' }));
  await pass(300);
  const lessons = fabric.lessons.taker();
  expect((await lessons.tryTake())?.item.sort).toBe('demonstrations');
  expect(await lessons.tryTake()).toBeUndefined();
  expect(evaluated).toEqual(['measured.t']);
  expect(kept).toEqual(['shown.t', 'wrong.t', 'measured.t']);
  await end();
});

test('a demonstration is a lesson if the choices of its steps can be restored', async () => {
  const { chosen: _, ...bare } = stepBy(0);
  const by = { kind: 'human', who: 'me' } as const;
  const choice: TrainingChoice = { kind: 'heads', decisions: [{ head: 'kind', choice: 3 }] };
  for (const restored of [undefined, () => choice]) {
    const { fabric, pass, end } = curating(restored && { restored });
    await fabric.trajectories.put(
      finished('shown', { score: 1 }, { provenance: by, purpose: 'demonstrate', steps: [bare] }),
    );
    await pass(300);
    const lesson = (await fabric.lessons.taker().tryTake())?.item;
    expect(lesson?.steps[0]?.choice).toEqual(restored && choice);
    await end();
  }
});

test('a stored success replaces a failure and is resent as a lesson until it leaves the pool', async () => {
  const { fabric, curator, order, answer, pass, end } = curating();
  const id = trajectoryId('member');
  const observation = stepBy(0).observation ?? { encoding: '', bytes: new Uint8Array() };
  const steps: readonly LessonStep[] = [{ observation, choice: { kind: 'heads', decisions: [] } }];
  await fabric.recalled.put({
    id,
    instance: INSTANCE,
    isMember: true,
    since: 1,
    canReplaceFailure: true,
    steps,
  });
  await pass(0);
  for (let index = 0; index < 4; index++) await answer(await order(), { score: 0 });
  await pass(300);
  const [group] = (await fabric.batches.taker().tryTake())?.item.groups ?? [];
  expect(group).toMatchObject({ injected: true, steps: [{ trajectory: id }, {}, {}, {}] });
  await curator.resendLessons();
  expect(await fabric.lessons.depth()).toEqual({ waiting: 2, taken: 0 });
  expect((await fabric.lessons.taker().tryTake())?.item).toEqual({
    ...{ sort: 'demonstrations', kind: INSTANCE.task, from: id, steps },
  });
  await fabric.commands.append({ kind: 'pool', run: RUN, trajectory: id, isMember: false });
  await pass(300);
  // The trainer forgets one that is out, and it is taught no more.
  await curator.resendLessons();
  expect(await fabric.lessons.depth()).toEqual({ waiting: 2, taken: 1 });
  await end();
});

test('failures are needed from their return until their batch has trained', async () => {
  const { fabric, curator, order, answer, pass, end } = curating();
  await pass(0);
  const orders = [await order(), await order(), await order(), await order()];
  const ids = orders.map(each => trajectoryId(`${each?.id}.t`));
  for (const each of orders.slice(0, 3)) await answer(each, { score: 0 });
  await pass(300);
  expect(curator.needed).toEqual(new Set(ids.slice(0, 3)));
  await answer(orders[3], { score: 1 });
  await pass(300);
  const batch = await fabric.batches.taker().tryTake();
  await pass(300);
  expect(curator.needed).toEqual(new Set(ids));
  await batch?.acknowledge();
  await pass(300);
  // The success may still replace a failure.
  expect(curator.needed).toEqual(new Set(ids.slice(3)));
  await end();
});

test('an order that a person played releases its capacity and does not count for the policy', async () => {
  const { fabric, order, pass, end, curator } = curating();
  await pass(0);
  const first = await order();
  if (first === undefined) throw new Error('nothing was ordered');
  const byHand = { ...answered(first, { score: 1 }), provenance: { kind: 'human', who: 'me' } } as const;
  await fabric.trajectories.put(byHand);
  await pass(300);
  expect(curator.counts()).toMatchObject({ failed: 1 });
  expect(curator.save().curation.results).toEqual({});
  await end();
});

test('pause stops orders and batches, resume continues, stop is a pause that stores what finishes', async () => {
  const { fabric, order, answer, command, pass, kept, end, events } = curating();
  await pass(0);
  const out = [await order(), await order(), await order(), await order()];
  await command('pause');
  for (const [index, each] of out.entries()) await answer(each, { score: index % 2 });
  await pass(1000);
  expect(await fabric.orders.depth()).toMatchObject({ waiting: 0 });
  expect(await fabric.batches.depth()).toMatchObject({ waiting: 0 });
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'waiting', reason: 'to be resumed', since: 0 }),
  );
  await command('resume');
  await pass(0);
  expect(await fabric.orders.depth()).toMatchObject({ waiting: 4 });
  expect(await fabric.batches.depth()).toMatchObject({ waiting: 1 });
  await command('stop');
  await pass(0);
  for (let index = 0; index < 4; index++) await answer(await order(), { score: index % 2 });
  await pass(1000);
  expect(kept).toHaveLength(8);
  expect(await fabric.orders.depth()).toMatchObject({ waiting: 0 });
  expect(await fabric.batches.depth()).toMatchObject({ waiting: 1 });
  await end();
});

test('commands for another run are ignored', async () => {
  const { fabric, order, pass, end } = curating();
  await fabric.commands.append({ kind: 'stop', run: runId('other') });
  await pass(1000);
  for (let index = 0; index < 4; index++) await order();
  await pass(1000);
  expect((await fabric.orders.depth()).waiting).toBe(4);
  await end();
});

test('a manual verdict applies before the group trains', async () => {
  const { fabric, order, answer, pass, end } = curating();
  await pass(0);
  const out = [await order(), await order(), await order(), await order()];
  const trajectory = trajectoryId(`${out[2]?.id}.t`);
  await fabric.commands.append({ kind: 'verdict', run: RUN, trajectory, success: true, who: 'me' });
  for (const each of out) await answer(each, { score: 0 });
  await pass(300);
  const steps = (await fabric.batches.taker().tryTake())?.item.groups[0]?.steps ?? [];
  expect(steps.filter(({ advantage }) => advantage > 0).map(each => each.trajectory)).toEqual([trajectory]);
  await end();
});

describe('a withdrawn success', () => {
  const judging = async (options: Partial<CuratorOptions<DartState>> = {}) => {
    const made = curating({ maxWaitingBatches: 9, ...options });
    const { fabric, order, answer, pass } = made;
    const batches = fabric.batches.taker();
    /** Of the next batch. */
    const groups = async () => {
      const taken = await batches.tryTake();
      await taken?.acknowledge();
      return taken?.item.groups;
    };
    await pass(0);
    return {
      ...made,
      groups,
      judge: async (trajectory: TrajectoryId, success: boolean | null) => {
        await fabric.commands.append({ kind: 'verdict', run: RUN, trajectory, success, who: 'me' });
        await pass(300);
      },
      /** A whole group with these scores; its first trajectory. */
      play: async (...scores: readonly number[]) => {
        const out: Order[] = [];
        for (const score of scores) {
          const next = await order();
          if (next === undefined) throw new Error('Nothing was ordered.');
          out.push(next);
          await answer(next, { score });
        }
        await pass(300);
        return trajectoryId(`${out[0]?.id}.t`);
      },
      batch: async () => (await groups())?.[0],
    };
  };

  test('of a removed manual verdict neither trains nor replaces a failure', async () => {
    const { play, judge, batch, end } = await judging();
    const first = await play(0, 0, 0);
    await judge(first, true);
    await judge(first, null);
    await play(0);
    await play(0, 0, 0, 0);
    expect(await batch()).toBeUndefined();
    await end();
  });

  test('is replaced by another success of its instance', async () => {
    const { fabric, play, judge, batch, end } = await judging({
      ...{ maxStaleness: 3, trajectoriesPerBatch: 2, trajectoriesAhead: 8 },
    });
    const shown = {
      ...finished('shown', { score: 1 }),
      provenance: { kind: 'oracle' },
    } as const;
    const { order: _, ...unordered } = shown;
    await fabric.trajectories.put(unordered);
    const own = await play(1, 0, 0, 0);
    expect((await batch())?.injected).toBe(false);
    await judge(own, false);
    // What was solved at once is tried less often.
    await play(0, 0);
    const group = await batch();
    expect(group?.injected).toBe(true);
    expect(group?.steps[0]?.trajectory).toBe(shown.id);
    await end();
  });

  test.each(['pool', 'verdict'])('is not replayed (command: %s)', async command => {
    const { fabric, pass, judge, play, groups, end } = await judging({
      ...{ maxStaleness: 3, trajectoriesPerBatch: 2, positives: { share: 0.5, perBatch: 1 } },
    });
    const trajectory = await play(1, 0, 0, 0);
    expect(await groups()).toHaveLength(1);
    if (command === 'pool')
      await fabric.commands.append({ kind: 'pool', run: RUN, trajectory, isMember: false });
    else await judge(trajectory, false);
    await pass(300);
    await play(1, 0);
    expect(await groups()).toHaveLength(1);
    await end();
  });
});

test('rollouts that cannot train for the same reason are reported alike, so that they are one problem', async () => {
  const { fabric, order, pass, end, events } = curating();
  await pass(0);
  const { chosen: _, ...bare } = stepBy(0);
  for (const one of [await order(), await order()])
    if (one !== undefined) await fabric.trajectories.put({ ...answered(one, { score: 0 }), steps: [bare] });
  await pass(300);
  const reports = events.flatMap(event => (event.kind === 'health' ? [[event.thing, event.message]] : []));
  const message = expect.stringMatching(/^A rollout is not used for training: a step has no .* report it/);
  expect(reports).toEqual([['rollouts', message], reports[0]]);
  await end();
});

test('publishes metrics, sampling weights and the reason for waiting', async () => {
  const { fabric, order, answer, pass, end, events } = curating();
  await pass(0);
  for (const score of [1, 0, 0, 0]) await answer(await order(), { score });
  await pass(2000);
  const names = new Set(events.flatMap(event => (event.kind === 'metric' ? [event.name] : [])));
  for (const name of ['queue/depth/orders', 'queue/depth/trajectories', 'queue/depth/batches'])
    expect(names).toContain(name);
  expect(names).toContain('off_policy/dropped');
  for (const name of ['trainable_groups', 'filtered_groups', 'pool_injections', 'running', 'duplicates'])
    expect(names).toContain(`data/${name}`);
  // One group of 4 rollouts of up to 10 steps, and one that is shorter and smaller, as the first rollout succeeded at once.
  for (const [name, value] of [
    ['mean_rollouts', 3],
    ['mean_cap', 8],
    ['unsolved_instances', 0],
  ])
    expect(events).toContainEqual(expect.objectContaining({ name: `data/${name}`, value }));
  const success = events.findLast(event => event.kind === 'metric' && event.name.startsWith('success/'));
  expect(success).toMatchObject({ module: 'data', name: `success/${INSTANCE.task}`, value: 0.25 });
  expect(await fabric.needs.get()).toEqual({ [INSTANCE.task]: 1.75 });
  const waiting = events.findLast(({ kind }) => kind === 'waiting');
  expect(waiting).toMatchObject({ reason: expect.stringContaining('trainer'), since: 0 });
  await end();
});

test('groups that wait for a slow trainer become too old and are dropped', async () => {
  const { fabric, order, answer, pass, end, curator } = curating();
  await pass(0);
  for (let score = 1, each = await order(); each !== undefined; score = 1 - score, each = await order()) {
    await answer(each, { score });
    await pass(300);
  }
  const { accepted, running } = curator.counts();
  expect({ accepted, dropped: curator.counts().dropped }).toEqual({ accepted: 4, dropped: 0 });
  expect(running).toBeGreaterThanOrEqual(4);
  await fabric.weights.set({ version: version(2), blob: new Uint8Array(0) });
  await pass(300);
  expect(curator.counts()).toMatchObject({ accepted: 4, dropped: running });
  await end();
});

test('a closed channel ends the loop with its error', async () => {
  const { fabric, pass, running } = curating();
  await pass(0);
  const ended = expect(running).rejects.toThrow('is closed');
  await fabric.close();
  await pass(1000);
  await ended;
});
