// The steps of one turn: a reply of a language model can have several actions, each of which is a step. Pure.

import type { ReplyDetail } from '../../../runtime/protocol/daemon/reply.ts';
import type { StepDetail } from '../../../runtime/protocol/daemon/trajectories.ts';

export interface ReplyTurn {
  /** The index of its first step, which has the reply. */
  readonly first: number;
  readonly steps: readonly StepDetail[];
  readonly reply: ReplyDetail;
}

/** The turn of the step at this index; undefined if no language model chose it. */
export function turnAt(each: readonly StepDetail[], at: number): ReplyTurn | undefined {
  let first = at;
  while (first > 0 && each[first]?.chosen?.continues === true) first -= 1;
  const reply = each[first]?.chosen?.reply;
  if (reply === undefined || at >= each.length) return undefined;
  const after = each.findIndex((step, index) => index > first && step.chosen?.continues !== true);
  return { first, steps: each.slice(first, after === -1 ? undefined : after), reply };
}

/** Whether a language model chose the step. Its uncertainty is then in nats, and can exceed 1. */
export const isFromModel = ({ chosen }: StepDetail): boolean =>
  chosen?.reply !== undefined || chosen?.continues === true;
