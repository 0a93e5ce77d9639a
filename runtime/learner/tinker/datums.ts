// Steps as rows of the Tinker protocol, and its results as log-probabilities.
//
// The inputs of a row are shifted by one: place i predicts target i, so the last token of the reply is a target alone. An image counts as
// its tokens. Targets before the reply are 0 and have the weight 0.

import { at } from '../../core/at.ts';
import type { PngSource, RatioClip, TokenStep } from '../learner.ts';
import { TinkerError } from './tinker-error.ts';
import type {
  ForwardBackward,
  ForwardBackwardResult,
  WireChunk,
  WireDatum,
  WireNumbers,
  WireRecord,
  WireTensor,
} from './wire/messages.ts';

/**
 * How a server reduces the loss of its places to one number.
 * sum: the sum over all rows, as the protocol defines it.
 * row-mean: SkyRL on JAX divides the loss of a row by the sum of its weights, and the gradient by the number of rows. Signed weights would
 * make that divisor meaningless, so the weights become the advantages of `importance_sampling` at a ratio of 1.
 */
export const REDUCTIONS = ['sum', 'row-mean'] as const;
export type LossReduction = (typeof REDUCTIONS)[number];

type PassLoss = Pick<ForwardBackward, 'lossFn' | 'lossFnConfig'>;

const PPO = 'ppo';
const [LOW, HIGH] = ['clip_low_threshold', 'clip_high_threshold'];

/** The loss of the requests of an update. */
export function lossFor(reduction: LossReduction, clip?: RatioClip): PassLoss {
  if (clip === undefined) return { lossFn: reduction === 'sum' ? 'cross_entropy' : 'importance_sampling' };
  return { lossFn: PPO, lossFnConfig: { [LOW]: 1 - clip.clipLow, [HIGH]: 1 + clip.clipHigh } };
}

/** The clip that `lossFor` wrote. */
export function clipIn({ lossFn, lossFnConfig = {} }: PassLoss): RatioClip | undefined {
  if (lossFn !== PPO) return undefined;
  return { clipLow: 1 - Number(lossFnConfig[LOW]), clipHigh: Number(lossFnConfig[HIGH]) - 1 };
}

/** A row to train on. */
export interface WeightedStep {
  readonly step: TokenStep;
  readonly weights: readonly number[];
  /** The log-probabilities below the ratio: p_old with a clip, and the present ones for `row-mean` without. Absent: the loss has no ratio. */
  readonly sampled?: readonly number[] | undefined;
}

/** The row for a forward pass. Rejects if the prompt is empty or an image is unknown. */
export async function forwardDatum(step: TokenStep, images: PngSource): Promise<WireDatum> {
  const { chunks, before } = await inputOf(step, images);
  return {
    input: chunks,
    lossInputs: {
      target_tokens: placed('int64', before, step.reply),
      weights: placed(
        'float32',
        before,
        step.reply.map(() => 0),
      ),
    },
  };
}

/** The row of an update with so many rows. */
export async function trainingDatum(
  { step, weights, sampled }: WeightedStep,
  { rows, reduction }: { readonly rows: number; readonly reduction: LossReduction },
  images: PngSource,
): Promise<WireDatum> {
  const { chunks, before } = await inputOf(step, images);
  const targets = { target_tokens: placed('int64', before, step.reply) };
  if (sampled === undefined)
    return { input: chunks, lossInputs: { ...targets, weights: placed('float32', before, weights) } };
  const isMean = reduction === 'row-mean';
  const scale = isMean ? weights.length * rows : 1;
  const mask = weights.map(() => 1);
  const lossInputs = {
    ...targets,
    // Without a mask each place counts, and those before the reply have the advantage 0.
    ...(isMean && { weights: placed('float32', before, mask) }),
    logprobs: placed('float32', before, sampled),
    advantages: placed(
      'float32',
      before,
      weights.map(weight => weight * scale),
    ),
  };
  return { input: chunks, lossInputs };
}

/** The weights of all places that `trainingDatum` wrote. */
export function weightsIn({ lossInputs }: WireDatum, rows: number): readonly number[] {
  const { weights, advantages } = lossInputs;
  if (advantages === undefined) return weights?.data ?? [];
  if (weights === undefined) return advantages.data;
  const scale = rows * weights.data.filter(weight => weight !== 0).length;
  return advantages.data.map(advantage => (advantage === 0 ? 0 : advantage / scale));
}

