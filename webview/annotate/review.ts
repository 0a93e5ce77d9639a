// The queues of the panel Annotate, the reasons of their order, and the votes of several people in words. Pure.

import type { AgreementResult, ReviewOrder, ReviewReason } from '../../runtime/protocol/daemon/annotation.ts';
import type { AnnotationMarks } from '../../runtime/protocol/daemon/remarks.ts';
import { formatCount } from '../shared/labels.ts';

interface ModeOf {
  readonly text: string;
  readonly order: ReviewOrder;
  /** Trajectories on which others voted, instead of those without a vote. */
  readonly isSecond: boolean;
}

export const QUEUE_MODES = {
  coverage: { text: 'Fewest in the pool first', order: 'coverage', isSecond: false },
  teaching: { text: 'Teaches most first', order: 'teaching', isSecond: false },
  suggested: { text: 'Doubted by a model first', order: 'suggested', isSecond: false },
  second: { text: 'Second opinions', order: 'teaching', isSecond: true },
} as const satisfies Readonly<Record<string, ModeOf>>;

export type QueueMode = keyof typeof QUEUE_MODES;

export const isQueueMode = (value: unknown): value is QueueMode =>
  typeof value === 'string' && Object.hasOwn(QUEUE_MODES, value);

export const REASON_LABELS: Readonly<Record<ReviewReason, string>> = {
  uncertain: 'uncertain step',
  contested: 'group disagrees',
  unclaimed: 'agent reported no success',
  disputed: 'people disagree',
};

/** The votes of others, side by side; empty until this person has voted, so that the vote is independent. */
export function votesLabel({ votes = [] }: Pick<AnnotationMarks, 'votes'>, who: string): string {
  const own = votes.find(vote => vote.who === who);
  const others = votes.filter(vote => vote !== own);
  if (own === undefined || others.length === 0) return '';
  return [{ ...own, who: 'You' }, ...others]
    .map(({ who: name, isMember }) => `${name} ${isMember ? 'accepted' : 'rejected'}`)
    .join(' · ');
}

/** The agreement with each other person, in one line each; empty without common votes. */
export const agreementLabel = ({ pairs }: Pick<AgreementResult, 'pairs'>, who: string): string =>
  pairs
    .filter(pair => pair.who.includes(who))
    .map(({ who: [first, second], both, agreed, kappa }) => {
      const other = first === who ? second : first;
      const chance = kappa === undefined ? '' : ` (κ = ${kappa.toFixed(2)})`;
      return `You and ${other} agree on ${formatCount(agreed)} of ${formatCount(both)}${chance}`;
    })
    .join('\n');
