// What somebody says of a trajectory afterwards: small records with who and when, never edited; of several on the same thing the last
// one holds. The trajectory itself is not changed by any of them.

import * as z from 'zod';
import type { TrajectoryId } from '../../core/ids.ts';
import { ids } from './schema.ts';

const what = z.discriminatedUnion('kind', [
  /** By hand, in place of the evaluator's; null takes it back. */
  z.object({ kind: z.literal('verdict'), success: z.boolean().nullable() }),
  /** '' takes it off. */
  z.object({ kind: z.literal('label'), label: z.string() }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('key-step'), step: z.int().min(0), isKey: z.boolean() }),
  /** What is worth learning: from this step on, up to and without that one; null takes it back. */
  z.object({
    kind: z.literal('trim'),
    part: z.object({ from: z.int().min(0), to: z.int().min(1) }).nullable(),
  }),
  /** What it should have been asked; '' takes it back. */
  z.object({ kind: z.literal('instruction'), text: z.string() }),
  /** In or out of the success pool; null leaves it open again. */
  z.object({ kind: z.literal('pool'), isMember: z.boolean().nullable() }),
]);

const record = z.intersection(
  z.object({ trajectory: ids.trajectory, who: z.string().min(1), at: z.number() }),
  what,
);

/** What is said, by whom and when is added. */
export type Remark = z.output<typeof what>;
export type Mark = z.output<typeof record>;

/** Undefined on what is no mark. */
export const parseMark = (value: unknown): Mark | undefined => record.safeParse(value).data;

/** What holds, after some marks. */
export interface Marked {
  readonly verdict?: boolean;
  readonly label?: string;
  readonly note?: string;
  readonly keySteps: readonly number[];
  readonly trim?: Part;
  readonly newInstruction?: string;
  readonly isInPool?: boolean;
}

/** Of a trajectory's steps: from this one on, up to and without that one. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Whether anything that was said of it still holds. By name: who is asked about may have much else beside its marks. */
export const isMarked = ({
  verdict,
  label,
  note,
  keySteps,
  trim,
  newInstruction,
  isInPool,
}: Marked): boolean =>
  keySteps.length > 0 ||
  [verdict, label, note, trim, newInstruction, isInPool].some(each => each !== undefined);

export const UNMARKED: Marked = { keySteps: [] };

/** The law of marks: each says one thing, and says it instead of whatever was said of the same thing before. */
export function marked(before: Marked, mark: Remark): Marked {
  switch (mark.kind) {
    case 'verdict': {
      const { verdict: _, ...rest } = before;
      return mark.success === null ? rest : { ...rest, verdict: mark.success };
    }
    case 'label': {
      const { label: _, ...rest } = before;
      return mark.label === '' ? rest : { ...rest, label: mark.label };
    }
    case 'note': {
      const { note: _, ...rest } = before;
      return mark.text === '' ? rest : { ...rest, note: mark.text };
    }
    case 'key-step': {
      const others = before.keySteps.filter(step => step !== mark.step);
      return { ...before, keySteps: mark.isKey ? [...others, mark.step].sort((a, b) => a - b) : others };
    }
    case 'trim': {
      const { trim: _, ...rest } = before;
      return mark.part === null ? rest : { ...rest, trim: mark.part };
    }
    case 'instruction': {
      const { newInstruction: _, ...rest } = before;
      return mark.text === '' ? rest : { ...rest, newInstruction: mark.text };
    }
    case 'pool': {
      const { isInPool: _, ...rest } = before;
      return mark.isMember === null ? rest : { ...rest, isInPool: mark.isMember };
    }
  }
}

/** What brings back what held before, once the remark was made. */
export function undoOf(before: Marked, remark: Remark): Remark {
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
      return { kind: 'pool', isMember: before.isInPool ?? null };
  }
}

export const markOf = (remark: Remark, trajectory: TrajectoryId, who: string, at: number): Mark => ({
  trajectory,
  who,
  at,
  ...remark,
});
