// Laws of `assess`.

import { expect } from 'vitest';
import { expectEqual, farthest, type Law, LIVE, observed, updateOf } from './law.ts';

export const ASSESS_LAWS: readonly Law[] = [
  {
    title: 'assess returns one log-probability per token of each reply',
    needs: 'assesses',
    async check(fixture) {
      const learner = await fixture.open();
      const assessed = await learner.assess(fixture.steps, 'present', LIVE);
      expect(assessed.map(({ length }) => length)).toEqual(fixture.steps.map(({ reply }) => reply.length));
      for (const logProbability of assessed.flat()) {
        expect(Number.isFinite(logProbability)).toBe(true);
        expect(logProbability).toBeLessThanOrEqual(fixture.tolerance);
      }
    },
  },
  {
    title: 'assess answers in the order of its steps',
    needs: 'assesses',
    async check(fixture) {
      const learner = await fixture.open();
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const forward = await learner.assess(fixture.steps, 'present', LIVE);
      const backward = await learner.assess(fixture.steps.toReversed(), 'present', LIVE);
      expect(farthest(backward.toReversed(), forward)).toBeLessThanOrEqual(fixture.tolerance);
      expect(farthest(backward, forward)).toBeGreaterThan(fixture.tolerance);
    },
  },
  {
    title: 'assess changes nothing',
    needs: 'assesses',
    async check(fixture) {
      const learner = await fixture.open();
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const before = await observed(learner, fixture);
      expectEqual(await observed(learner, fixture), before, fixture);
    },
  },
  {
    title: 'the reference weights are those before the first step',
    needs: 'hasReference',
    async check(fixture) {
      const learner = await fixture.open();
      const first = await learner.assess(fixture.steps, 'present', LIVE);
      const reference = await learner.assess(fixture.steps, 'reference', LIVE);
      expect(farthest(reference, first)).toBeLessThanOrEqual(fixture.tolerance);
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const later = await learner.assess(fixture.steps, 'reference', LIVE);
      expect(farthest(later, reference)).toBeLessThanOrEqual(fixture.tolerance);
      const present = await learner.assess(fixture.steps, 'present', LIVE);
      expect(farthest(present, reference)).toBeGreaterThan(fixture.tolerance);
    },
  },
  {
    title: 'the reference weights are the same after load and after a crash',
    needs: 'hasReference',
    async check(fixture) {
      const learner = await fixture.open();
      const reference = await learner.assess(fixture.steps, 'reference', LIVE);
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const saved = await learner.save('one', LIVE);
      const next = await fixture.reopen(learner);
      await next.load(saved, LIVE);
      const later = await next.assess(fixture.steps, 'reference', LIVE);
      expect(farthest(later, reference)).toBeLessThanOrEqual(fixture.tolerance);
    },
  },
];
