// Log-probabilities of replies under a model on the server, by passes without gradients.

import { at } from '../../core/at.ts';
import type { PngSource, TokenStep } from '../learner.ts';
import type { TinkerClient } from './client.ts';
import { forwardDatum, inRequests, logProbabilities, lossFor, ofReply, type PassLimits } from './datums.ts';
import type { LearnerJournal } from './journal.ts';
import { passRequest } from './requests.ts';
import { PASS } from './results.ts';
import type { ModelRole, ServedModel } from './served-model.ts';
import type { WireRecord } from './wire/messages.ts';

export interface ForwardParts {
  /** The learner, for messages. */
  readonly name: string;
  readonly client: TinkerClient;
  readonly journal: LearnerJournal;
  readonly model: ServedModel;
  readonly images: PngSource;
  readonly limits: PassLimits;
}

/** One log-probability per token of each reply. All requests are sent before the first result is retrieved. */
export async function forwardLogProbabilities(
  role: ModelRole,
  steps: readonly TokenStep[],
  { name, client, journal, model, images, limits }: ForwardParts,
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const sent: { readonly future: string; readonly lossInputs: readonly WireRecord[] }[] = [];
  const loss = lossFor('sum');
  for await (const data of inRequests(steps, step => forwardDatum(step, images), limits)) {
    const { encoding } = journal.state;
    const future = await model.send(
      role,
      address => passRequest({ ...address, ...loss, forwardOnly: true, data }, encoding),
      signal,
    );
    sent.push({ future, lossInputs: data.map(each => each.lossInputs) });
  }
  const places: (readonly number[])[] = [];
  for (const { future, lossInputs } of sent)
    places.push(...logProbabilities(await client.result(future, PASS, signal), lossInputs, name));
  return steps.map(({ reply }, row) => ofReply(at(places, row), reply.length, name));
}
