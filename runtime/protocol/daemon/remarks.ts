// Remarks of users on a trajectory, and the marks that result from them. The trajectory itself never changes.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { count, timestamp } from './schemas.ts';

/** Each remark replaces the earlier remark of its kind; null, false or '' removes it. */
export const remark = z.discriminatedUnion('kind', [
  /** A vote for the success pool, or against it: a rejected trajectory does not return to the queue. Each person has one vote. */
  z.strictObject({ kind: z.literal('pool'), isMember: z.boolean().nullable() }),
  /** A verdict by hand; it overrides the evaluator. */
  z.strictObject({ kind: z.literal('verdict'), success: z.boolean().nullable() }),
  z.strictObject({ kind: z.literal('key-step'), step: count, isKey: z.boolean() }),
  /** The part to learn from: steps `from` (inclusive) to `to` (exclusive). */
  z.strictObject({
    kind: z.literal('trim'),
    part: z.strictObject({ from: count, to: z.int().min(1) }).nullable(),
  }),
  /** A corrected instruction. */
  z.strictObject({ kind: z.literal('instruction'), text: z.string().max(2000) }),
  z.strictObject({ kind: z.literal('label'), label: z.string().max(100) }),
  z.strictObject({ kind: z.literal('note'), text: z.string().max(10_000) }),
]);

const poolVote = z.strictObject({ who: z.string(), isMember: z.boolean() });

export const marked = z.strictObject({
  verdict: z.boolean().optional(),
  label: z.string().optional(),
  note: z.string().optional(),
  keySteps: z.array(count),
  /** Somebody accepted it, and nobody rejected it. Absent without votes. */
  isInPool: z.boolean().optional(),
  /** One per person, by name. */
  votes: z.array(poolVote).optional(),
  trim: z.strictObject({ from: count, to: z.int().min(1) }).optional(),
  instruction: z.string().optional(),
});

/** Who accepted a trajectory into the pool, and when. */
export const accepted = z.strictObject({ who: z.string(), at: timestamp });

export type AnnotationRemark = z.infer<typeof remark>;
export type AnnotationMarks = z.infer<typeof marked>;
