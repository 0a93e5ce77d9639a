// Laws of `save` and `load`.

import { expect } from 'vitest';
import type { Learner } from '../../../runtime/learner/learner.ts';
import {
  expectEqual,
  expectEqualReports,
  type Law,
  type LearnerFixture,
  LIVE,
  observed,
  opposed,
  rejectionOf,
  updateOf,
} from './law.ts';

/** The learner that loads: the one that saved, or another one after a crash. */
const LOADERS = [
  ['load', async (_: LearnerFixture, learner: Learner) => learner],
  ['load after a crash', (fixture: LearnerFixture, learner: Learner) => fixture.reopen(learner)],
] as const;

export const SAVED_LAWS: readonly Law[] = [
  {
    title: 'save changes nothing',
    async check(fixture) {
      const learner = await fixture.open();
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const before = await observed(learner, fixture);
      expect(await learner.save('one', LIVE)).not.toBe('');
      expectEqual(await observed(learner, fixture), before, fixture);
    },
  },
  ...LOADERS.flatMap(([name, loader]): readonly Law[] => [
    {
      title: `${name} restores the weights and the optimiser`,
      async check(fixture) {
        const learner = await fixture.open();
        await learner.update(updateOf(fixture, 'u1'), LIVE);
        const saved = await learner.save('one', LIVE);
        const atSave = await observed(learner, fixture);
        const next = updateOf(fixture, 'u2', opposed);
        const report = await learner.update(next, LIVE);
        const after = await observed(learner, fixture);

        const loaded = await loader(fixture, learner);
        await loaded.load(saved, LIVE);
        expectEqual(await observed(loaded, fixture), atSave, fixture);
        expectEqualReports(await loaded.update(next, LIVE), report);
        expectEqual(await observed(loaded, fixture), after, fixture);
      },
    },
    {
      title: `${name} restores the id of the last update`,
      async check(fixture) {
        const learner = await fixture.open();
        await learner.update(updateOf(fixture, 'u1'), LIVE);
        const last = updateOf(fixture, 'u2', opposed);
        const report = await learner.update(last, LIVE);
        const saved = await learner.save('two', LIVE);
        const atSave = await observed(learner, fixture);
        await learner.update(updateOf(fixture, 'u3'), LIVE);

        const loaded = await loader(fixture, learner);
        await loaded.load(saved, LIVE);
        expect(loaded.last).toBe('u2');
        expectEqualReports(await loaded.update(last, LIVE), report);
        expectEqual(await observed(loaded, fixture), atSave, fixture);
      },
    },
  ]),
  {
    title: 'states with two names are two states',
    async check(fixture) {
      const learner = await fixture.open();
      const first = await learner.save('zero', LIVE);
      const atFirst = await observed(learner, fixture);
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const second = await learner.save('one', LIVE);
      const atSecond = await observed(learner, fixture);
      await learner.load(first, LIVE);
      expectEqual(await observed(learner, fixture), atFirst, fixture);
      // Another history: the second state is not a continuation of it.
      await learner.update(updateOf(fixture, 'u2', opposed), LIVE);
      await learner.load(second, LIVE);
      expectEqual(await observed(learner, fixture), atSecond, fixture);
    },
  },
  {
    title: 'an update that a crash interrupted is applied once after load',
    async check(fixture) {
      const learner = await fixture.open();
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const saved = await learner.save('one', LIVE);
      const update = updateOf(fixture, 'u2', opposed);
      const report = await learner.update(update, LIVE);
      const after = await observed(learner, fixture);
      await learner.load(saved, LIVE);

      const lost = learner.update(update, LIVE).catch(() => undefined);
      await new Promise(resolve => setImmediate(resolve));
      const next = await fixture.reopen(learner);
      await lost;
      await next.load(saved, LIVE);
      expectEqualReports(await next.update(update, LIVE), report);
      expectEqual(await observed(next, fixture), after, fixture);
    },
  },
  {
    title: 'load of an unknown state is rejected and changes nothing',
    async check(fixture) {
      const learner = await fixture.open();
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const saved = await learner.save('one', LIVE);
      const before = await observed(learner, fixture);
      expect(await rejectionOf(learner.load(`${saved}-unknown`, LIVE))).toBeInstanceOf(Error);
      expectEqual(await observed(learner, fixture), before, fixture);
    },
  },
];
