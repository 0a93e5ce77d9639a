// The votes of people on the membership of a trajectory in the success pool. Pure.

import type { AnnotationMarks } from '../../runtime/protocol/daemon/remarks.ts';

/** The own vote after a press; null withdraws it. Another person's vote remains. */
export function nextVote({ isInPool, votes = [] }: AnnotationMarks, who: string): boolean | null {
  const isOwnAcceptance = votes.some(vote => vote.who === who && vote.isMember);
  if (isInPool !== true) return isOwnAcceptance ? null : true;
  return votes.some(vote => vote.who !== who) ? false : null;
}
