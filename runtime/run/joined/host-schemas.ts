// Schemas of what a joined host sends to the daemon: trajectories, lessons, events and views, with bounds on sizes and numbers.
// host-values.ts checks values that belong together.

import * as z from 'zod';
import { MAX_STORED_NOTCHES } from '../../core/action.ts';
import type { Event } from '../../core/event.ts';
import { desktopId } from '../../core/ids.ts';
import { findKey, type Key } from '../../core/key.ts';
import { LESSON_SORTS, type Lesson } from '../../core/lesson.ts';
import type { Point } from '../../core/screen.ts';
import { ENTROPY_ESTIMATORS, REPLY_DEFECTS } from '../../core/trace.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { View } from '../../core/view.ts';
import { about, boundary, candidate, ending, instance, score, version } from '../../data/files/schema.ts';
import { box, gestures } from '../../protocol/daemon/screen.ts';

/** Of an answer, a typed text, or the reason of a verdict. */
const MAX_TEXT = 100_000;
/** Of a label or a name. */
const MAX_NAME = 1000;
export const MAX_STEPS = 10_000;
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
export const MAX_COORDINATE = 1_000_000;
/** Of a metric: larger ones could not be added up. */
const MAX_NUMBER = 1e15;
/** The last millisecond of a Date. */
const MAX_TIME_MS = 8.64e15;
/** Below exp(-200) a probability is no 32-bit number. */
const MIN_LOG_PROBABILITY = -200;
/** A probability of 1 may be rounded up. */
const MAX_LOG_PROBABILITY = 1e-3;
const MAX_DECISIONS = 16;
const MAX_ALTERNATIVES = 100;
const MAX_CHOICES = 100_000;
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Of one reply, and of the prompts of long episodes. */
const MAX_TOKENS = 100_000;
const MAX_PROMPT_TOKENS = 1_000_000;
const MAX_TOKEN_ID = 10_000_000;
const MAX_RETRIES = 100;

export const text = z.string().max(MAX_TEXT);
export const name = z.string().max(MAX_NAME);
const time = z.number().min(0).max(MAX_TIME_MS);
const steps = z.int().min(0).max(MAX_STEPS);
const count = z.int().min(0).max(1_000_000);
const finite = z.number().min(-MAX_NUMBER).max(MAX_NUMBER);

const bytes = z.instanceof(Uint8Array);
export const picture = bytes.refine(
  each => each.length <= MAX_PICTURE_BYTES && PNG.every((byte, index) => each[index] === byte),
  'not a PNG of at most 32 MB',
);
/** The frame of a step that broke may be empty. */
export const frame = z.union([bytes.refine(({ length }) => length === 0), picture]);

/** Of a pixel. */
const coordinate = z.int().min(0).max(MAX_COORDINATE);

/** Actions with points and notches of these schemas. */
export const actionsOf = (point: z.ZodType<Point>, notches: z.ZodType<number>) =>
  z.discriminatedUnion('kind', [
    ...gestures({
      ...{ point, notches, text },
      key: z.custom<Key>(value => typeof value === 'string' && findKey(value) === value),
    }),
    z.strictObject({ kind: z.literal('finished'), answer: text }),
    z.strictObject({ kind: z.literal('fail'), why: text }),
    z.strictObject({ kind: z.literal('none'), why: text }),
  ]);

export const action = actionsOf(
  z.strictObject({ x: coordinate, y: coordinate }),
  z.int().min(1).max(MAX_STORED_NOTCHES),
);

const logProbability = z.number().min(MIN_LOG_PROBABILITY).max(MAX_LOG_PROBABILITY);
const decided = {
  head: z.enum(['kind', 'pointer', 'text', 'key']),
  choice: z.int().min(0).max(MAX_CHOICES),
};
const decision = z.object({
  ...{ ...decided, logProbability },
  choices: z.int().min(1).max(MAX_CHOICES),
  entropy: z.number().min(-1).max(100),
  alternatives: z
    .array(z.object({ choice: decided.choice, logProbability, label: text, box: box.exactOptional() }))
    .max(MAX_ALTERNATIVES),
});

const observation = z.object({ encoding: name, bytes });

const meant = z.array(candidate).max(2);

const step = z.object({
  ...{ action, meant, observation },
  chosen: z.object({
    version,
    trace: z.object({
      kind: z.literal('heads'),
      decisions: z.array(decision).min(1).max(MAX_DECISIONS),
    }),
  }),
});

