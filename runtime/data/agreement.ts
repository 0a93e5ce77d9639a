// Agreement of people who voted on the same trajectories. Pure.

import type { PoolVote } from './files/marks.ts';

export interface Agreement {
  /** Two people, in alphabetical order. */
  readonly who: readonly [string, string];
  /** The trajectories on which both voted, and those with equal votes. */
  readonly both: number;
  readonly agreed: number;
  /** Cohen's kappa: 1 for full agreement, 0 for that of chance. Absent if both always cast the same vote. */
  readonly kappa?: number;
}

interface Pair {
  readonly who: readonly [string, string];
  both: number;
  agreed: number;
  /** The accepted trajectories of each. */
  readonly accepted: [number, number];
}

/** Of each two people with common trajectories; those with the most come first. */
export function agreements(trajectories: readonly (readonly PoolVote[])[]): readonly Agreement[] {
  const pairs = new Map<string, Pair>();
  for (const votes of trajectories)
    for (const [index, one] of votes.entries())
      for (const other of votes.slice(index + 1)) {
        const [first, second] = one.who < other.who ? [one, other] : [other, one];
        const key = JSON.stringify([first.who, second.who]);
        const pair: Pair = pairs.get(key) ?? {
          ...{ who: [first.who, second.who], both: 0, agreed: 0, accepted: [0, 0] },
        };
        pairs.set(key, pair);
        pair.both += 1;
        pair.agreed += Number(first.isMember === second.isMember);
        pair.accepted[0] += Number(first.isMember);
        pair.accepted[1] += Number(second.isMember);
      }
  return [...pairs.values()]
    .map(({ accepted, ...pair }) => {
      const kappa = kappaOf(pair.agreed / pair.both, accepted[0] / pair.both, accepted[1] / pair.both);
      return { ...pair, ...(kappa !== undefined && { kappa }) };
    })
    .sort((a, b) => b.both - a.both);
}

function kappaOf(observed: number, first: number, second: number): number | undefined {
  const chance = first * second + (1 - first) * (1 - second);
  return chance === 1 ? undefined : (observed - chance) / (1 - chance);
}
