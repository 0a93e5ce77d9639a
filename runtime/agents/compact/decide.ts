// Feeds of the deciding program, and the decisions in its outputs, row by row.

import { type Tensors, tensorNamed } from '../../graph/tensor.ts';
import { SLOTS, type Slot } from './action-kinds.ts';
import { choiceOf, distributionOf } from './programs.ts';

export interface SampledRow {
  readonly choices: Readonly<Record<Slot, number>>;
  /** Log-probability of the choice in each slot, used or not, in the order of SLOTS. */
  readonly logProbabilities: readonly number[];
}

/** How the decisions of a row are sampled. */
export interface SamplingOptions {
  readonly chance: () => number;
  /** 1 samples the policy unchanged; 0 takes the most likely choice and ignores `exploration`. */
  readonly temperature: number;
  readonly exploration: number;
  /** Random decisions prefer what the screen offers and the instruction names. */
  readonly isGuided?: boolean;
}

/** Each row has its own random source, so that its decisions do not depend on the other rows of the batch. */
export function samplingFeedsOf(rows: readonly SamplingOptions[]): Tensors {
  const numbers = rows.flatMap(({ chance }) => SLOTS.map(() => Math.min(chance(), MAX_CHANCE)));
  const column = (of: (row: SamplingOptions) => number) =>
    ({ dtype: 'float32', dims: [rows.length, 1], data: Float32Array.from(rows, of) }) as const;
  return {
    chance: { dtype: 'float32', dims: [rows.length, SLOTS.length], data: Float32Array.from(numbers) },
    temperature: column(({ temperature }) => temperature),
    exploration: column(({ exploration }) => exploration),
    guided: column(({ isGuided }) => Number(isGuided === true)),
  };
}

/** Feeds with the same options for all rows. */
export const samplingFeeds = (
  batch: number,
  chance: () => number,
  { temperature = 1, exploration = 0, isGuided = false }: Partial<SamplingOptions> = {},
): Tensors =>
  samplingFeedsOf(Array.from({ length: batch }, () => ({ chance, temperature, exploration, isGuided })));

/** Stays below 1 after rounding to float32. */
const MAX_CHANCE = 1 - 2 ** -20;

export function sampledRows(outputs: Tensors, batch: number): readonly SampledRow[] {
  const slots = SLOTS.map(slot => ({
    slot,
    choices: tensorNamed(outputs, choiceOf(slot)).data,
    distributions: distributionsOf(outputs, slot),
  }));
  return Array.from({ length: batch }, (_, row) => {
    const choices: Partial<Record<Slot, number>> = {};
    const logProbabilities: number[] = [];
    for (const { slot, choices: chosen, distributions } of slots) {
      const choice = Number(chosen[row]);
      choices[slot] = choice;
      // An unused slot may have no valid choice; then its number is out of range.
      logProbabilities.push(distributions[row * (distributions.length / batch) + choice] ?? Number.NaN);
    }
    return { choices: choices as SampledRow['choices'], logProbabilities };
  });
}

/** Log-probabilities of all choices of a slot. */
export function distribution(outputs: Tensors, slot: Slot, row: number, batch: number): Float32Array {
  const data = distributionsOf(outputs, slot);
  const count = data.length / batch;
  return data.subarray(row * count, (row + 1) * count);
}

/** Log-probabilities of all rows, concatenated. */
const distributionsOf = (outputs: Tensors, slot: Slot): Float32Array =>
  tensorNamed(outputs, distributionOf(slot)).data as Float32Array;
