// A checkpoint: all that a trainer needs to go on as if it had never stopped, as one safetensors file. What comes from a file is
// checked here, once. What is left out is told in trainer.ts.

import * as z from 'zod';
import { json, networkShape } from '../agent/metadata.ts';
import type { NetworkShape } from '../agent/network.ts';
import { ENCODING } from '../agent/observation.ts';
import { type Version, version } from '../core/ids.ts';
import type { Random, RandomState } from '../core/rng.ts';
import { WEIGHTS } from '../graph/layout.ts';
import { decodeSafetensors, encodeSafetensors, SafetensorsError } from '../graph/safetensors.ts';
import { type Tensor, type Tensors, tensor } from '../graph/tensor.ts';
import { CHANCES, type Chances, chancesFrom, savedChances } from './chances.ts';

export interface Checkpoint {
  /** Its weights are those that were published under this number. */
  readonly version: Version;
  readonly shape: NetworkShape;
  /** All that an update changes: weights, moments and the count of steps. */
  readonly state: Tensors;
  /** The mean of the weights over the last seconds. */
  readonly mean: Float32Array<ArrayBuffer>;
  /** The weights that the policy is held near to, where a recipe asks for that: those that the training began with. */
  readonly reference?: Float32Array<ArrayBuffer>;
  readonly updates: number;
  /** How long it has trained. */
  readonly milliseconds: number;
  readonly chances: Chances<RandomState>;
}

const FORMAT = 'dartboard-checkpoint-1';
const MEAN = 'mean';
const REFERENCE = 'reference';
/** What the optimiser keeps, see adam.ts: without it the next step would be another. */
const STEP = 'adam.step';
const STATE = [WEIGHTS, 'adam.mean', 'adam.variance', STEP];

const WORD = z.int().min(0).max(0xffff_ffff);
const WORDS = z.tuple([WORD, WORD, WORD, WORD]);

const METADATA = z.object({
  format: z.literal(FORMAT),
  encoding: z.string(),
  version: json(z.int().nonnegative()),
  updates: json(z.int().nonnegative()),
  milliseconds: json(z.number().nonnegative()),
  chances: json(z.record(z.enum(CHANCES), z.object({ origin: WORDS, position: WORDS }))),
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

/** `name` is what errors call the file. */
export function decodeCheckpoint(file: Uint8Array, name: string): Checkpoint {
  try {
    const { tensors, metadata } = decodeSafetensors(file);
    if (metadata['format'] !== FORMAT) {
      throw new CheckpointError(
        `'${name}' is no checkpoint of this version (its format is '${metadata['format'] ?? 'unnamed'}', not '${FORMAT}'): go on with the program that wrote it, or move the file away.`,
      );
    }
    const { encoding, format: _, ...about } = METADATA.parse(metadata);
    if (encoding !== ENCODING) {
      throw new CheckpointError(
        `The checkpoint '${name}' reads screens as '${encoding}', this version shows them as '${ENCODING}': go on with the version that wrote it, or train anew.`,
      );
    }
    return { ...about, version: version(about.version), ...weightsIn(tensors, name) };
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new CheckpointError(
        `The metadata of the checkpoint '${name}' is not right: ${z.prettifyError(error)}. ${AWAY}`,
      );
    if (error instanceof SafetensorsError)
      throw new CheckpointError(`The checkpoint '${name}' cannot be used: ${error.message} ${AWAY}`);
    throw error;
  }
}

const AWAY = 'Move the file away to go on from an earlier one.';

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
  throw new CheckpointError(
    `The checkpoint '${name}' holds no '${odd}' that fits its weights: it was written by another program. ${AWAY}`,
  );
}

/**
 * Where a training of its own begins with the weights of another: these stay, with their moments and their mean. Time, updates and
 * versions count from 0, so that the learning rate rises and cools as in any other, and chance is its own.
 * What the other was held near to is not its affair.
 */
export const anew = ({ reference: _, ...checkpoint }: Checkpoint, random: Random): Checkpoint => ({
  ...checkpoint,
  version: version(0),
  updates: 0,
  milliseconds: 0,
  chances: savedChances(chancesFrom(random)),
});

/** A checkpoint of another network is whole, and of no use. `size` is how many weights ours has. */
export function refuseOtherNetwork(
  { shape: theirs, mean }: Checkpoint,
  ours: NetworkShape,
  size: number,
  name: string,
): void {
  const [one, other] = [theirs, ours].map(shape => JSON.stringify(Object.entries(shape).sort()));
  if (one !== other) {
    throw new CheckpointError(
      `The checkpoint '${name}' is of a network of the shape ${JSON.stringify(theirs)}, ${JSON.stringify(ours)} was asked for: ask for the same, or train in another folder.`,
    );
  }
  if (mean.length === size) return;
  throw new CheckpointError(
    `The checkpoint '${name}' has ${mean.length} weights, the network of this version has ${size}: go on with the version that wrote it, or train in another folder.`,
  );
}