/** The chunks without the last token of the reply, and the places before the first target of the reply. */
async function inputOf(
  { prompt, reply }: TokenStep,
  images: PngSource,
): Promise<{ readonly chunks: readonly WireChunk[]; readonly before: number }> {
  const length = prompt.reduce((sum, chunk) => sum + lengthOf(chunk), 0);
  if (length === 0)
    throw new RangeError(
      'A step has an empty prompt, so nothing predicts the first token of its reply. Leave out steps without a prompt.',
    );
  const chunks: WireChunk[] = [];
  const add = (tokens: readonly number[]) => {
    const last = chunks.at(-1);
    if (tokens.length === 0) return;
    if (last?.kind === 'text') chunks.splice(-1, 1, { kind: 'text', tokens: [...last.tokens, ...tokens] });
    else chunks.push({ kind: 'text', tokens });
  };
  for (const chunk of prompt)
    if (chunk.kind === 'text') add(chunk.tokens);
    else {
      const data = await images(chunk.sha256);
      chunks.push({ kind: 'image', data, format: 'png', expectedTokens: chunk.tokens });
    }
  add(reply.slice(0, -1));
  return { chunks, before: length - 1 };
}

/** All tokens of a step with its images, as a prompt. */
export async function wholePrompt(step: TokenStep, images: PngSource): Promise<readonly WireChunk[]> {
  const whole = { prompt: [...step.prompt, { kind: 'text', tokens: step.reply } as const], reply: [] };
  return (await inputOf(whole, images)).chunks;
}

const lengthOf = (chunk: TokenStep['prompt'][number]): number =>
  chunk.kind === 'text' ? chunk.tokens.length : chunk.tokens;

function placed(type: WireNumbers, before: number, values: readonly number[]): WireTensor {
  const data = [...Array.from({ length: before }, () => 0), ...values];
  return { type, data, shape: [data.length] };
}

export interface PassLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** The limits of the SDK. */
export const PASS_LIMITS: PassLimits = { rows: 1024, bytes: 5_000_000 };

/** Rows in order, in as few requests as the limits allow. A larger row is a request of its own. */
export async function* inRequests<T>(
  items: readonly T[],
  datumOf: (item: T) => Promise<WireDatum>,
  { rows, bytes }: PassLimits,
): AsyncGenerator<readonly WireDatum[]> {
  let request: WireDatum[] = [];
  let size = 0;
  for (const item of items) {
    const datum = await datumOf(item);
    const more = bytesOf(datum);
    if (request.length > 0 && (size + more > bytes || request.length >= rows)) {
      yield request;
      [request, size] = [[], 0];
    }
    request.push(datum);
    size += more;
  }
  if (request.length > 0) yield request;
}

function bytesOf({ input, lossInputs }: WireDatum): number {
  let bytes = 0;
  for (const chunk of input) {
    if (chunk.kind === 'text') bytes += 4 * chunk.tokens.length;
    if (chunk.kind === 'image') bytes += chunk.data.byteLength;
  }
  for (const { type, data } of Object.values(lossInputs)) bytes += (type === 'int64' ? 8 : 4) * data.length;
  return bytes;
}

/** The log-probabilities of all places of each row. Throws a TinkerError if the server returned others than it was asked for. */
export function logProbabilities(
  { outputs }: ForwardBackwardResult,
  lossInputs: readonly WireRecord[],
  learner: string,
): readonly (readonly number[])[] {
  const wrong = (what: string) =>
    new TinkerError(
      'failed',
      learner,
      `The server returned ${what}. Check that it counts the tokens of an image as the policy does, and that the model has not diverged.`,
    );
  if (outputs.length !== lossInputs.length)
    throw wrong(`${outputs.length} results for ${lossInputs.length} rows`);
  return lossInputs.map(({ target_tokens: targets }, row) => {
    const places = targets?.data.length ?? 0;
    const values = at(outputs, row)['logprobs']?.data ?? [];
    if (values.length !== places)
      throw wrong(`${values.length} log-probabilities for row ${row}, which has ${places} places`);
    return values;
  });
}

/** The log-probabilities of the reply: the last ones of a row. Throws a TinkerError unless they are finite. */
export function ofReply(values: readonly number[], reply: number, learner: string): readonly number[] {
  const chosen = values.slice(values.length - reply);
  const odd = chosen.find(value => !Number.isFinite(value));
  if (odd !== undefined)
    throw new TinkerError(
      'failed',
      learner,
      `The server returned ${odd} as the log-probability of a token. Load an earlier state, and lower the learning rate.`,
    );
  return chosen;
}
