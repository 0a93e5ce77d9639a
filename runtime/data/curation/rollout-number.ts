// How many rollouts an instance is worth (DART, dynamic rollout number): the surer a task succeeds, the fewer are needed to
// see its failures. Pure: the success rate so far is handed in.

/** Up to this success rate a task gets all rollouts. */
const UNSURE = 0.6;

/** N up to a success rate of 0.6; above, max(least, floor(9 / rate − 7)), and never more than N. */
export function rolloutNumber(successRate: number, most: number, least = 2): number {
  if (!(successRate > UNSURE)) return most;
  return Math.min(most, Math.max(least, Math.floor(9 / successRate - 7)));
}
