// A learner finds out which encoding its server reads, and whether the server recognises a request that is repeated.

import type { TinkerClient } from './client.ts';
import type { LearnerJournal } from './journal.ts';
import { type EncodedRequest, passRequest, type RequestAddress, type WireEncoding } from './requests.ts';
import { PASS } from './results.ts';
import type { ModelRole, ServedModel } from './served-model.ts';
import { isTinkerError } from './tinker-error.ts';
import type { ForwardBackward } from './wire/messages.ts';

export interface ProbeParts {
  readonly client: TinkerClient;
  readonly journal: LearnerJournal;
  readonly model: ServedModel;
}

/** In the rows of probes: a character in vocabularies of bytes, and no special token in those of the models that Dartboard knows. */
export const PROBE_TOKEN = 36;

/**
 * Learns the encoding, the number of the next request, and whether the server answers a repeated request with its first answer: sends the
 * smallest possible row forward, twice. Rejects with 'no-model' if the model is gone.
 */
export async function probeServer(
  role: ModelRole,
  { client, journal, model }: ProbeParts,
  signal: AbortSignal,
): Promise<void> {
  const future = await sendSmallest(role, journal, model, signal);
  if (role === 'policy') {
    const { encoding, policy } = journal.state;
    const again = smallestPass({ modelId: policy.id, seqId: policy.next - 1 }, encoding);
    journal.note({ recognisesRepeats: (await client.submit(again, signal)) === future });
  }
  try {
    await client.result(future, PASS, signal);
  } catch (error) {
    // The server may refuse so small a row. Its answer to the number was all that matters.
    if (!isTinkerError(error, 'failed', 'no-future')) throw error;
  }
  await journal.commit();
}

async function sendSmallest(
  role: ModelRole,
  journal: LearnerJournal,
  model: ServedModel,
  signal: AbortSignal,
): Promise<string> {
  const send = (encoding: WireEncoding) =>
    model.send(role, address => smallestPass(address, encoding), signal);
  const { encoding } = journal.state;
  try {
    return await send(encoding);
  } catch (error) {
    if (!isTinkerError(error, 'bad-request')) throw error;
    // Servers for older SDKs read JSON alone, and some for newer ones protobuf alone.
    const other = encoding === 'protobuf' ? 'json' : 'protobuf';
    const future = await send(other);
    journal.note({ encoding: other });
    return future;
  }
}

const smallestPass = ({ modelId, seqId }: RequestAddress, encoding: WireEncoding): EncodedRequest => {
  const token = { type: 'int64', data: [PROBE_TOKEN], shape: [1] } as const;
  const weight = { type: 'float32', data: [0], shape: [1] } as const;
  const request: ForwardBackward = {
    ...{ modelId, seqId, lossFn: 'cross_entropy', forwardOnly: true },
    data: [
      {
        input: [{ kind: 'text', tokens: [PROBE_TOKEN] }],
        lossInputs: { target_tokens: token, weights: weight },
      },
    ],
  };
  return passRequest(request, encoding);
};
