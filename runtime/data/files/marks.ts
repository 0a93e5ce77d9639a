// Marks of trajectories: append-only records with author and time, such as verdicts, labels and notes. The last mark of a kind applies.
// Marks do not change the trajectory.

import * as z from 'zod';
import type { TrajectoryId } from '../../core/ids.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { ids } from './schema.ts';

const what = z.discriminatedUnion('kind', [
  /** Manual verdict, which overrides the evaluator's; null removes it. */
  z.object({ kind: z.literal('verdict'), success: z.boolean().nullable() }),
  /** '' removes the label. */
  z.object({ kind: z.literal('label'), label: z.string() }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('key-step'), step: z.int().min(0), isKey: z.boolean() }),
  /** The part to learn from; `to` is exclusive; null removes the mark. */
  z.object({
    kind: z.literal('trim'),
    part: z.object({ from: z.int().min(0), to: z.int().min(1) }).nullable(),
  }),
  /** Corrected instruction; '' removes it. */
  z.object({ kind: z.literal('instruction'), text: z.string() }),
  /** The author's vote on membership of the success pool; null removes the vote. */
  z.object({ kind: z.literal('pool'), isMember: z.boolean().nullable() }),
]);

const record = z.intersection(
  z.object({ trajectory: ids.trajectory, who: z.string().min(1), at: z.number() }),
  what,
);

/** The content of a mark, without author and time. */
export type Remark = z.output<typeof what>;
export type Mark = z.output<typeof record>;

/** Undefined for an invalid mark. */
export const parseMark = (value: unknown): Mark | undefined => safeParse(record, value).data;

/** The state after all marks of a trajectory. */
export interface Marked {
  readonly verdict?: boolean;
  readonly label?: string;
  readonly note?: string;
  readonly keySteps: readonly number[];
  readonly trim?: Part;
  readonly newInstruction?: string;
  /** Somebody accepted it, and nobody rejected it. Absent without votes. */
  readonly isInPool?: boolean;
  /** One per person, by name; absent without votes. */
  readonly votes?: readonly PoolVote[];
}

/** Whether a person wants a trajectory in the success pool. */
export interface PoolVote {
  readonly who: string;
  readonly isMember: boolean;
}

/** A range of steps; `to` is exclusive. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** The fields that a mark sets as a whole. Key steps are set one by one. */
const FIELDS = ['verdict', 'label', 'note', 'trim', 'newInstruction', 'isInPool'] as const;

/** Whether any mark applies. It reads single fields, because the argument may have other fields as well. */
export const isMarked = (state: Marked): boolean =>
  state.keySteps.length > 0 || FIELDS.some(field => state[field] !== undefined);

export const UNMARKED: Marked = { keySteps: [] };

/** Applies one mark: it replaces the earlier mark of the same kind, and an earlier vote of the same person. */
export function marked(before: Marked, mark: Remark, who: string): Marked {
  switch (mark.kind) {
    case 'verdict':
      return withField(before, 'verdict', mark.success);
    case 'label':
      return withField(before, 'label', mark.label);
    case 'note':
      return withField(before, 'note', mark.text);
    case 'key-step': {
      const others = before.keySteps.filter(step => step !== mark.step);
      return { ...before, keySteps: mark.isKey ? [...others, mark.step].sort((a, b) => a - b) : others };
    }
    case 'trim':
      return withField(before, 'trim', mark.part);
    case 'instruction':
      return withField(before, 'newInstruction', mark.text);
    case 'pool':
      return withVote(before, who, mark.isMember);
  }
}

/** null and '' remove the field. */
function withField<F extends (typeof FIELDS)[number]>(
  before: Marked,
  field: F,
  value: Exclude<Marked[F], undefined> | null,
): Marked {
  const { [field]: _, ...others } = before;
  const after: Marked = { ...others, keySteps: before.keySteps };
  return value === null || value === '' ? after : { ...after, [field]: value };
}

function withVote(before: Marked, who: string, isMember: boolean | null): Marked {
  const { votes: earlier = [], isInPool: _, ...others } = before;
  const ofOthers = earlier.filter(vote => vote.who !== who);
  const votes = [...ofOthers, ...(isMember === null ? [] : [{ who, isMember }])].sort((a, b) =>
    a.who < b.who ? -1 : 1,
  );
  if (votes.length === 0) return others;
  return { ...others, votes, isInPool: votes.every(vote => vote.isMember) };
}

/** The vote of a person; undefined without one. */
export const voteOf = ({ votes = [] }: Pick<Marked, 'votes'>, who: string): boolean | undefined =>
  votes.find(vote => vote.who === who)?.isMember;

/** The remark that undoes another one of the same person. */
export function undoOf(before: Marked, remark: Remark, who: string): Remark {
  switch (remark.kind) {
    case 'verdict':
      return { kind: 'verdict', success: before.verdict ?? null };
    case 'label':
      return { kind: 'label', label: before.label ?? '' };
    case 'note':
      return { kind: 'note', text: before.note ?? '' };
    case 'key-step':
      return { ...remark, isKey: before.keySteps.includes(remark.step) };
    case 'trim':
      return { kind: 'trim', part: before.trim ?? null };
    case 'instruction':
      return { kind: 'instruction', text: before.newInstruction ?? '' };
    case 'pool':
      return { kind: 'pool', isMember: voteOf(before, who) ?? null };
  }
}

export const markOf = (remark: Remark, trajectory: TrajectoryId, who: string, at: number): Mark => ({
  trajectory,
  who,
  at,
  ...remark,
});
