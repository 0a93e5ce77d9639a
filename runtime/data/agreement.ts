// Agreement on the same trajectories: of people with each other, and of model agents with people. Pure.

import type { PoolVote } from './files/marks.ts';
import type { SuggestedVotes } from './index/queries.ts';

interface AgreementCounts {
  /** The trajectories that both judged, and those on which they agree. */
  readonly both: number;
  readonly agreed: number;
  /** Cohen's kappa: 1 for full agreement, 0 for that of chance. Absent if both always judged the same way. */
  readonly kappa?: number;
}

export interface Agreement extends AgreementCounts {
  /** Two people, in alphabetical order. */
  readonly who: readonly [string, string];
}

export interface ModelAgreement extends AgreementCounts {
  readonly agent: string;
  /** The person. */
  readonly who: string;
}

/** Of each two people with common trajectories; those with the most come first. */
export function agreements(trajectories: readonly (readonly PoolVote[])[]): readonly Agreement[] {
  const pairs = new Pairs();
  for (const votes of trajectories)
    for (const [index, one] of votes.entries())
      for (const other of votes.slice(index + 1)) {
        const [first, second] = one.who < other.who ? [one, other] : [other, one];
        pairs.add([first.who, second.who], [first.isMember, second.isMember]);
      }
  return pairs.counted().map(([who, counts]) => ({ who, ...counts }));
}

/** Of each model agent with each person; those with the most common trajectories come first. */
export function modelAgreements(trajectories: readonly SuggestedVotes[]): readonly ModelAgreement[] {
  const pairs = new Pairs();
  for (const { votes, suggestions } of trajectories)
    for (const { agent, isSuccess } of suggestions)
      for (const { who, isMember } of votes) pairs.add([agent, who], [isSuccess, isMember]);
  return pairs.counted().map(([[agent, who], counts]) => ({ agent, who, ...counts }));
}

type Names = readonly [string, string];
type Judgements = readonly [boolean, boolean];

class Pairs {
  readonly #pairs = new Map<string, { readonly names: Names; readonly judged: Judgements[] }>();

  add(names: Names, judgements: Judgements): void {
    const key = JSON.stringify(names);
    const pair = this.#pairs.get(key) ?? { names, judged: [] };
    this.#pairs.set(key, pair);
    pair.judged.push(judgements);
  }

  counted(): readonly (readonly [Names, AgreementCounts])[] {
    return [...this.#pairs.values()]
      .map(({ names, judged }) => [names, countsOf(judged)] as const)
      .sort(([, a], [, b]) => b.both - a.both);
  }
}

function countsOf(judged: readonly Judgements[]): AgreementCounts {
  const both = judged.length;
  const agreed = judged.filter(([one, other]) => one === other).length;
  const [first, second] = [0, 1].map(side => judged.filter(each => each[side] === true).length / both);
  const kappa = kappaOf(agreed / both, first ?? 0, second ?? 0);
  return { both, agreed, ...(kappa !== undefined && { kappa }) };
}

function kappaOf(observed: number, first: number, second: number): number | undefined {
  const chance = first * second + (1 - first) * (1 - second);
  return chance === 1 ? undefined : (observed - chance) / (1 - chance);
}
