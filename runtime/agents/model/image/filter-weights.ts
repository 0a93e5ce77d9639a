// The weights of a bicubic filter along one axis, as Pillow computes them: a wider filter for smaller images, and fixed-point weights.
// Servers and published agents resize with Pillow, so a model sees the pixels that it was trained on. Pure.

/** Weights are multiples of 2^-22: a sum of 8-bit values times weights fits 32 bits. */
export const WEIGHT_BITS = 22;

/** Position `i` of the result is the sum of `taps` positions of the source from `starts[i]`, times `weights` from `i * taps`. */
export interface FilterWeights {
  readonly taps: number;
  readonly starts: Int32Array;
  readonly weights: Int32Array;
}

export function bicubicWeights(from: number, to: number): FilterWeights {
  const scale = from / to;
  // A smaller image needs a wider filter; otherwise details between two positions are lost.
  const width = Math.max(1, scale);
  const support = RADIUS * width;
  const spans = Array.from({ length: to }, (_, index) => {
    const centre = (index + 0.5) * scale;
    const start = Math.max(0, Math.trunc(centre - support + 0.5));
    const end = Math.min(from, Math.trunc(centre + support + 0.5));
    const shares = Array.from({ length: end - start }, (_, tap) =>
      bicubic((start + tap - centre + 0.5) * (1 / width)),
    );
    const total = shares.reduce((sum, share) => sum + share, 0);
    return { start, shares: shares.map(share => (total === 0 ? share : share / total)) };
  });
  // Every position gets the same number of taps. The additional ones weigh 0.
  const taps = Math.max(...spans.map(({ shares }) => shares.length));
  const starts = new Int32Array(to);
  const weights = new Int32Array(to * taps);
  for (const [index, { start, shares }] of spans.entries()) {
    starts[index] = Math.min(start, from - taps);
    weights.set(shares.map(fixedPoint), index * taps + (start - (starts[index] ?? 0)));
  }
  return { taps, starts, weights };
}

const RADIUS = 2;
const SHARPNESS = -0.5;

function bicubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return ((SHARPNESS + 2) * x - (SHARPNESS + 3)) * x * x + 1;
  return x < RADIUS ? (((x - 5) * x + 8) * x - 4) * SHARPNESS : 0;
}

/** Halves are rounded away from 0, as Pillow does. */
const fixedPoint = (weight: number): number =>
  Math.trunc(weight * 2 ** WEIGHT_BITS + (weight < 0 ? -0.5 : 0.5));
