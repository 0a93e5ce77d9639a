// Laws of `publish`, of `close`, and of calls that the capabilities exclude.

import { expect } from 'vitest';
import type { Learner } from '../../../runtime/learner/learner.ts';
import { clippedUpdate } from './clip.ts';
import {
  type Ability,
  expectClearRejection,
  expectEqual,
  type Law,
  type LearnerFixture,
  LIVE,
  observed,
  updateOf,
} from './law.ts';

export const CALL_LAWS: readonly Law[] = [
  {
    title: 'publish returns the step, under another path for each step',
    needs: 'publishes',
    async check(fixture) {
      const learner = await fixture.open();
      const first = await learner.publish(LIVE);
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const before = await observed(learner, fixture);
      const second = await learner.publish(LIVE);
      expectEqual(await observed(learner, fixture), before, fixture);
      expect([first.step, second.step]).toEqual([0, 1]);
      expect(first.path).not.toBe('');
      expect(second.path).not.toBe(first.path);
    },
  },
  {
    title: 'every call after close is rejected',
    async check(fixture) {
      const learner = await fixture.open();
      const saved = await learner.save('one', LIVE);
      await learner.close();
      await expectClearRejection(learner.update(updateOf(fixture, 'u1'), LIVE));
      await expectClearRejection(learner.assess(fixture.steps, 'present', LIVE));
      await expectClearRejection(learner.publish(LIVE));
      await expectClearRejection(learner.save('two', LIVE));
      await expectClearRejection(learner.load(saved, LIVE));
    },
  },
];

const EXCLUDED: Readonly<
  Record<
    Ability,
    { readonly title: string; readonly call: (learner: Learner, fixture: LearnerFixture) => Promise<unknown> }
  >
> = {
  assesses: {
    title: 'assess is rejected with the reason',
    call: (learner, { steps }) => learner.assess(steps, 'present', LIVE),
  },
  hasReference: {
    title: 'assess under the reference weights is rejected with the reason',
    call: (learner, { steps }) => learner.assess(steps, 'reference', LIVE),
  },
  clips: {
    title: 'an update with a clip is rejected with the reason',
    call: (learner, { steps, optimiser }) =>
      learner.update(
        clippedUpdate(
          steps.map(step => ({ step, old: step.reply.map(() => -1) })),
          optimiser,
        ),
        LIVE,
      ),
  },
  publishes: { title: 'publish is rejected with the reason', call: learner => learner.publish(LIVE) },
};

/** The law of a learner without an ability: the call is rejected, and the learner goes on. */
export const exclusionOf = (ability: Ability): Law => ({
  title: EXCLUDED[ability].title,
  async check(fixture) {
    const learner = await fixture.open();
    await expectClearRejection(EXCLUDED[ability].call(learner, fixture));
    expect(await learner.update(updateOf(fixture, 'u1'), LIVE)).toMatchObject({ step: 1 });
  },
});
