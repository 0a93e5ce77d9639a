// Tests whether a server computes PPO's loss as Dartboard does: one row without gradients, on which every branch of the loss differs.

import { at } from '../../core/at.ts';
import { ratioReport } from '../built-in-loss.ts';
import type { RatioClip, TokenStep } from '../learner.ts';
import { type LossReduction, lossFor, trainingDatum } from './datums.ts';
import { type ForwardParts, forwardLogProbabilities } from './forward.ts';
import { passRequest } from './requests.ts';
import { PASS } from './results.ts';
import { PROBE_TOKEN } from './server-probe.ts';
import { isTinkerError } from './tinker-error.ts';
import type { ForwardBackwardResult } from './wire/messages.ts';

const STEP: TokenStep = {
  prompt: [{ kind: 'text', tokens: [PROBE_TOKEN] }],
  reply: [PROBE_TOKEN, PROBE_TOKEN, PROBE_TOKEN, PROBE_TOKEN],
};
/** Other bounds than the defaults of servers. */
const CLIP: RatioClip = { clipLow: 0.1, clipHigh: 0.4 };
/** By token: above the upper bound and below the lower one, with weights of both signs. */
const RATIOS = [2, 0.5, 2, 0.5];
const WEIGHTS = [1, 1, -1, -1];
/** −1.4, −0.5, 2 and 0.9 differ by more from one another, and from the losses of the usual bounds. */
const TOLERANCE = 0.05;

/** False if the server has no such loss, has another one, or reports no loss to compare. */
export async function clipsAsExpected(
  parts: ForwardParts,
  reduction: LossReduction,
  signal: AbortSignal,
): Promise<boolean> {
  const { client, journal, model, images } = parts;
  try {
    const [present = []] = await forwardLogProbabilities('policy', [STEP], parts, signal);
    const old = present.map((each, token) => each - Math.log(at(RATIOS, token)));
    const row = { step: STEP, weights: WEIGHTS, sampled: old };
    const datum = await trainingDatum(row, { rows: 1, reduction }, images);
    const request = { ...lossFor(reduction, CLIP), forwardOnly: true, data: [datum] };
    const { encoding } = journal.state;
    const future = await model.send(
      'policy',
      address => passRequest({ ...request, ...address }, encoding),
      signal,
    );
    const scale = reduction === 'sum' ? 1 : WEIGHTS.length;
    const expected = WEIGHTS.map((weight, token) => {
      const alone = { weights: [weight], old: [at(old, token)], present: [at(present, token)] };
      return scale * ratioReport([alone], CLIP).loss;
    });
    return areEqual(reported(await client.result(future, PASS, signal), WEIGHTS.length), expected);
  } catch (error) {
    if (!isTinkerError(error, 'failed', 'bad-request', 'no-future')) throw error;
    return false;
  }
}

/** The loss of each token of the reply. */
const reported = ({ outputs }: ForwardBackwardResult, tokens: number): readonly number[] =>
  outputs[0]?.['elementwise_loss']?.data.slice(-tokens) ?? [];

const areEqual = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length &&
  one.every(
    (each, index) => Math.abs(each - at(other, index)) <= TOLERANCE * Math.max(1, Math.abs(at(other, index))),
  );
