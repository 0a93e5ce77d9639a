// The number of runs or instances with which an observed difference becomes significant, if it is the true one. Pure.

/** The probability of a significant result that the sizes are computed for. */
export const POWER = 0.8;

/**
 * Trials of each side with which Fisher's exact test at level `alpha` finds the difference of two rates with 80 % probability: the normal
 * approximation with the continuity correction of Casagrande, Pike and Smith. Undefined for equal rates.
 */
export function neededTrials(one: number, two: number, alpha: number): number | undefined {
  const gap = Math.abs(one - two);
  if (!(gap > 0)) return undefined;
  const middle = (one + two) / 2;
  const spread =
    normalQuantile(1 - alpha / 2) * Math.sqrt(2 * middle * (1 - middle)) +
    normalQuantile(POWER) * Math.sqrt(one * (1 - one) + two * (1 - two));
  const plain = (spread / gap) ** 2;
  return Math.ceil((plain / 4) * (1 + Math.sqrt(1 + 4 / (plain * gap))) ** 2);
}

/**
 * By which factor the data must grow so that a difference with this standard error is significant at 5 % with 80 % probability. The error
 * falls with the root of the data. Undefined without a difference or an error.
 */
export function neededGrowth(difference: number, standardError: number): number | undefined {
  if (!(Math.abs(difference) > 0) || !(standardError > 0)) return undefined;
  return (((normalQuantile(0.975) + normalQuantile(POWER)) * standardError) / difference) ** 2;
}

/** The inverse of the normal distribution, by Acklam's rational approximation: an error below 2e-9. */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(TAIL_ABOVE, q) / (polynomial(TAIL_BELOW, q) * q + 1);
  }
  const q = p - 0.5;
  const square = q * q;
  return (polynomial(MIDDLE_ABOVE, square) * q) / (polynomial(MIDDLE_BELOW, square) * square + 1);
}

/** The highest power first. */
const polynomial = (factors: readonly number[], x: number): number =>
  factors.reduce((sum, factor) => sum * x + factor, 0);

const MIDDLE_ABOVE = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
];
const MIDDLE_BELOW = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572,
];
const TAIL_ABOVE = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const TAIL_BELOW = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
