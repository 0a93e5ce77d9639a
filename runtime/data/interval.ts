// 95 % confidence intervals of success rates. Episodes of one task are correlated, so an interval over several tasks is clustered by
// task. A single task has a Wilson interval. Pure.

export interface SuccessTally {
  readonly successes: number;
  readonly trials: number;
}

export interface Interval extends SuccessTally {
  /** From 0 to 1; NaN without trials. */
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** An order of tasks: the lowest success rate first, tasks without trials last. */
export const byRate = (a: Pick<Interval, 'rate'>, b: Pick<Interval, 'rate'>): number =>
  rank(a.rate) - rank(b.rate);

const rank = (rate: number): number => (Number.isNaN(rate) ? 2 : rate);

/** The 97.5 % quantile of the normal distribution. */
export const NORMAL_QUANTILE = 1.959964;

export const total = (tallies: readonly SuccessTally[]): SuccessTally => ({
  successes: tallies.reduce((sum, { successes }) => sum + successes, 0),
  trials: tallies.reduce((sum, { trials }) => sum + trials, 0),
});

/** For independent trials, such as the episodes of a single task. */
export function wilson(tally: SuccessTally): Interval {
  requireValidTally(tally);
  return wilsonInterval(tally, tally.trials);
}

/**
 * For several tasks with several trials each. It is Wilson's interval for the effective number of independent trials, which follows
 * from the variance between tasks. With few tasks that variance is uncertain, so Student's t widens the interval.
 */
export function clustered(tasks: readonly SuccessTally[]): Interval {
  for (const task of tasks) requireValidTally(task);
  const tried = tasks.filter(({ trials }) => trials > 0);
  const { successes, trials } = total(tried);
  const clusters = tried.length;
  if (clusters < 2) return wilsonInterval({ successes, trials }, trials);
  const rate = successes / trials;
  const spread = tried.reduce((sum, task) => sum + (task.successes - rate * task.trials) ** 2, 0);
  const variance = (spread * clusters) / (clusters - 1) / trials ** 2;
  // Without variance the correlation within a task is unknown.
  const independent = variance > 0 ? Math.min(trials, (rate * (1 - rate)) / variance) : trials;
  return wilsonInterval({ successes, trials }, independent * (NORMAL_QUANTILE / studentT(clusters - 1)) ** 2);
}

/** The difference of two success rates, from −1 to 1. */
export interface RateDifference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The first rate minus the second. Newcombe's interval: the intervals of both rates combine by squares, less their correlation. It keeps
 * a width at 0 % and at 100 %, where the variance vanishes.
 */
export function rateDifference(one: Interval, two: Interval, correlation = 0): RateDifference {
  const reach = (a: number, b: number) => Math.sqrt(Math.max(0, a ** 2 + b ** 2 - 2 * correlation * a * b));
  const value = one.rate - two.rate;
  return {
    value,
    low: Math.max(-1, value - reach(one.rate - one.low, two.high - two.rate)),
    high: Math.min(1, value + reach(one.high - one.rate, two.rate - two.low)),
  };
}

function wilsonInterval({ successes, trials }: SuccessTally, independent: number): Interval {
  if (trials === 0) return { successes, trials, rate: Number.NaN, low: 0, high: 1 };
  const rate = successes / trials;
  const square = NORMAL_QUANTILE ** 2 / independent;
  const middle = (rate + square / 2) / (1 + square);
  const half = Math.sqrt(square * rate * (1 - rate) + square ** 2 / 4) / (1 + square);
  // Rounding must not move a bound past the rate.
  const low = Math.max(0, Math.min(rate, middle - half));
  return { successes, trials, rate, low, high: Math.min(1, Math.max(rate, middle + half)) };
}

/** The 97.5 % quantile of Student's t: exact for one and two degrees of freedom, else the Cornish-Fisher series. */
export function studentT(freedom: number): number {
  if (freedom === 1) return 12.706205;
  if (freedom === 2) return 4.302653;
  const z = NORMAL_QUANTILE;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z);
}

function requireValidTally({ successes, trials }: SuccessTally): void {
  if (Number.isInteger(successes) && Number.isInteger(trials) && 0 <= successes && successes <= trials)
    return;
  throw new RangeError(
    `Invalid success tally: ${successes} successes in ${trials} trials. Use whole numbers, with at most as many successes as trials.`,
  );
}
