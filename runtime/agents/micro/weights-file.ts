// The file of a micro model: its tensors by name, with its shape, vocabulary and version as metadata.

import * as z from 'zod';
import { pack, unpack, WeightsError } from '../../graph/layout.ts';
import {
  decodeSafetensors,
  encodeSafetensors,
  hasFormat,
  SafetensorsError,
} from '../../graph/safetensors.ts';
import { json } from '../compact/metadata.ts';
import type { MicroShape } from './network.ts';
import { microLayout } from './programs.ts';
import { VOCABULARY } from './vocabulary.ts';

export interface SavedMicro {
  readonly shape: MicroShape;
  /** Counts optimiser steps. */
  readonly version: number;
  readonly weights: Float32Array<ArrayBuffer>;
}

const FORMAT = 'dartboard-micro-1';

const count = z.int().min(1);
export const microShape = z.object({
  ...{ width: count, blocks: count, heads: count, hidden: count, shared: count },
  ...{ letterWidth: count, patchWidth: count, copyWidth: count },
});

const METADATA = z.object({
  format: z.literal(FORMAT),
  vocabulary: z.string(),
  version: json(z.int().min(0)),
  shape: json(microShape),
});

export class MicroFileError extends Error {
  override readonly name = 'MicroFileError';
}

export function encodeMicro({ shape, version, weights }: SavedMicro): Uint8Array<ArrayBuffer> {
  const metadata = {
    ...{ format: FORMAT, vocabulary: VOCABULARY },
    ...{ version: JSON.stringify(version), shape: JSON.stringify(shape) },
  };
  return encodeSafetensors({ tensors: unpack(microLayout(shape), weights), metadata });
}

/** `name` names the file in errors. */
export function decodeMicro(file: Uint8Array, name: string): SavedMicro {
  try {
    const { tensors, metadata } = decodeSafetensors(file);
    if (metadata['format'] !== FORMAT)
      throw new MicroFileError(
        `'${name}' is no micro model: its format is '${metadata['format'] ?? 'unknown'}', not '${FORMAT}'. Name weights that 'dartboard model clone' made.`,
      );
    const { vocabulary, version, shape } = METADATA.parse(metadata);
    if (vocabulary !== VOCABULARY)
      throw new MicroFileError(
        `The micro model in '${name}' has the vocabulary '${vocabulary}', this version '${VOCABULARY}'. Train it again.`,
      );
    return { shape, version, weights: pack(microLayout(shape), tensors) };
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new MicroFileError(`The metadata of '${name}' is invalid: ${z.prettifyError(error)}`);
    if (error instanceof SafetensorsError || error instanceof WeightsError)
      throw new MicroFileError(`'${name}' cannot be used: ${error.message}`);
    throw error;
  }
}

/** Whether a file has the weights of a micro model, of any version. */
export const isMicroFile = (file: Uint8Array): boolean => hasFormat(file, FORMAT);
