// The successes of a run: replacements of failures, lessons and withdrawals.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encode } from '../../../runtime/agents/compact/observation.ts';
import { type Seed, seed, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { Lesson } from '../../../runtime/core/lesson.ts';
import type { StoredStep } from '../../../runtime/core/stored-success.ts';
import type { Instance } from '../../../runtime/core/task.ts';
import { type Success, Successes } from '../../../runtime/data/pool/successes.ts';
import type { StoredRollout } from '../../../runtime/data/rollouts.ts';
import { EmbeddedQueue } from '../../../runtime/fabric/embedded/queue.ts';

const instance = (number: number): Instance => ({ task: taskId('notes-rename'), seed: seed(number) });

const success = (id: string, changes: Partial<Success> = {}): Success => ({
  instance: instance(1),
  rollout: {
    ...{ id: trajectoryId(id), order: undefined, reward: 1, isSuccess: true, oldest: undefined },
    steps: [
      {
        observation: { encoding: id, bytes: new Uint8Array() },
        choice: { kind: 'heads', decisions: [{ head: 'kind', choice: 1 }] },
      },
    ],
    actions: 1,
  },
  ...{ sort: 'successes', since: 0, canReplaceFailure: true },
  ...changes,
});

/** Successes with recorded replacements and lessons. */
function knowing() {
  const stands = new Map<Seed, StoredRollout>();
  const lessons: Lesson[] = [];
  const groups = {
    store: (of: Instance, success: StoredRollout) => void stands.set(of.seed, success),
    withdraw: (of: Instance, id: string, instead: StoredRollout | undefined) => {
      if (stands.get(of.seed)?.id !== id) return;
      if (instead === undefined) stands.delete(of.seed);
      else stands.set(of.seed, instead);
    },
  };
  const successes = new Successes({ lessons: { put: async lesson => void lessons.push(lesson) }, groups });
  /** Lessons since the last call. One without steps withdraws. */
  const taught = () =>
    lessons
      .splice(0)
      .map(({ from, steps: [first] }) => (first === undefined ? `not ${from}` : first.observation.encoding));
  return { successes, lessons, taught, stands: (number = 1) => stands.get(seed(number))?.id };
}

test('the newest success replaces failures, in any order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 8 }), async moments => {
      const { successes, stands } = knowing();
      for (const [index, since] of moments.entries())
        await successes.take(
          success(`t${since}`, { since, sort: index % 2 ? 'successes' : 'demonstrations' }),
        );
      expect(stands()).toBe(`t${Math.max(...moments)}`);
    }),
  );
});

test('a withdrawn success is replaced by the next, and is rejected until it is a member again', async () => {
  const { successes, stands, taught } = knowing();
  await successes.take(success('old', { since: 1, sort: 'demonstrations' }));
  await successes.take(success('new', { since: 2 }));
  successes.setMembership(trajectoryId('new'), false);
  expect(stands()).toBe('old');
  await successes.take(success('new', { since: 3 }));
  expect(stands()).toBe('old');
  expect([...successes.ids]).toEqual(['old']);
  successes.setMembership(trajectoryId('old'), false);
  expect(stands()).toBeUndefined();
  successes.setMembership(trajectoryId('new'), true);
  await successes.take(success('new', { since: 3 }));
  expect(stands()).toBe('new');
  expect(taught()).toEqual(['old', 'new', 'not new', 'not old', 'new', 'new']);
});

test('a rejection that is taken back restores the success and its lesson', async () => {
  const { successes, stands, taught } = knowing();
  await successes.take(success('x', { since: 1 }));
  for (const isMember of [false, false, true, true]) successes.setMembership(trajectoryId('x'), isMember);
  expect(stands()).toBe('x');
  expect(taught()).toEqual(['x', 'not x', 'not x', 'x']);
  // A newer one that arrived meanwhile stays.
  successes.setMembership(trajectoryId('x'), false);
  await successes.take(success('y', { since: 2 }));
  successes.setMembership(trajectoryId('x'), true);
  expect(stands()).toBe('y');
});

test('a lesson names its trajectory, so that it replaces an earlier one and can be withdrawn', async () => {
  const { successes, lessons } = knowing();
  await successes.take(success('t', { sort: 'demonstrations' }));
  // Newer successes may have replaced it here, and not yet in the trainer.
  successes.setMembership(trajectoryId('unknown'), false);
  expect(lessons.map(({ from, steps }) => [from, steps.length])).toEqual([
    ['t', 1],
    ['unknown', 0],
  ]);
});

test('a restarted trainer receives all stored lessons, newest last', async () => {
  const { successes, taught } = knowing();
  await successes.take(success('own-1', { since: 5 }));
  await successes.take(success('own-2', { since: 6 }));
  await successes.take(success('shown', { since: 1, sort: 'demonstrations' }));
  await successes.take(success('elsewhere', { since: 3, instance: instance(2) }));
  await successes.take(success('gone', { since: 4, instance: instance(3) }));
  successes.setMembership(trajectoryId('gone'), false);
  taught();
  await successes.resendLessons();
  expect(taught()).toEqual(['shown', 'elsewhere', 'own-2']);
});

test('a success with a corrected instruction is a lesson and replaces no failure', async () => {
  const { successes, stands, taught } = knowing();
  await successes.take(success('renamed', { since: 9, canReplaceFailure: false }));
  expect(stands()).toBeUndefined();
  await successes.take(success('right', { since: 1 }));
  expect(stands()).toBe('right');
  expect(taught()).toEqual(['renamed', 'right']);
  // Its instruction was corrected while the run went on.
  await successes.take(success('right', { since: 2, canReplaceFailure: false }));
  expect(stands()).toBeUndefined();
});

test('a replayed success is acknowledged once it is stored, until the signal', async () => {
  const { successes, stands } = knowing();
  const queue = new EmbeddedQueue<StoredStep>('recalled');
  const stop = new AbortController();
  const running = successes.recall(queue.taker(), stop.signal);
  const { steps } = success('m').rollout;
  await queue.put({
    id: trajectoryId('m'),
    instance: instance(1),
    isMember: true,
    since: 1,
    canReplaceFailure: true,
    steps,
  });
  await expect.poll(() => stands()).toBe('m');
  await expect.poll(() => queue.depth()).toEqual({ waiting: 0, taken: 0 });
  stop.abort();
  await running;
});

test('own successes are imitated without the steps that changed nothing; demonstrations are imitated whole', async () => {
  const { successes, lessons } = knowing();
  const blank = { mode: 'screenshot', size: { width: 16, height: 16 }, instruction: 'x' } as const;
  const { encoding, bytes } = encode({
    ...{ ...blank, elements: [], firstElement: 0, patches: [], squares: new Uint8Array() },
    ...{ recent: [], memory: [] },
  });
  const { rollout } = success('idle');
  const [step] = rollout.steps;
  if (step === undefined) throw new Error('The success has no step.');
  const steps = [1, 2].map(() => ({ ...step, observation: { encoding, bytes } }));
  await successes.take(success('own', { rollout: { ...rollout, steps } }));
  await successes.take(success('shown', { rollout: { ...rollout, steps }, sort: 'demonstrations' }));
  expect(lessons.map(({ steps }) => steps.length)).toEqual([1, 2]);
});
