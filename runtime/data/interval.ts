// How sure a success rate is: n of N with a 95 % interval around it. Pure numbers. Episodes of one task are alike, so an interval
// over several tasks is clustered by task; that of a single task is Wilson's.

export interface Tally {
  readonly successes: number;
  readonly trials: number;
}

export interface Interval extends Tally {
  /** From 0 to 1; NaN where nothing was tried. */
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** Of the normal distribution, for 95 % in the middle. */
const Z = 1.959964;

export const total = (tallies: readonly Tally[]): Tally => ({
  successes: tallies.reduce((sum, { successes }) => sum + successes, 0),
  trials: tallies.reduce((sum, { trials }) => sum + trials, 0),
});

/** For trials that are independent of one another, as the episodes of a single task are. */
export function wilson(tally: Tally): Interval {
  refuseNonsense(tally);
  return around(tally, tally.trials);
}

/**
 * For several tasks, of which each was tried several times. Wilson's interval for as many independent trials as would vary as much
 * as the tasks do: many like ones count as few. With few tasks that variation is itself badly known, which widens the interval
 * as Student's t does.
 */
export function clustered(tasks: readonly Tally[]): Interval {
  for (const task of tasks) refuseNonsense(task);
  const tried = tasks.filter(({ trials }) => trials > 0);
  const { successes, trials } = total(tried);
  const clusters = tried.length;
  if (clusters < 2) return around({ successes, trials }, trials);
  const rate = successes / trials;
  const spread = tried.reduce((sum, task) => sum + (task.successes - rate * task.trials) ** 2, 0);
  const variance = (spread * clusters) / (clusters - 1) / trials ** 2;
  // Where all trials came out alike, nothing is known of how alike those of one task are.
  const independent = variance > 0 ? Math.min(trials, (rate * (1 - rate)) / variance) : trials;
  return around({ successes, trials }, independent * (Z / studentT(clusters - 1)) ** 2);
}

function around({ successes, trials }: Tally, independent: number): Interval {
  if (trials === 0) return { successes, trials, rate: Number.NaN, low: 0, high: 1 };
  const rate = successes / trials;
  const square = Z ** 2 / independent;
  const middle = (rate + square / 2) / (1 + square);
  const half = Math.sqrt(square * rate * (1 - rate) + square ** 2 / 4) / (1 + square);
  // Rounding must not push an end past the rate itself.
  const low = Math.max(0, Math.min(rate, middle - half));
  return { successes, trials, rate, low, high: Math.min(1, Math.max(rate, middle + half)) };
}

/** What Student's t has in the place of Z; exact for one and two degrees of freedom, else Cornish and Fisher's series. */
export function studentT(freedom: number): number {
  if (freedom === 1) return 12.706205;
  if (freedom === 2) return 4.302653;
  const z = Z;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z);
}

function refuseNonsense({ successes, trials }: Tally): void {
  if (Number.isInteger(successes) && Number.isInteger(trials) && 0 <= successes && successes <= trials)
    return;
  throw new RangeError(
    `${successes} successes of ${trials} trials cannot be: count whole ones, and no more than were tried.`,
  );
}