const played = about.omit({ agent: true }).extend({
  instruction: text,
  maxSteps: steps,
  provenance: z.object({ kind: z.literal('rollout') }),
  frames: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('redrawn'), renderer: name }),
    z.object({ kind: z.literal('png'), images: z.array(frame).max(MAX_STEPS + 1) }),
  ]),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('judged'), ending, verdict: z.object({ score, why: text }) }),
    z.object({
      kind: z.literal('broken'),
      failure: z.object({ boundary, thing: name, message: text }),
    }),
  ]),
  startedAt: time,
  endedAt: time,
});

/** Of an episode that the built-in policy played. */
export const compactTrajectory: z.ZodType<Trajectory> = played.extend({
  steps: z.array(step).max(MAX_STEPS),
});

const tokenId = z.int().min(0).max(MAX_TOKEN_ID);
const tokens = z
  .array(
    z.object({
      ...{ text: name, id: tokenId.exactOptional(), entropy: finite.exactOptional() },
      logProbability: finite.exactOptional(),
      alternatives: z
        .array(z.object({ text: name, logProbability: finite }))
        .max(MAX_ALTERNATIVES)
        .exactOptional(),
    }),
  )
  .max(MAX_TOKENS);

const reply = z.object({
  ...{ kind: z.literal('tokens'), tokens, raw: text },
  prompt: z.array(tokenId).max(MAX_PROMPT_TOKENS).exactOptional(),
  estimator: z.enum(ENTROPY_ESTIMATORS),
  finish: z.enum(['stop', 'length']),
  ...{ thought: text.exactOptional(), malformed: text.exactOptional() },
  defects: z.array(z.enum(REPLY_DEFECTS)).max(REPLY_DEFECTS.length),
  served: z.object({
    ...{ endpoint: name, model: name, reportedVersion: name.exactOptional() },
    latencyMs: finite.min(0),
    promptTokens: count.exactOptional(),
    completionTokens: count.exactOptional(),
    cost: finite.min(0).exactOptional(),
    retries: z.array(name).max(MAX_RETRIES),
  }),
});

const turn = z.union([
  z.object({ ...{ action, meant, observation }, chosen: z.object({ version, trace: reply }) }),
  // A later action of the same reply.
  z.object({
    ...{ action, meant },
    chosen: z.object({ version, trace: z.object({ kind: z.literal('same-turn') }) }),
  }),
]);

/** Of an episode that a model played. */
export const modelTrajectory: z.ZodType<Trajectory> = played.extend({
  agent: name,
  steps: z.array(turn).max(MAX_STEPS),
  images: z
    .array(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), png: picture }))
    .max(MAX_STEPS)
    .exactOptional(),
});

export const foundLesson: z.ZodType<Lesson> = z.object({
  sort: z.enum(LESSON_SORTS),
  kind: name,
  transferredFrom: z.enum(['person', 'script']).exactOptional(),
  steps: z
    .array(
      z.object({
        observation,
        choice: z.object({
          kind: z.literal('heads'),
          decisions: z.array(z.object(decided)).min(1).max(MAX_DECISIONS),
        }),
      }),
    )
    .min(1)
    .max(MAX_STEPS),
});

const common = {
  module: z.enum(['environments', 'rollout', 'data', 'trainer', 'evaluation']),
  at: time,
};

/** Only the kinds that joined hosts send. */
export const hostEvent: z.ZodType<Event> = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('metric'), name: z.string().max(100), value: finite }),
  // A message leaves out a property without a value.
  z.object({
    ...{ ...common, kind: z.literal('waiting'), since: time },
    reason: name.optional().transform(reason => reason),
  }),
  z.object({ ...common, kind: z.literal('health'), thing: name, healthy: z.boolean(), message: text }),
  z.object({
    ...{ ...common, kind: z.literal('host'), phase: z.enum(['playing', 'draining', 'left']) },
    ...{ desktops: count, playing: count, workers: count, version: z.string().max(100) },
    latencyMs: z.number().min(0).max(86_400_000).exactOptional(),
  }),
]);

export const desktop = z.string().transform((id, context) => {
  try {
    return desktopId(id);
  } catch {
    context.addIssue('not the id of a desktop');
    return z.NEVER;
  }
});

export const desktopView: z.ZodType<View> = z.object({
  desktop,
  size: z.enum(['small', 'whole']),
  at: time,
  use: z.enum(['starting', 'idle', 'playing', 'held', 'broken']),
  doing: z
    .object({
      task: instance.shape.task,
      instruction: text,
      steps,
      mostSteps: steps,
      action: action.exactOptional(),
    })
    .exactOptional(),
  picture: picture.exactOptional(),
  screen: z.object({ width: z.int().min(1).max(32_768), height: z.int().min(1).max(32_768) }).exactOptional(),
});
