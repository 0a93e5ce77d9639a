// Initialisers of parameters.

import type { Initial } from './graph.ts';
import { countOf } from './tensor.ts';

export const constant =
  (value: number): Initial =>
  dims =>
    new Float32Array(countOf(dims)).fill(value);

export const normal =
  (deviation: number): Initial =>
  (dims, random) =>
    Float32Array.from({ length: countOf(dims) }, () => deviation * gaussian(random));

/** Keeps activations at a constant scale: the standard deviation is gain / √(fan-in). */
export const fanIn =
  (gain = 1): Initial =>
  (dims, random) =>
    normal(gain / Math.sqrt(countOf(dims.slice(0, -1))))(dims, random);

/** One normally distributed number from two uniform ones (Box and Muller). */
function gaussian(random: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}
