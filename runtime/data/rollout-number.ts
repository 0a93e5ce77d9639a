// How many rollouts an instance is worth (DART, dynamic rollout number): the surer a task succeeds, the fewer are needed to
// see its failures. Pure: the results so far are handed in.

/** Up to this success rate a task gets all rollouts. */
const UNSURE = 0.6;
/** Results that are looked back on. */
export const WINDOW = 16;

/** N up to a success rate of 0.6; above, max(least, floor(9 / rate − 7)), and never more than N. */
export function rolloutNumber(successRate: number, most: number, least = 2): number {
  if (!(successRate > UNSURE)) return most;
  return Math.min(most, Math.max(least, Math.floor(9 / successRate - 7)));
}

/** A task of which the last results are all the same is visited one time in four, and so never forgotten. */
export function isWorthVisiting(results: readonly boolean[], visit: number): boolean {
  const last = results.slice(-WINDOW);
  if (last.length < WINDOW || last.some(result => result !== last[0])) return true;
  return visit % 4 === 0;
}
