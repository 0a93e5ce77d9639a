// DART's dynamic rollout number: the higher the success rate of a task, the fewer rollouts its groups have. Pure.

/** Up to this success rate a group has the full number of rollouts. */
const FULL_NUMBER_RATE = 0.6;

/** N up to a success rate of 0.6; above, max(minimum, floor(9 / rate − 7)), and never more than N. */
export function rolloutNumber(successRate: number, maximum: number, minimum = 2): number {
  if (!(successRate > FULL_NUMBER_RATE)) return maximum;
  return Math.min(maximum, Math.max(minimum, Math.floor(9 / successRate - 7)));
}
