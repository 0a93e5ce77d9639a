// Random batches of an objective that a learner can compute itself: each as an update with a clip, and as one with signed weights.

import { at } from '../../runtime/core/at.ts';
import type { Random } from '../../runtime/core/rng.ts';
import { builtInLoss } from '../../runtime/learner/built-in-loss.ts';
import type { AdamSettings, TokenStep, TokenUpdate } from '../../runtime/learner/learner.ts';
import { DART_OBJECTIVE, replyWeights, type TokenObjective } from '../../runtime/learner/token-objective.ts';

type Table = readonly (readonly number[])[];

export interface ClippedBatch {
  readonly objective: TokenObjective;
  readonly clipped: TokenUpdate;
  readonly signed: TokenUpdate;
}

/** Ratios on both sides of the bounds, advantages of both signs and 0, importance weights per token and per reply, with and without truncation. */
export function clippedBatch(
  id: string,
  {
    steps,
    present,
    optimiser,
  }: { readonly steps: readonly TokenStep[]; readonly present: Table; readonly optimiser: AdamSettings },
  random: Random,
): ClippedBatch {
  const within = (low: number, high: number) => low + (high - low) * random.next();
  const objective: TokenObjective = {
    ...{ ...DART_OBJECTIVE, divergence: 0, dualClip: 0 },
    ...{ clipLow: within(0.05, 0.5), clipHigh: within(0.05, 0.5), truncation: at([0, 1, 5], random.int(3)) },
    importance: at(['token', 'sequence'] as const, random.int(2)),
  };
  const replies = steps.map(({ reply }, row) => {
    const now = at(present, row);
    const old = reply.map((_, token) => at(now, token) - within(-1, 1));
    return {
      advantage: random.int(6) === 0 ? 0 : within(-2, 2),
      ...{ present: now, old },
      ...(random.int(4) > 0 && { rollout: old.map(each => each - within(-0.5, 0.5)) }),
    };
  });
  const updateBy = (presentOf: (reply: (typeof replies)[number]) => readonly number[]): TokenUpdate => ({
    ...{ id, optimiser },
    rows: steps.map((step, row) => {
      const reply = at(replies, row);
      const { weights } = replyWeights({ ...reply, present: presentOf(reply) }, objective);
      return {
        ...{ step, weights: weights.map(weight => weight / steps.length) },
        origin: {
          ...{ trajectory: `t${row}`, index: 0, group: 'g', task: 'task', isSuccess: true },
          ...{ advantage: reply.advantage, old: reply.old },
        },
      };
    }),
  });
  const clip = builtInLoss(objective);
  if (clip === undefined) throw new Error('The objective of the test is no built-in loss.');
  return {
    objective,
    clipped: { ...updateBy(({ old }) => old), clip },
    signed: updateBy(reply => reply.present),
  };
}
