// Trains a few updates through failures and crashes: a caller that repeats what failed, and opens the learner again after a crash.

import { messageOf } from '../../../runtime/core/errors.ts';
import type { TinkerLearner } from '../../../runtime/learner/tinker/tinker-learner.ts';
import type { TableState } from '../../doubles/tinker/table-model.ts';
import { type Lab, LIVE, STEPS, settled, storedState, updateOf } from './lab.ts';

const UPDATES = 2;
/** Attempts at one call before a failure counts as permanent. */
const MAX_ATTEMPTS = 12;

export interface Trained {
  readonly present: readonly (readonly number[])[];
  readonly state: TableState;
  readonly learner: TinkerLearner;
  /** Steps that the server lost. */
  readonly lost: number;
}

/** `open` is called again after every failure if `isCrashed` returns true. */
export async function train(
  lab: Lab,
  open: () => Promise<TinkerLearner> = () => lab.open(),
  isCrashed: () => boolean = () => false,
): Promise<Trained> {
  const insist = async <T>(call: () => Promise<T>): Promise<T> => {
    let failures = 0;
    for (;;)
      try {
        return await settled(lab.clock, call());
      } catch (error) {
        failures += 1;
        if (isCrashed()) throw error;
        // A model whose answer was lost is freed with its session.
        if (/Maximum number/.test(messageOf(error))) await lab.clock.run(lab.clock.now() + 400_000);
        if (failures > MAX_ATTEMPTS)
          throw new Error(`It does not recover: ${messageOf(error)}`, { cause: error });
      }
  };
  let [lost, highest] = [0, 0];
  const watch = ({ step }: TinkerLearner) => {
    lost = Math.max(lost, highest - step);
    highest = Math.max(highest, step);
    return step;
  };
  for (;;)
    try {
      const learner = await insist(open);
      while (learner.step < UPDATES) {
        await insist(async () => {
          const reached = watch(learner);
          if (reached < UPDATES) await learner.update(updateOf(reached + 1), LIVE);
        });
        if (learner.step === 1) await insist(() => learner.save('first', LIVE));
      }
      const present = await insist(() => learner.assess(STEPS, 'present', LIVE));
      if (watch(learner) < UPDATES) continue;
      const state = await insist(() => storedState(lab, learner));
      if (watch(learner) < UPDATES) continue;
      return { present, state, learner, lost };
    } catch (error) {
      if (!isCrashed()) throw error;
    }
}
