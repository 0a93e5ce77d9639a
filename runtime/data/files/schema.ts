// Schemas of the values that both JSON entries of a trajectory file contain.

import * as z from 'zod';
import { messageOf } from '../../core/errors.ts';
import {
  batchId,
  groupId,
  orderId,
  runId,
  seed,
  taskId,
  trajectoryId,
  version as versionNumber,
} from '../../core/ids.ts';
import { MODES } from '../../core/policy.ts';
import { ENDINGS, PURPOSES } from '../../protocol/daemon/trajectories.ts';

/** Turns an error of a constructor in core/ids.ts into a schema issue. */
const made = <From, To>(base: z.ZodType<From>, make: (value: From) => To) =>
  base.transform((value, context): To => {
    try {
      return make(value);
    } catch (error) {
      context.addIssue(messageOf(error));
      return z.NEVER;
    }
  });

export const ids = {
  trajectory: made(z.string(), trajectoryId),
  order: made(z.string(), orderId),
  run: made(z.string(), runId),
  group: made(z.string(), groupId),
  batch: made(z.string(), batchId),
};

export const version = made(z.number(), versionNumber);

export const instance = z.object({ task: made(z.string(), taskId), seed: made(z.number(), seed) });

const provenance = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rollout') }),
  z.object({ kind: z.literal('human'), who: z.string() }),
  z.object({ kind: z.literal('oracle') }),
  z.object({
    kind: z.literal('imported'),
    from: z.string(),
    format: z.string().exactOptional(),
    at: z.number().exactOptional(),
  }),
  z.object({ kind: z.literal('hindsight'), of: ids.trajectory }),
]);

export const score = z.number().min(0).max(1);
export const ending = z.enum(ENDINGS);
export const boundary = z.enum(['environment', 'policy', 'task', 'provider']);

const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('judged'), ending, verdict: z.object({ score, why: z.string() }) }),
  z.object({
    kind: z.literal('broken'),
    failure: z.object({ boundary, thing: z.string(), message: z.string() }),
  }),
]);

/** A trajectory without steps and frames. */
export const about = z.object({
  id: ids.trajectory,
  order: ids.order.exactOptional(),
  run: ids.run.exactOptional(),
  group: ids.group.exactOptional(),
  instance,
  instruction: z.string(),
  purpose: z.enum(PURPOSES),
  mode: z.enum(MODES),
  maxSteps: z.number(),
  provenance,
  agent: z.string().exactOptional(),
  outcome,
  startedAt: z.number(),
  endedAt: z.number(),
});

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const candidate = z.object({ kind: z.enum(['element', 'patch']), index: z.number(), box });

export const decision = z.object({
  head: z.enum(['kind', 'pointer', 'text', 'key']),
  choice: z.number(),
  choices: z.number(),
  logProbability: z.number(),
  entropy: z.number(),
  alternatives: z.array(
    z.object({ choice: z.number(), logProbability: z.number(), label: z.string(), box: box.exactOptional() }),
  ),
});
