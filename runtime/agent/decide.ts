// From what the deciding program gives to what was decided, row by row.

import type { Tensors } from '../graph/tensor.ts';
import { SLOTS, type Slot } from './action-kinds.ts';
import { choiceOf, distributionOf } from './programs.ts';

export interface Drawn {
  readonly choices: Readonly<Record<Slot, number>>;
  /** Of the choice in each slot, used or not, in the order of SLOTS. */
  readonly logProbabilities: readonly number[];
}

/** What the decisions of a row are drawn with, beside what is seen. */
export interface SamplingOptions {
  readonly chance: () => number;
  /** 1 samples the policy as it is; 0 takes the likeliest, whatever is explored. */
  readonly temperature: number;
  readonly exploration: number;
}

/** Each row is drawn with its own, so that it does not matter who shares the batch. */
export function drawingFeedsOf(rows: readonly SamplingOptions[]): Tensors {
  const numbers = rows.flatMap(({ chance }) => SLOTS.map(() => Math.min(chance(), LARGEST)));
  const column = (of: (row: SamplingOptions) => number) =>
    ({ dtype: 'float32', dims: [rows.length, 1], data: Float32Array.from(rows, of) }) as const;
  return {
    chance: { dtype: 'float32', dims: [rows.length, SLOTS.length], data: Float32Array.from(numbers) },
    temperature: column(({ temperature }) => temperature),
    exploration: column(({ exploration }) => exploration),
  };
}

/** The same for all rows. */
export const drawingFeeds = (
  batch: number,
  chance: () => number,
  { temperature = 1, exploration = 0 }: Partial<SamplingOptions> = {},
): Tensors => drawingFeedsOf(Array.from({ length: batch }, () => ({ chance, temperature, exploration })));

/** A float that is below 1 even after rounding. */
const LARGEST = 1 - 2 ** -20;

export function drawnRows(outputs: Tensors, batch: number): readonly Drawn[] {
  const slots = SLOTS.map(slot => ({
    slot,
    choices: outputs[choiceOf(slot)]?.data ?? [],
    distributions: distributionsOf(outputs, slot),
  }));
  return Array.from({ length: batch }, (_, row) => {
    const choices: Partial<Record<Slot, number>> = {};
    const logProbabilities: number[] = [];
    for (const { slot, choices: chosen, distributions } of slots) {
      const choice = Number(chosen[row]);
      choices[slot] = choice;
      logProbabilities.push(distributions[row * (distributions.length / batch) + choice] ?? Number.NaN);
    }
    return { choices: choices as Drawn['choices'], logProbabilities };
  });
}

/** Logarithms of the probabilities of all choices of a slot. */
export function distribution(outputs: Tensors, slot: Slot, row: number, batch: number): Float32Array {
  const data = distributionsOf(outputs, slot);
  const count = data.length / batch;
  return data.subarray(row * count, (row + 1) * count);
}

/** Those of all rows, one after another. */
const distributionsOf = (outputs: Tensors, slot: Slot): Float32Array =>
  outputs[distributionOf(slot)]?.data as Float32Array;
