// A checkpoint: the complete state of a trainer as one safetensors file, validated when it is read.

import * as z from 'zod';
import { json, networkShape } from '../agents/compact/metadata.ts';
import type { NetworkShape } from '../agents/compact/network.ts';
import { ENCODING } from '../agents/compact/observation.ts';
import { type Version, version } from '../core/ids.ts';
import type { Random, RandomState } from '../core/rng.ts';
import { WEIGHTS } from '../graph/layout.ts';
import { decodeSafetensors, encodeSafetensors, SafetensorsError } from '../graph/safetensors.ts';
import { type Tensor, type Tensors, tensor } from '../graph/tensor.ts';
import { forkStreams, RANDOM_STREAMS, type RandomStreams, saveStreams } from './random-streams.ts';

export interface Checkpoint {
  /** The weights are those of this published version. */
  readonly version: Version;
  readonly shape: NetworkShape;
  /** Weights, moments and the step count. */
  readonly state: Tensors;
  /** The mean of the weights over the last seconds. */
  readonly mean: Float32Array<ArrayBuffer>;
  /** The reference weights of the KL term: those that the training began with. */
  readonly reference?: Float32Array<ArrayBuffer>;
  readonly updates: number;
  /** Training time. */
  readonly milliseconds: number;
  readonly chances: RandomStreams<RandomState>;
}

const FORMAT = 'dartboard-checkpoint-1';
const MEAN = 'mean';
const REFERENCE = 'reference';
/** The state of Adam. */
const [ADAM_MEAN, ADAM_VARIANCE, STEP] = ['adam.mean', 'adam.variance', 'adam.step'];
const STATE = [WEIGHTS, ADAM_MEAN, ADAM_VARIANCE, STEP];

const WORD = z.int().min(0).max(0xffff_ffff);
const WORDS = z.tuple([WORD, WORD, WORD, WORD]);

const METADATA = z.object({
  format: z.literal(FORMAT),
  encoding: z.string(),
  version: json(z.int().nonnegative()),
  updates: json(z.int().nonnegative()),
  milliseconds: json(z.number().nonnegative()),
  chances: json(z.record(z.enum(RANDOM_STREAMS), z.object({ origin: WORDS, position: WORDS }))),
  shape: json(networkShape),
});

export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

export function encodeCheckpoint({ state, mean, reference, ...about }: Checkpoint): Uint8Array<ArrayBuffer> {
  const counters = Object.entries(about).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return encodeSafetensors({
    tensors: {
      ...state,
      [MEAN]: vector(mean),
      ...(reference !== undefined && { [REFERENCE]: vector(reference) }),
    },
    metadata: { format: FORMAT, encoding: ENCODING, ...Object.fromEntries(counters) },
  });
}

const vector = (data: Float32Array<ArrayBuffer>) => tensor('float32', [data.length], data);

/** `name` is the file name in errors. */
export function decodeCheckpoint(file: Uint8Array, name: string): Checkpoint {
  try {
    const { tensors, metadata } = decodeSafetensors(file);
    if (metadata['format'] !== FORMAT) {
      throw new CheckpointError(
        `'${name}' is no checkpoint of this version: its format is '${metadata['format'] ?? 'unnamed'}', not '${FORMAT}'. Use the program that wrote it, or move the file away.`,
      );
    }
    const { encoding, format: _, ...about } = METADATA.parse(metadata);
    if (encoding !== ENCODING) {
      throw new CheckpointError(
        `Checkpoint '${name}' uses the observation encoding '${encoding}', this version uses '${ENCODING}'. Use the version that wrote it, or train from the start.`,
      );
    }
    return { ...about, version: version(about.version), ...weightsIn(tensors, name) };
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new CheckpointError(
        `Checkpoint '${name}' has invalid metadata: ${z.prettifyError(error)}. ${MOVE_AWAY}`,
      );
    if (error instanceof SafetensorsError)
      throw new CheckpointError(`Checkpoint '${name}' cannot be read: ${error.message} ${MOVE_AWAY}`);
    throw error;
  }
}

const MOVE_AWAY = 'Move the file away to continue from an earlier one.';

function weightsIn(tensors: Tensors, name: string): Pick<Checkpoint, 'state' | 'mean' | 'reference'> {
  const { [MEAN]: mean, [REFERENCE]: reference, ...state } = tensors;
  const size = state[WEIGHTS]?.data.length;
  const odd = [...STATE, MEAN, ...(reference === undefined ? [] : [REFERENCE])].find(each => {
    const data = tensors[each]?.data;
    return each === STEP ? data === undefined : !(data instanceof Float32Array && data.length === size);
  });
  const floats = ({ data }: Tensor) => Float32Array.from(data, Number);
  if (odd === undefined && mean !== undefined)
    return { state, mean: floats(mean), ...(reference !== undefined && { reference: floats(reference) }) };
  throw new CheckpointError(`Checkpoint '${name}' has no '${odd}' of the size of its weights. ${MOVE_AWAY}`);
}

/**
 * A new training from the weights, moments and mean of another. Time, updates and versions start at 0, so the learning rate schedule starts
 * anew; random streams and reference weights are its own.
 */
export const restartFrom = ({ reference: _, ...checkpoint }: Checkpoint, random: Random): Checkpoint => ({
  ...checkpoint,
  version: version(0),
  updates: 0,
  milliseconds: 0,
  chances: saveStreams(forkStreams(random)),
});

/** The start of a training from weights that have no moments. */
export function checkpointOf(
  { shape, weights }: { readonly shape: NetworkShape; readonly weights: Float32Array<ArrayBuffer> },
  random: Random,
): Checkpoint {
  const zeros = () => vector(new Float32Array(weights.length));
  return {
    ...{ version: version(0), shape, mean: weights, updates: 0, milliseconds: 0 },
    state: {
      ...{ [WEIGHTS]: vector(weights), [ADAM_MEAN]: zeros(), [ADAM_VARIANCE]: zeros() },
      [STEP]: tensor('int64', [], BigInt64Array.of(0n)),
    },
    chances: saveStreams(forkStreams(random)),
  };
}

/** Throws if the checkpoint is of another network. `size` is the number of weights of ours. */
export function checkSameNetwork(
  { shape: theirs, mean }: Checkpoint,
  ours: NetworkShape,
  size: number,
  name: string,
): void {
  const [one, other] = [theirs, ours].map(shape => JSON.stringify(Object.entries(shape).sort()));
  if (one !== other) {
    throw new CheckpointError(
      `Checkpoint '${name}' has a network of shape ${JSON.stringify(theirs)}, but the run has ${JSON.stringify(ours)}. Use the same settings, or train in another folder.`,
    );
  }
  if (mean.length === size) return;
  throw new CheckpointError(
    `Checkpoint '${name}' has ${mean.length} weights, the network of this version has ${size}. Use the version that wrote it, or train in another folder.`,
  );
}
