// The conformance suite of the port `Learner` (runtime/learner/learner.ts). Each law is a named function of a fixture, so that a test can
// also run one law alone. The suite is independent of the model.

import { describe, expect, test } from 'vitest';
import { LEARNER_KINDS, type Learner } from '../../runtime/learner/learner.ts';
import { ASSESS_LAWS } from './laws/assess.ts';
import { CALL_LAWS, exclusionOf } from './laws/calls.ts';
import { CLIP_LAWS } from './laws/clip.ts';
import type { Abilities, Ability, Law, LearnerFixture } from './laws/law.ts';
import { SAVED_LAWS } from './laws/saved-state.ts';
import { UPDATE_LAWS } from './laws/update.ts';

export type { LearnerFixture } from './laws/law.ts';

const ABILITIES: readonly Ability[] = ['assesses', 'hasReference', 'clips', 'publishes'];

/** The laws of a learner with these abilities, and a law for each that it lacks. */
export const lawsFor = (abilities: Abilities): readonly Law[] => [
  {
    title: 'the capabilities are these, and have a place and a model',
    async check(fixture) {
      const { capabilities } = await fixture.open();
      expect(capabilities).toMatchObject(abilities);
      expect(LEARNER_KINDS).toContain(capabilities.kind);
      expect([capabilities.place, capabilities.model]).not.toContain('');
    },
  },
  ...[...ASSESS_LAWS, ...UPDATE_LAWS, ...CLIP_LAWS, ...SAVED_LAWS, ...CALL_LAWS].filter(
    ({ needs }) => needs === undefined || abilities[needs],
  ),
  ...ABILITIES.filter(ability => !abilities[ability]).map(exclusionOf),
];

/** Rejects if the learner breaks the law. Closes the learners that the law opened. */
export async function checkLaw({ check }: Law, fixture: LearnerFixture): Promise<void> {
  if (fixture.steps.length < 2 || !fixture.steps.some(({ reply }) => reply.length > 1))
    throw new RangeError('The fixture has too few steps. Give it two, one with two tokens in its reply.');
  const opened: Learner[] = [];
  const kept = async (opening: Promise<Learner>): Promise<Learner> => {
    const learner = await opening;
    opened.push(learner);
    return learner;
  };
  try {
    await check({
      steps: fixture.steps,
      optimiser: fixture.optimiser,
      tolerance: fixture.tolerance,
      open: () => kept(fixture.open()),
      reopen: learner => kept(fixture.reopen(learner)),
      contents: async learner => fixture.contents?.(learner),
    });
  } finally {
    await Promise.allSettled(opened.map(learner => learner.close()));
  }
}

/** Registers a test for each law. */
export function testLearner(
  name: string,
  abilities: Abilities,
  fixture: () => LearnerFixture | Promise<LearnerFixture>,
): void {
  describe(`the laws of a learner: ${name}`, () => {
    for (const law of lawsFor(abilities)) test(law.title, async () => checkLaw(law, await fixture()));
  });
}
