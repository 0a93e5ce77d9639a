// dartboard.json, the first entry of a trajectory file. It contains all data that the index needs, so that 100,000 files are indexed
// without reading steps. It stores the steps as four columns of numbers.

import * as z from 'zod';
import { ACTION_KINDS } from '../../core/action.ts';
import type { ChosenBy, Step } from '../../core/step.ts';
import { sum } from '../../core/sum.ts';
import {
  ENTROPY_ESTIMATORS,
  type TokensTrace,
  traceProbability,
  traceUncertainty,
} from '../../core/trace.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { about, version } from './schema.ts';

const FORMAT = 'dartboard-trajectory-1';
export const HEAD_NAME = 'dartboard.json';

const column = z.array(z.number().nullable());

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const replyTotals = z.object({
  /** That of the first reply; values of different estimators are not comparable. */
  estimator: z.enum(ENTROPY_ESTIMATORS),
  /** Sums over the replies; servers may report no tokens. */
  promptTokens: z.number(),
  completionTokens: z.number(),
  latencyMs: z.number(),
  cost: z.number().exactOptional(),
  malformed: z.int().min(0),
});

const head = about.extend({
  format: z.literal(FORMAT),
  frames: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('redrawn'), renderer: z.string() }),
    z.object({ kind: z.literal('png'), images: z.int().min(0) }),
  ]),
  /** The images that observations refer to. */
  images: z.array(sha256).exactOptional(),
  /** Present if a language model played. */
  replies: replyTotals.exactOptional(),
  /** One number per step in each column; null if no policy chose the step, or if the server reported nothing. */
  steps: z.object({
    /** Index in ACTION_KINDS. */
    kind: z.array(
      z
        .int()
        .min(0)
        .max(ACTION_KINDS.length - 1),
    ),
    uncertainty: column,
    /** See traceProbability. */
    probability: column,
    version: z.array(version.nullable()),
  }),
});

export type TrajectoryHead = z.output<typeof head>;

export function headOf(trajectory: Trajectory): TrajectoryHead {
  const { steps, frames, images = [], ...rest } = trajectory;
  const column = <T>(of: (chosen: ChosenBy) => T | undefined) =>
    steps.map(({ chosen }) => (chosen && of(chosen)) ?? null);
  const replies = repliesOf(steps);
  return {
    format: FORMAT,
    // Removes properties of wider types.
    ...about.parse(rest),
    frames: frames.kind === 'png' ? { kind: 'png', images: frames.images.length } : frames,
    ...(images.length > 0 && { images: images.map(image => image.sha256) }),
    ...(replies !== undefined && { replies }),
    steps: {
      kind: steps.map(({ action }) => ACTION_KINDS.indexOf(action.kind)),
      uncertainty: column(({ trace }) => rounded(traceUncertainty(trace))),
      probability: column(({ trace }) => rounded(traceProbability(trace))),
      version: column(chosen => chosen.version),
    },
  };
}

/** Throws a ZodError on an invalid head or another format version. */
export const parseHead = (json: string): TrajectoryHead => head.parse(JSON.parse(json));

function repliesOf(steps: readonly Step[]): TrajectoryHead['replies'] {
  const replies = steps.flatMap(({ chosen }) => (chosen?.trace.kind === 'tokens' ? [chosen.trace] : []));
  const [first] = replies;
  if (first === undefined) return undefined;
  const total = (of: (reply: TokensTrace) => number | undefined) => sum(replies.map(reply => of(reply) ?? 0));
  const hasCost = replies.some(({ served }) => served.cost !== undefined);
  return {
    estimator: first.estimator,
    promptTokens: total(({ served }) => served.promptTokens),
    completionTokens: total(({ served, tokens }) => served.completionTokens ?? tokens.length),
    latencyMs: total(({ served }) => served.latencyMs),
    ...(hasCost && { cost: total(({ served }) => served.cost) }),
    malformed: replies.filter(({ malformed }) => malformed !== undefined).length,
  };
}

/** Five digits are enough for sorting. */
const rounded = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Number(value.toFixed(5));
