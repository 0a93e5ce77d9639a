// Encodes and validates weights.safetensors: a policy's tensors by name, with the shape of its network and its tasks as metadata.

import * as z from 'zod';
import { json, networkShape } from '../../agents/compact/metadata.ts';
import type { NetworkShape } from '../../agents/compact/network.ts';
import { ENCODING } from '../../agents/compact/observation.ts';
import { layoutFor } from '../../agents/compact/programs.ts';
import { MODES, type Mode } from '../../core/policy.ts';
import { pack, unpack, WeightsError } from '../../graph/layout.ts';
import {
  decodeSafetensors,
  encodeSafetensors,
  hasFormat,
  SafetensorsError,
} from '../../graph/safetensors.ts';

export interface SavedPolicy {
  readonly shape: NetworkShape;
  readonly mode: Mode;
  /** The tasks of its training. None: it may act on all tasks. */
  readonly tasks: readonly string[];
  readonly seed: string;
  readonly weights: Float32Array<ArrayBuffer>;
  /** The run and version of the weights. */
  readonly by?: { readonly run: string; readonly version: number };
}

const FORMAT = 'dartboard-policy-1';

const METADATA = z.object({
  format: z.literal(FORMAT),
  encoding: z.string(),
  mode: z.enum(MODES),
  seed: z.string(),
  tasks: json(z.array(z.string())),
  shape: json(networkShape),
  by: json(z.object({ run: z.string(), version: z.int().min(0) })).exactOptional(),
});

export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError';
}

export function encodePolicy({
  shape,
  mode,
  tasks,
  seed,
  weights,
  by,
}: SavedPolicy): Uint8Array<ArrayBuffer> {
  const metadata = {
    format: FORMAT,
    encoding: ENCODING,
    mode,
    seed,
    tasks: JSON.stringify(tasks),
    shape: JSON.stringify(shape),
    ...(by && { by: JSON.stringify(by) }),
  };
  return encodeSafetensors({ tensors: unpack(layoutFor(shape), weights), metadata });
}

/** Whether it is a policy of this version. A damaged file is none. */
export const isPolicyFile = (file: Uint8Array): boolean => hasFormat(file, FORMAT);

/** `name` names the file in errors. */
export function decodePolicy(file: Uint8Array, name: string): SavedPolicy {
  try {
    const { tensors, metadata } = decodeSafetensors(file);
    if (metadata['format'] !== FORMAT) {
      throw new PolicyFileError(
        `'${name}' is not a policy of this version: its format is '${metadata['format'] ?? 'unknown'}', not '${FORMAT}'. Name weights of 'dartboard train'.`,
      );
    }
    const { encoding, mode, seed, tasks, shape, by } = METADATA.parse(metadata);
    if (encoding !== ENCODING) {
      throw new PolicyFileError(
        `The policy in '${name}' uses the observation encoding '${encoding}', this version '${ENCODING}'. Train it again.`,
      );
    }
    return { shape, mode, tasks, seed, weights: pack(layoutFor(shape), tensors), ...(by && { by }) };
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new PolicyFileError(`The metadata of '${name}' is invalid: ${z.prettifyError(error)}`);
    if (error instanceof SafetensorsError || error instanceof WeightsError)
      throw new PolicyFileError(`'${name}' cannot be used: ${error.message}`);
    throw error;
  }
}
