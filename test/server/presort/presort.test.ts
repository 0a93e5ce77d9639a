// The course of a pre-sort: every trajectory is asked about once, progress, cancelling, and failures.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TrajectoryId, trajectoryId } from '../../../runtime/core/ids.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { EndpointError } from '../../../runtime/endpoints/failure.ts';
import {
  NotAsked,
  Presort,
  type Presorted,
  type PresortWork,
} from '../../../runtime/server/presort/presort.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => trajectoryId(`t${index}`));

function begun(
  ask: (id: TrajectoryId, signal: AbortSignal) => Promise<Presorted>,
  { wanted = ids(5), parallel = 1 }: Partial<Pick<PresortWork, 'wanted' | 'parallel'>> = {},
) {
  const clock = new VirtualClock();
  const asked: TrajectoryId[] = [];
  let closed = 0;
  const presort = new Presort({
    ...{ name: 'p', agent: 'tars', clock },
    open: async () => ({
      ...{ wanted, parallel },
      ask: (id, signal) => {
        asked.push(id);
        return ask(id, signal);
      },
      spentTokens: () => 10 * asked.length,
      close: () => {
        closed += 1;
      },
    }),
  });
  return { presort, asked, clock, closed: () => closed };
}

const RESULTS = ['agrees', 'doubts', 'unreadable'] as const;

test('asks about each trajectory once, whatever the number of requests at a time, and counts the results', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...RESULTS), { maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      async (results, parallel) => {
        const wanted = ids(results.length);
        let [running, most] = [0, 0];
        const { presort, asked, closed } = begun(
          async id => {
            most = Math.max(most, ++running);
            await Promise.resolve();
            running -= 1;
            const result = results[wanted.indexOf(id)];
            return result === 'unreadable' ? result : { isDoubted: result === 'doubts' };
          },
          { wanted, parallel },
        );
        await presort.over;
        expect([...asked].sort()).toEqual([...wanted].sort());
        expect(most).toBeLessThanOrEqual(parallel);
        const count = (name: string) => results.filter(each => each === name).length;
        expect(presort.state).toMatchObject({
          ...{ status: 'ended', total: results.length, failed: 0, tokens: 10 * results.length },
          ...{ suggested: count('agrees') + count('doubts'), doubted: count('doubts') },
          unreadable: count('unreadable'),
        });
        expect(closed()).toBe(1);
      },
    ),
    { numRuns: 50 },
  );
});

test('a single failure is counted with its reason, and the others are asked about', async () => {
  const { presort } = begun(async id => {
    if (id === 't2') throw new Error('The trajectory t2 has no picture.');
    return { isDoubted: false };
  });
  await presort.over;
  expect(presort.state).toMatchObject({
    ...{ status: 'ended', suggested: 4, failed: 1, problem: 'The trajectory t2 has no picture.' },
  });
});

test('trajectories that the agent cannot be asked about are counted, and do not end it', async () => {
  const { presort, asked } = begun(
    async id => {
      if (id === 't7') return { isDoubted: false };
      throw new NotAsked('Its screens are not stored.');
    },
    { wanted: ids(8) },
  );
  await presort.over;
  expect(asked).toHaveLength(8);
  expect(presort.state).toMatchObject({
    ...{ status: 'ended', suggested: 1, failed: 7, problem: 'Its screens are not stored.' },
  });
});

test.each([
  ['budget', 1],
  ['unauthorized', 1],
  ['timeout', 3],
] as const)('the failure "%s" ends it after %i requests', async (cause, requests) => {
  const { presort, asked, closed } = begun(async () => {
    throw new EndpointError(cause, 'tars', 'It failed. Correct it.');
  });
  await presort.over;
  expect(asked).toHaveLength(requests);
  expect(presort.state).toMatchObject({ status: 'failed', failed: requests, suggested: 0 });
  expect(presort.state.message).toContain('It failed.');
  expect(closed()).toBe(1);
});

test('a cancelled one asks about nothing more, and closes its agent', async () => {
  const { presort, asked, closed } = begun(
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    { parallel: 2 },
  );
  await presort.after(1);
  await presort.cancel();
  expect(presort.state).toMatchObject({ status: 'stopped', suggested: 0, failed: 0 });
  expect(asked).toHaveLength(2);
  expect(closed()).toBe(1);
});

test('an agent that cannot be opened fails it with the reason', async () => {
  const presort = new Presort({
    ...{ name: 'p', agent: 'tars', clock: new VirtualClock() },
    open: () => Promise.reject(new Error('No server at http://lab. Start it.')),
  });
  await presort.over;
  expect(presort.state).toMatchObject({ status: 'failed', message: 'No server at http://lab. Start it.' });
});

test('a follower gets each change at once, and the same state after a while without one', async () => {
  let answer: (result: Presorted) => void = () => undefined;
  const { presort, clock } = begun(
    () =>
      new Promise(resolve => {
        answer = resolve;
      }),
    { wanted: ids(1) },
  );
  const asking = await presort.after(1);
  expect(asking).toMatchObject({ status: 'asking', total: 1 });
  const waiting = presort.after(asking.change);
  await clock.run(clock.now() + 10_000);
  expect(await waiting).toEqual(asking);
  const next = presort.after(asking.change);
  answer({ isDoubted: true });
  expect(await next).toMatchObject({ suggested: 1, doubted: 1 });
  await presort.over;
  expect((await presort.after(presort.state.change)).status).toBe('ended');
});
