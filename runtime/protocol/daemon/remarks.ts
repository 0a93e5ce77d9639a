// What somebody says of a trajectory, and what of it holds. Nothing of it changes the trajectory itself.

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';
import { count, moment } from './schemas.ts';

/** Each says one thing, in place of whatever was said of the same thing before; null, false or '' takes it back. */
export const remark = z.discriminatedUnion('kind', [
  /** Accepted into the success pool, or rejected: rejected ones are not asked about again. */
  z.strictObject({ kind: z.literal('pool'), isMember: z.boolean().nullable() }),
  /** By hand, in place of the evaluator's. */
  z.strictObject({ kind: z.literal('verdict'), success: z.boolean().nullable() }),
  z.strictObject({ kind: z.literal('key-step'), step: count, isKey: z.boolean() }),
  /** What is worth learning: from this step on, up to and without that one. */
  z.strictObject({
    kind: z.literal('trim'),
    part: z.strictObject({ from: count, to: z.int().min(1) }).nullable(),
  }),
  /** What it should have been asked. */
  z.strictObject({ kind: z.literal('instruction'), text: z.string().max(2000) }),
  z.strictObject({ kind: z.literal('label'), label: z.string().max(100) }),
  z.strictObject({ kind: z.literal('note'), text: z.string().max(10_000) }),
]);

export const marked = z.strictObject({
  verdict: z.boolean().optional(),
  label: z.string().optional(),
  note: z.string().optional(),
  keySteps: z.array(count),
  /** Absent as long as nobody has accepted or rejected it. */
  isInPool: z.boolean().optional(),
  trim: z.strictObject({ from: count, to: z.int().min(1) }).optional(),
  instruction: z.string().optional(),
});

/** The last word on whether it belongs to the pool. */
export const accepted = z.strictObject({ who: z.string(), at: moment });

export type AnnotationRemark = z.infer<typeof remark>;
export type AnnotationMarks = z.infer<typeof marked>;
