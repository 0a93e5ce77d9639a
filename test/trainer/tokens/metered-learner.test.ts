// A learner reports its steps, their time and the time of its hardware.

import { expect, test } from 'vitest';
import type { Event } from '../../../runtime/core/event.ts';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { Learner, TokenUpdate, UpdateRow } from '../../../runtime/learner/learner.ts';
import { MeteredLearner } from '../../../runtime/trainer/tokens/metered-learner.ts';

const optimiser = { learningRate: 1, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, clipNorm: 0 };
const update = (id: string): TokenUpdate => ({ id, rows: [], optimiser });
const SIGNAL = new AbortController().signal;

/** Takes two seconds for each new update, of which its hardware works 1.5 s. A repeated one is not applied. */
function slowLearner(clock: VirtualClock, reportsHardware = true) {
  const applied: string[] = [];
  const calls: string[] = [];
  const learner: Learner = {
    capabilities: {
      ...{ kind: 'tinker', place: 'http://gpu:8000', model: 'm' },
      ...{ assesses: true, hasReference: true, clips: true, publishes: true },
    },
    get step() {
      return applied.length;
    },
    get last() {
      return applied.at(-1);
    },
    assess: async () => [[-1]],
    update: async ({ id }) => {
      if (id === 'broken') throw new Error('The server is away.');
      if (!applied.includes(id)) {
        await clock.sleep(2000);
        applied.push(id);
      }
      return { step: applied.length, ...(reportsHardware && { hardwareSeconds: 1.5 }) };
    },
    publish: async () => ({ step: applied.length, path: 'p' }),
    save: async name => name,
    load: async saved => void calls.push(`load ${saved}`),
    close: async () => void calls.push('close'),
  };
  return { learner, calls };
}

/** Advances the clock until the promise settles. */
async function during<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  await clock.run(clock.now() + 10_000);
  return work;
}

test('a report has the time of the last step, and the hardware time of all steps', async () => {
  const clock = new VirtualClock(5000);
  const metered = new MeteredLearner(slowLearner(clock).learner, clock);
  const about = { kind: 'tinker', place: 'http://gpu:8000', model: 'm' };
  expect(metered.report()).toEqual({ since: 5000, learner: { ...about, step: 0 } });
  await during(clock, metered.update(update('a'), SIGNAL));
  const second = metered.update(update('b'), SIGNAL);
  const from = clock.now();
  await during(clock, second);
  const report = {
    ...{ since: 5000, learner: { ...about, step: 2, stepSeconds: 2 } },
    ...{ steppedAt: from + 2000, hardwareSeconds: 3 },
  };
  expect(metered.report()).toEqual(report);
  // A repeated update makes no step.
  expect(await metered.update(update('b'), SIGNAL)).toEqual({ step: 2, hardwareSeconds: 1.5 });
  expect(metered.report()).toEqual(report);
});

test('a learner that does not report its hardware has no hardware time', async () => {
  const clock = new VirtualClock();
  const metered = new MeteredLearner(slowLearner(clock, false).learner, clock);
  await during(clock, metered.update(update('a'), SIGNAL));
  expect(metered.report()).toMatchObject({ learner: { step: 1 } });
  expect(metered.report()).not.toHaveProperty('hardwareSeconds');
});

test('the tokens of each update cost money, those of a repeated one do not', async () => {
  const clock = new VirtualClock();
  const metered = new MeteredLearner(slowLearner(clock).learner, clock, 2e6);
  expect(metered.report().money).toBe(0);
  const prompt = [
    { kind: 'text', tokens: [1, 2] },
    { kind: 'image', sha256: 'a', tokens: 5 },
  ] as const;
  const origin = {
    trajectory: trajectoryId('t'),
    index: 0,
    isSuccess: true,
    group: 'g',
    task: 'a',
    advantage: 1,
  };
  const row: UpdateRow = { step: { prompt, reply: [3, 4, 5] }, weights: [1, 1, 1], origin };
  for (const id of ['a', 'a', 'b'])
    await during(clock, metered.update({ ...update(id), rows: [row, row] }, SIGNAL));
  expect(metered.report().money).toBe(2 * 2 * 2 * 10);
});

test('every other call reaches the learner', async () => {
  const { learner, calls } = slowLearner(new VirtualClock());
  const metered = new MeteredLearner(learner, new VirtualClock());
  expect(metered.capabilities).toEqual(learner.capabilities);
  expect(await metered.assess([], 'present', SIGNAL)).toEqual([[-1]]);
  expect(await metered.publish(SIGNAL)).toEqual({ step: 0, path: 'p' });
  expect(await metered.save('s', SIGNAL)).toBe('s');
  await metered.load('s', SIGNAL);
  await metered.close();
  expect(calls).toEqual(['load s', 'close']);
});

test('reports come once a second while the work runs, and once at its end', async () => {
  const clock = new VirtualClock();
  const metered = new MeteredLearner(slowLearner(clock).learner, clock);
  const events: Event[] = [];
  const work = async () => {
    await metered.update(update('a'), SIGNAL);
  };
  await during(clock, metered.reportDuring(work, { publish: event => events.push(event) }, SIGNAL));
  expect(events.map(({ at, kind }) => [at, kind])).toEqual([
    [0, 'learner'],
    [1000, 'learner'],
    [2000, 'learner'],
  ]);
  expect(events.at(-1)).toMatchObject({ module: 'trainer', learner: { step: 1 } });
});

test('work that fails is reported once more, and its error is passed on', async () => {
  const clock = new VirtualClock();
  const metered = new MeteredLearner(slowLearner(clock).learner, clock);
  const events: Event[] = [];
  const work = async () => {
    await metered.update(update('broken'), SIGNAL);
  };
  const working = metered.reportDuring(work, { publish: event => events.push(event) }, SIGNAL);
  await expect(working).rejects.toThrow('The server is away.');
  expect(events).toHaveLength(2);
});
