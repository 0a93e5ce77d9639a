// What somebody says of a trajectory afterwards: small records with who and when, never edited; of several on the same thing the last
// one holds. The trajectory itself is not changed by any of them.

import * as z from 'zod';
import type { TrajectoryId } from '../../contracts/ids.ts';
import { ids } from './schema.ts';

const what = z.discriminatedUnion('kind', [
  /** By hand, in place of the evaluator's; null takes it back. */
  z.object({ kind: z.literal('verdict'), success: z.boolean().nullable() }),
  /** '' takes it off. */
  z.object({ kind: z.literal('label'), label: z.string() }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('key-step'), step: z.int().min(0), isKey: z.boolean() }),
  /** In or out of the success pool. */
  z.object({ kind: z.literal('pool'), isMember: z.boolean() }),
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
  readonly isInPool?: boolean;
}

/** Whether anything that was said of it still holds. */
export const isMarked = ({ verdict, label, note, keySteps, isInPool }: Marked): boolean =>
  keySteps.length > 0 || [verdict, label, note, isInPool].some(each => each !== undefined);

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
    case 'pool':
      return { ...before, isInPool: mark.isMember };
  }
}

export const markOf = (remark: Remark, trajectory: TrajectoryId, who: string, at: number): Mark => ({
  trajectory,
  who,
  at,
  ...remark,
});
