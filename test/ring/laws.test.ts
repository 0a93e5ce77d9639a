// Laws of the ring for any times, sizes, failures and deaths.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ring, type Setting } from './virtual.ts';

const service = (most: number) =>
  fc.record({
    time: fc.integer({ min: 1, max: most }),
    breaks: fc.double({ min: 0, max: 0.03, noNaN: true }),
  });

const setting: fc.Arbitrary<Setting> = fc.record({
  seed: fc.nat(),
  desktops: fc.integer({ min: 1, max: 8 }),
  versions: fc.integer({ min: 0, max: 4 }),
  perUpdate: fc.integer({ min: 1, max: 12 }),
  stepsPerBatch: fc.integer({ min: 5, max: 200 }),
  maxWaitingBatches: fc.integer({ min: 1, max: 3 }),
  rollouts: fc.integer({ min: 2, max: 9 }),
  maxSteps: fc.integer({ min: 1, max: 8 }),
  tasks: fc.integer({ min: 1, max: 8 }),
  ahead: fc.integer({ min: 1, max: 10 }),
  desktop: service(200),
  decides: fc.integer({ min: 1, max: 100 }),
  trains: fc.integer({ min: 1, max: 10_000 }),
  keepBreaks: fc.constantFrom(0, 0, 0.05),
  comesTwice: fc.constantFrom(0, 0.1),
  kills: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 4 }),
  hostKills: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 3 }),
  takeOvers: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 4 }),
  evaluates: fc.constantFrom(0, 0, 3),
});

const UPDATES = 8;
const HOUR = 3_600_000;

test('the ledger balances, nothing is lost, stale and evaluated rollouts do not train, and updates continue', async () => {
  await fc.assert(
    fc.asyncProperty(setting, async chosen => {
      const ring = await new Ring(chosen).run(UPDATES, HOUR);
      expect(ring.broken).toEqual([]);
      expect(ring.batches.length).toBeGreaterThanOrEqual(UPDATES);
      await ring.stop();
      expect(ring.broken).toEqual([]);
      expect(ring.acknowledged.filter(id => !ring.kept.has(id))).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test('the same seed gives the same run, event for event', async () => {
  await fc.assert(
    fc.asyncProperty(setting, async chosen => {
      const [one, other] = [new Ring(chosen), new Ring(chosen)];
      await Promise.all([one.run(4, HOUR), other.run(4, HOUR)]);
      expect(one.log.length).toBeGreaterThan(10);
      expect(other.log).toEqual(one.log);
      expect(other.decided).toEqual(one.decided);
      expect(other.measured).toEqual(one.measured);
      await Promise.all([one.stop(), other.stop()]);
    }),
    { numRuns: 10 },
  );
});

test('a resumed ring continues the saved ledger with new names', async () => {
  await fc.assert(
    fc.asyncProperty(setting, fc.integer({ min: 0, max: 3 }), async (chosen, updates) => {
      const before = await new Ring({ ...chosen, kills: [], hostKills: [] }).run(updates, 20_000);
      const { submitted } = before.curator.counts();
      const saved = JSON.parse(JSON.stringify(await before.stop()));
      const after = new Ring(chosen, saved);
      expect(after.curator.counts()).toMatchObject({ submitted, running: 0 });
      await after.run(4, HOUR);
      await after.stop();
      expect([...before.broken, ...after.broken]).toEqual([]);
      expect(after.curator.counts().submitted).toBeGreaterThan(submitted);
      const named = [...before.decided, ...after.decided].filter(({ kind }) => kind === 'ordered');
      expect(new Set(named.map(({ group }) => group)).size).toBe(named.length);
    }),
    { numRuns: 10 },
  );
});

test('evaluations and training do not block each other', async () => {
  const ring = new Ring({
    ...{
      seed: 5,
      desktops: 3,
      versions: 1,
      perUpdate: 6,
      stepsPerBatch: 100,
      maxWaitingBatches: 1,
      rollouts: 4,
    },
    ...{ maxSteps: 4, tasks: 4, ahead: 1, desktop: { time: 50, breaks: 0.02 }, decides: 20, trains: 500 },
    ...{ keepBreaks: 0, comesTwice: 0, kills: [], hostKills: [], takeOvers: [], evaluates: 5 },
  });
  await ring.run(20, HOUR);
  expect(ring.broken).toEqual([]);
  expect(ring.batches.length).toBeGreaterThanOrEqual(20);
  expect(ring.measured.length).toBeGreaterThan(3);
  await ring.stop();
});
