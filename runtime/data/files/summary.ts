// The summary of a trajectory without steps, from the head of its file. It is a row of the index, and the ledger line that remains after
// retention deletes the file.

import * as z from 'zod';
import { safeParse } from '../../core/safe-parse.ts';
import { sum } from '../../core/sum.ts';
import type { Outcome } from '../../core/verdict.ts';
import { isSuccess } from '../../core/verdict.ts';
import { OUTCOMES, PROVENANCES } from '../../protocol/daemon/trajectories.ts';
import { replyTotals, type TrajectoryHead } from './head.ts';
import { about, boundary, ending, score, version } from './schema.ts';

/** The fields that the head of a file and its summary share. */
const shared = about.pick({
  ...{ id: true, run: true, group: true, instance: true },
  ...{ purpose: true, mode: true, agent: true, startedAt: true, endedAt: true },
});

const summary = shared.extend({
  provenance: z.enum(PROVENANCES),
  outcome: z.enum(OUTCOMES),
  /** Ending and score; a broken trajectory has `broke` instead. */
  ending: ending.exactOptional(),
  score: score.exactOptional(),
  broke: boundary.exactOptional(),
  steps: z.int().min(0),
  /** Over the steps that a policy chose; absent without such steps, like the versions. */
  meanUncertainty: z.number().exactOptional(),
  maxUncertainty: z.number().exactOptional(),
  oldest: version.exactOptional(),
  newest: version.exactOptional(),
  /** Present if a language model played. */
  replies: replyTotals.exactOptional(),
  bytes: z.int().min(0),
});

export type Summary = z.output<typeof summary>;

/** One line of the ledger. */
const line = summary.extend({ deletedAt: z.number() });
export type LedgerLine = z.output<typeof line>;

/** Undefined for an invalid line. */
export const parseLedgerLine = (value: unknown): LedgerLine | undefined => safeParse(line, value).data;

export const ledgerLineOf = (row: Summary, deletedAt: number): LedgerLine => ({
  ...summary.parse(row),
  deletedAt,
});

export function summaryOf(head: TrajectoryHead, bytes: number): Summary {
  const { provenance, outcome, steps, replies } = head;
  const uncertainties = steps.uncertainty.filter(each => each !== null);
  const versions = steps.version.filter(each => each !== null).sort((a, b) => a - b);
  const [oldest, newest] = [versions[0], versions.at(-1)];
  return {
    ...shared.parse(head),
    provenance: provenance.kind,
    ...outcomeFields(outcome),
    steps: steps.kind.length,
    ...(replies !== undefined && { replies }),
    ...(uncertainties.length > 0 && {
      meanUncertainty: sum(uncertainties) / uncertainties.length,
      maxUncertainty: Math.max(...uncertainties),
    }),
    ...(oldest !== undefined && newest !== undefined && { oldest, newest }),
    bytes,
  };
}

const outcomeFields = (outcome: Outcome): Pick<Summary, 'outcome' | 'ending' | 'score' | 'broke'> =>
  outcome.kind === 'broken'
    ? { outcome: 'broken', broke: outcome.failure.boundary }
    : {
        outcome: isSuccess(outcome) ? 'success' : 'failure',
        ending: outcome.ending,
        score: outcome.verdict.score,
      };
