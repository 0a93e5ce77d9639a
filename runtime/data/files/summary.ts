// The summary of a trajectory without steps, from the head of its file. It is a row of the index, and the ledger line that remains after
// retention deletes the file.

import * as z from 'zod';
import type { Outcome } from '../../core/verdict.ts';
import { isSuccess } from '../../core/verdict.ts';
import type { TrajectoryHead } from './head.ts';
import { about, boundary, ending, ids, mode, purpose, score, version } from './schema.ts';

const { instance } = about.shape;

export const OUTCOMES = ['success', 'failure', 'broken'] as const;
export const PROVENANCES = ['rollout', 'human', 'oracle', 'imported', 'hindsight'] as const;

const summary = z.object({
  id: ids.trajectory,
  run: ids.run.exactOptional(),
  group: ids.group.exactOptional(),
  instance,
  purpose,
  mode,
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
  startedAt: z.number(),
  endedAt: z.number(),
  /** File size. */
  bytes: z.int().min(0),
});

export type Summary = z.output<typeof summary>;

/** One line of the ledger. */
const line = summary.extend({ deletedAt: z.number() });
export type LedgerLine = z.output<typeof line>;

/** Undefined for an invalid line. */
export const parseLedgerLine = (value: unknown): LedgerLine | undefined => line.safeParse(value).data;

export const ledgerLineOf = (row: Summary, deletedAt: number): LedgerLine => ({
  ...summary.parse(row),
  deletedAt,
});

export function summaryOf(head: TrajectoryHead, bytes: number): Summary {
  const { id, run, group, instance, purpose, mode, provenance, outcome, startedAt, endedAt, steps } = head;
  const uncertainties = steps.uncertainty.filter(each => each !== null);
  const versions = steps.version.filter(each => each !== null);
  const [oldest, newest] = [minimum(versions), maximum(versions)];
  const max = maximum(uncertainties);
  return {
    id,
    ...(run && { run }),
    ...(group && { group }),
    instance,
    purpose,
    mode,
    provenance: provenance.kind,
    ...outcomeFields(outcome),
    steps: steps.kind.length,
    ...(max !== undefined && {
      meanUncertainty: uncertainties.reduce((sum, each) => sum + each, 0) / uncertainties.length,
      maxUncertainty: max,
    }),
    ...(oldest !== undefined && newest !== undefined && { oldest, newest }),
    startedAt,
    endedAt,
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

const minimum = <N extends number>(numbers: readonly N[]): N | undefined =>
  numbers.reduce<N | undefined>(
    (found, each) => (found === undefined || each < found ? each : found),
    undefined,
  );

const maximum = <N extends number>(numbers: readonly N[]): N | undefined =>
  numbers.reduce<N | undefined>(
    (found, each) => (found === undefined || each > found ? each : found),
    undefined,
  );
