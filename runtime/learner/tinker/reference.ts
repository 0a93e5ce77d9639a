// The weights before the first step: a second model of the same base that is never trained, or else the base model's own log-probabilities
// of a prompt. The second model computes as the trained one does, so equal weights give equal numbers; it is preferred.

import { at } from '../../core/at.ts';
import type { PngSource, TokenStep } from '../learner.ts';
import type { TinkerClient } from './client.ts';
import { ofReply, wholePrompt } from './datums.ts';
import type { LearnerJournal } from './journal.ts';
import { promptLogProbabilitiesRequest } from './requests.ts';
import { SAMPLES } from './results.ts';
import type { ServedModel } from './served-model.ts';
import { type ProbeParts, probeServer } from './server-probe.ts';
import { isTinkerError, TinkerError } from './tinker-error.ts';

export type ReferenceKind = 'model' | 'prompts';

export interface ReferenceOptions {
  /** The learner, for messages. */
  readonly name: string;
  readonly client: TinkerClient;
  readonly journal: LearnerJournal;
  readonly model: ServedModel;
  readonly baseModel: string;
  readonly images: PngSource;
}

/** Resolves with what the server can do; undefined if it has neither. */
export async function openReference(
  options: ReferenceOptions,
  signal: AbortSignal,
): Promise<ReferenceKind | undefined> {
  const { journal, model } = options;
  try {
    if (journal.state.reference !== undefined && (await answers(options, signal))) return 'model';
    await model.createReference(signal);
    if (await answers(options, signal)) return 'model';
  } catch (error) {
    // The server has room for one model.
    if (!isTinkerError(error, 'failed', 'bad-request')) throw error;
  }
  await journal.commit({ reference: undefined });
  try {
    await promptLogProbabilities([SMALLEST], options, signal);
    return 'prompts';
  } catch (error) {
    if (!isTinkerError(error, 'failed', 'bad-request', 'no-model')) throw error;
    return undefined;
  }
}

const SMALLEST: TokenStep = { prompt: [{ kind: 'text', tokens: [0] }], reply: [0] };

async function answers(parts: ProbeParts, signal: AbortSignal): Promise<boolean> {
  try {
    await probeServer('reference', parts, signal);
    return true;
  } catch (error) {
    if (!isTinkerError(error, 'no-model')) throw error;
    return false;
  }
}

/** Requests that a server works on at the same time. */
const MAX_PROMPTS = 32;

/** One log-probability per token of each reply, from the base model. */
export async function promptLogProbabilities(
  steps: readonly TokenStep[],
  { client, baseModel, images, name }: ReferenceOptions,
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const lists: (readonly number[])[] = [];
  for (let start = 0; start < steps.length; start += MAX_PROMPTS) {
    const group = steps.slice(start, start + MAX_PROMPTS);
    const futures: string[] = [];
    for (const step of group) {
      const request = promptLogProbabilitiesRequest(baseModel, await wholePrompt(step, images));
      futures.push(await client.submit(request, signal));
    }
    for (const [index, { reply }] of group.entries()) {
      const { promptLogprobs } = await client.result(at(futures, index), SAMPLES, signal);
      // Some servers leave out the first token of the prompt, for which there is none. The reply is last on all.
      if (promptLogprobs === undefined || promptLogprobs.length < reply.length)
        throw new TinkerError(
          'failed',
          name,
          `The server returned ${promptLogprobs?.length ?? 0} log-probabilities of a prompt that ends in a reply of ${reply.length} tokens. It has no reference weights: set β to 0.`,
        );
      const values = promptLogprobs.map(value => value ?? Number.NaN);
      lists.push(ofReply(values, reply.length, name));
    }
  }
  return lists;
}
