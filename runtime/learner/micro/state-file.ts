// The state of training of a micro model as one safetensors file: the weights, the moments, the weights before the first step, and the
// last update with its report.

import * as z from 'zod';
import { json } from '../../agents/compact/metadata.ts';
import type { MicroShape } from '../../agents/micro/network.ts';
import { microLayout } from '../../agents/micro/programs.ts';
import { VOCABULARY } from '../../agents/micro/vocabulary.ts';
import { microShape } from '../../agents/micro/weights-file.ts';
import { WEIGHTS } from '../../graph/layout.ts';
import { decodeSafetensors, encodeSafetensors, SafetensorsError } from '../../graph/safetensors.ts';
import { type Tensors, tensor } from '../../graph/tensor.ts';
import { type LastUpdate, lastUpdateSchema } from '../last-update.ts';
import { isVector, type MicroState, type WeightVector } from './micro-trainer.ts';

export interface SavedTraining {
  readonly shape: MicroShape;
  readonly state: MicroState;
  /** The weights before the first step. */
  readonly reference?: WeightVector;
  /** Optimiser steps in all; `state.step` is smaller if the moments were reset. */
  readonly version: number;
  readonly last?: LastUpdate;
}

/** The file cannot be loaded. */
export class TrainingFileError extends Error {
  override readonly name = 'TrainingFileError';
}

const FORMAT = 'dartboard-micro-training-1';
const [MEAN, VARIANCE, REFERENCE] = ['adam.mean', 'adam.variance', 'reference'];

const steps = z.int().min(0);
const METADATA = z.object({
  format: z.literal(FORMAT),
  vocabulary: z.string(),
  shape: json(microShape),
  step: json(steps),
  version: json(steps),
  last: json(lastUpdateSchema).exactOptional(),
});

export function encodeTraining({
  shape,
  state,
  reference,
  version,
  last,
}: SavedTraining): Uint8Array<ArrayBuffer> {
  const vector = (data: WeightVector) => tensor('float32', [data.length], data);
  return encodeSafetensors({
    tensors: {
      [WEIGHTS]: vector(state.weights),
      [MEAN]: vector(state.mean),
      [VARIANCE]: vector(state.variance),
      ...(reference && { [REFERENCE]: vector(reference) }),
    },
    metadata: {
      ...{ format: FORMAT, vocabulary: VOCABULARY, shape: JSON.stringify(shape) },
      ...{ step: JSON.stringify(state.step), version: JSON.stringify(version) },
      ...(last && { last: JSON.stringify(last) }),
    },
  });
}

/** `name` names the file in errors. Throws a TrainingFileError. */
export function decodeTraining(file: Uint8Array, name: string): SavedTraining {
  try {
    const { tensors, metadata } = decodeSafetensors(file);
    if (metadata['format'] !== FORMAT)
      throw new TrainingFileError(
        `'${name}' is no saved training of a micro model: its format is '${metadata['format'] ?? 'unknown'}', not '${FORMAT}'. Name a state that was saved with its optimiser.`,
      );
    const { vocabulary, shape, step, version, last } = METADATA.parse(metadata);
    if (vocabulary !== VOCABULARY)
      throw new TrainingFileError(
        `The training in '${name}' has the vocabulary '${vocabulary}', this version '${VOCABULARY}'. Start a new training.`,
      );
    const { size } = microLayout(shape);
    const vector = (part: string) => vectorIn(tensors, part, size, name);
    return {
      ...{ shape, version },
      state: { weights: vector(WEIGHTS), mean: vector(MEAN), variance: vector(VARIANCE), step },
      ...(tensors[REFERENCE] !== undefined && { reference: vector(REFERENCE) }),
      ...(last !== undefined && { last }),
    };
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new TrainingFileError(
        `The metadata of '${name}' is invalid: ${z.prettifyError(error)}. Use another saved state.`,
      );
    if (error instanceof SafetensorsError)
      throw new TrainingFileError(`'${name}' cannot be loaded: ${error.message} Use another saved state.`);
    throw error;
  }
}

function vectorIn(tensors: Tensors, part: string, size: number, name: string): WeightVector {
  const data = tensors[part]?.data;
  if (data !== undefined && isVector(data) && data.length === size) return data;
  throw new TrainingFileError(
    `The tensor '${part}' of '${name}' has ${data?.length ?? 'no'} numbers, the network has ${size}. Use another saved state.`,
  );
}
