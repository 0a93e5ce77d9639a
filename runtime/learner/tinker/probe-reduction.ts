// Tests how a server reduces the loss of a row, because signed weights are meaningless under another reduction than the learner assumes: a
// row with three times the weight has three times the gradient, unless the server divides by the sum of the weights.

import type { PngSource, TokenStep } from '../learner.ts';
import type { TinkerClient } from './client.ts';
import { type LossReduction, lossFor, trainingDatum } from './datums.ts';
import type { LearnerJournal } from './journal.ts';
import { passRequest, stepRequest } from './requests.ts';
import { PASS, STEP } from './results.ts';
import { type ServedModel, STILL } from './served-model.ts';
import { PROBE_TOKEN } from './server-probe.ts';
import { isTinkerError, TinkerError } from './tinker-error.ts';
import { gradientNormIn } from './update-loss.ts';

export interface ReductionProbe {
  /** The learner, for messages. */
  readonly name: string;
  readonly client: TinkerClient;
  readonly journal: LearnerJournal;
  readonly model: ServedModel;
  readonly images: PngSource;
}

const ROW: TokenStep = { prompt: [{ kind: 'text', tokens: [PROBE_TOKEN] }], reply: [PROBE_TOKEN] };
const FACTOR = 3;
/** Gradients in 16 bits have errors. */
const TOLERANCE = 0.25;

/**
 * Rejects if the server has another reduction. Uses a second model, and makes no step that changes weights. Decides nothing if the server has
 * no room for a second model, or reports no norm of gradients.
 */
export async function checkReduction(
  parts: ReductionProbe,
  reduction: LossReduction,
  signal: AbortSignal,
): Promise<void> {
  const { name, client, model } = parts;
  try {
    await model.dropReference(signal);
    await model.createReference(signal);
    const [once, more] = [await normFor(1, parts, signal), await normFor(FACTOR, parts, signal)];
    const found = reductionOf(once, more);
    if (found === undefined || found === reduction) return;
    throw new TinkerError('bad-request', name, MESSAGES[reduction](client.url));
  } catch (error) {
    if (!isTinkerError(error, 'failed', 'no-future', 'no-model') && !isRefusal(error)) throw error;
  }
}

const isRefusal = (error: unknown): boolean =>
  isTinkerError(error, 'bad-request') && error.status !== undefined;

const MESSAGES: Readonly<Record<LossReduction, (url: string) => string>> = {
  sum: url =>
    `The server ${url} divides the loss of a row by the sum of its weights, but the reduction of the learner is 'sum': its updates would be meaningless. Set "reduction": "row-mean" in the learner.`,
  'row-mean': url =>
    `The server ${url} adds up the losses of tokens, but the reduction of the learner is 'row-mean': long replies would count more. Set "reduction": "sum" in the learner.`,
};

/** Undefined if the two norms fit neither. */
function reductionOf(once: number | undefined, more: number | undefined): LossReduction | undefined {
  if (once === undefined || more === undefined || !(once > 0)) return undefined;
  const isNear = (factor: number) => Math.abs(more / once / factor - 1) < TOLERANCE;
  if (isNear(FACTOR)) return 'sum';
  return isNear(1) ? 'row-mean' : undefined;
}

async function normFor(
  weight: number,
  { client, journal, model, images }: ReductionProbe,
  signal: AbortSignal,
): Promise<number | undefined> {
  const datum = await trainingDatum({ step: ROW, weights: [weight] }, { rows: 1, reduction: 'sum' }, images);
  const request = { ...lossFor('sum'), forwardOnly: false, data: [datum] };
  const { encoding } = journal.state;
  const pass = await model.send(
    'reference',
    address => passRequest({ ...request, ...address }, encoding),
    signal,
  );
  await client.result(pass, PASS, signal);
  const step = await model.send('reference', address => stepRequest(address, STILL), signal);
  return gradientNormIn((await client.result(step, STEP, signal)).metrics ?? {});
}
