// From what the deciding program gives to what was decided, row by row.

import type { Tensors } from '../graph/tensor.ts';
import { SLOTS, type Slot } from './kinds.ts';
import { choiceOf, distributionOf } from './programs.ts';

export interface Drawn {
  readonly choices: Readonly<Record<Slot, number>>;
  /** Of the choice in each slot, used or not, in the order of SLOTS. */
  readonly logProbabilities: readonly number[];
}

/** What decisions are drawn with, beside what is seen. */
export function drawingFeeds(
  batch: number,
  chance: () => number,
  { temperature = 1, exploration = 0 }: { readonly temperature?: number; readonly exploration?: number } = {},
): Tensors {
  const numbers = Float32Array.from({ length: batch * SLOTS.length }, () => Math.min(chance(), LARGEST));
  return {
    chance: { dtype: 'float32', dims: [batch, SLOTS.length], data: numbers },
    temperature: { dtype: 'float32', dims: [1], data: Float32Array.of(Math.max(temperature, COLDEST)) },
    exploration: { dtype: 'float32', dims: [1], data: Float32Array.of(exploration) },
  };
}

/** A float that is below 1 even after rounding. */
const LARGEST = 1 - 2 ** -20;
/** A temperature of 0 would divide by it; at this one the likeliest choice is taken. */
const COLDEST = 1e-6;

export function drawnRows(outputs: Tensors, batch: number): readonly Drawn[] {
  return Array.from({ length: batch }, (_, row) => {
    const numbers = SLOTS.map(slot => Number(outputs[choiceOf(slot)]?.data[row]));
    const choices = Object.fromEntries(
      SLOTS.map((slot, index) => [slot, numbers[index]]),
    ) as Drawn['choices'];
    return {
      choices,
      logProbabilities: SLOTS.map(
        (slot, index) => distribution(outputs, slot, row, batch)[numbers[index] ?? 0] ?? Number.NaN,
      ),
    };
  });
}

/** Logarithms of the probabilities of all choices of a slot. */
export function distribution(outputs: Tensors, slot: Slot, row: number, batch: number): Float32Array {
  const data = outputs[distributionOf(slot)]?.data as Float32Array;
  const count = data.length / batch;
  return data.subarray(row * count, (row + 1) * count);
}
