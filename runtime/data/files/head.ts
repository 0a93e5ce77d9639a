// dartboard.json, the first entry of a trajectory's file: all that is ours and that the index needs to know, so that 100,000
// files are indexed without reading a step. Steps are in it as four columns of numbers.

import * as z from 'zod';
import { ACTION_KINDS } from '../../core/action.ts';
import { uncertainty } from '../../core/decision.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { about, version } from './schema.ts';

const FORMAT = 'dartboard-trajectory-1';
export const HEAD_NAME = 'dartboard.json';

const column = z.array(z.number().nullable());

const head = about.extend({
  format: z.literal(FORMAT),
  frames: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('redrawn'), renderer: z.string() }),
    z.object({ kind: z.literal('png'), images: z.int().min(0) }),
  ]),
  /** One number a step in each; null where no policy of ours chose. */
  steps: z.object({
    /** Its place among ACTION_KINDS. */
    kind: z.array(
      z
        .int()
        .min(0)
        .max(ACTION_KINDS.length - 1),
    ),
    uncertainty: column,
    /** Of all its decisions together, when they were made. */
    probability: column,
    version: z.array(version.nullable()),
  }),
});

export type TrajectoryHead = z.output<typeof head>;

export function headOf(trajectory: Trajectory): TrajectoryHead {
  const { steps, frames, ...rest } = trajectory;
  return {
    format: FORMAT,
    // Nothing that a wider type may have carried along.
    ...about.parse(rest),
    frames: frames.kind === 'png' ? { kind: 'png', images: frames.images.length } : frames,
    steps: {
      kind: steps.map(({ action }) => ACTION_KINDS.indexOf(action.kind)),
      uncertainty: steps.map(({ chosen }) => chosen && rounded(uncertainty(chosen.decisions))).map(orNull),
      probability: steps
        .map(({ chosen }) => chosen && rounded(Math.exp(logProbabilityOf(chosen.decisions))))
        .map(orNull),
      version: steps.map(({ chosen }) => chosen?.version).map(orNull),
    },
  };
}

/** Throws a ZodError on what is no head, or one of another version. */
export const parseHead = (json: string): TrajectoryHead => head.parse(JSON.parse(json));

const orNull = <T>(value: T | undefined): T | null => value ?? null;

const logProbabilityOf = (decisions: readonly { readonly logProbability: number }[]): number =>
  decisions.reduce((sum, { logProbability }) => sum + logProbability, 0);

/** Enough to sort by, and short. */
const rounded = (share: number): number => Number(share.toFixed(5));
