// Which steps of a group train: the uncertain ones (DART, high-entropy steps). Where nothing was open, there is little to learn.

/** Steps below this share of the group's uncertainties are left out. */
const SHARE = 0.2;
/** In smaller groups all steps train. */
const SMALLEST = 10;

export interface Mask {
  /** Steps at least this uncertain train. */
  readonly threshold: number;
  readonly kept: readonly boolean[];
}

/** The threshold is the 20th percentile of the group; ties stay. */
export function highEntropy(uncertainties: readonly number[]): Mask {
  if (uncertainties.length < SMALLEST) return { threshold: 0, kept: uncertainties.map(() => true) };
  const sorted = [...uncertainties].sort((a, b) => a - b);
  const threshold = sorted[Math.floor(SHARE * sorted.length)] ?? 0;
  return { threshold, kept: uncertainties.map(each => each >= threshold) };
}

/** A step's uncertainty: the mean over the decisions it used that had more than one choice. */
export function stepUncertainty(
  shares: readonly number[],
  used: readonly number[],
  open: readonly boolean[],
): number {
  let [sum, count] = [0, 0];
  for (let slot = 0; slot < shares.length; slot++) {
    if (used[slot] !== 1 || open[slot] === false) continue;
    sum += shares[slot] ?? 0;
    count += 1;
  }
  return sum / Math.max(1, count);
}
