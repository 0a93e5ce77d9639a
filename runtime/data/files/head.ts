// dartboard.json, the first entry of a trajectory file. It contains all data that the index needs, so that 100,000 files are indexed
// without reading steps. It stores the steps as four columns of numbers.

import * as z from 'zod';
import { ACTION_KINDS } from '../../core/action.ts';
import { uncertainty } from '../../core/decision.ts';
import type { Step } from '../../core/step.ts';
import { sum } from '../../core/sum.ts';
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
  /** One number per step in each column; null if no policy chose the step. */
  steps: z.object({
    /** Index in ACTION_KINDS. */
    kind: z.array(
      z
        .int()
        .min(0)
        .max(ACTION_KINDS.length - 1),
    ),
    uncertainty: column,
    /** Joint probability of all decisions of the step. */
    probability: column,
    version: z.array(version.nullable()),
  }),
});

type Chosen = NonNullable<Step['chosen']>;

export type TrajectoryHead = z.output<typeof head>;

export function headOf(trajectory: Trajectory): TrajectoryHead {
  const { steps, frames, ...rest } = trajectory;
  const column = <T>(of: (chosen: Chosen) => T) => steps.map(({ chosen }) => (chosen ? of(chosen) : null));
  return {
    format: FORMAT,
    // Removes properties of wider types.
    ...about.parse(rest),
    frames: frames.kind === 'png' ? { kind: 'png', images: frames.images.length } : frames,
    steps: {
      kind: steps.map(({ action }) => ACTION_KINDS.indexOf(action.kind)),
      uncertainty: column(({ decisions }) => rounded(uncertainty(decisions))),
      probability: column(({ decisions }) =>
        rounded(Math.exp(sum(decisions.map(each => each.logProbability)))),
      ),
      version: column(chosen => chosen.version),
    },
  };
}

/** Throws a ZodError on an invalid head or another format version. */
export const parseHead = (json: string): TrajectoryHead => head.parse(JSON.parse(json));

/** Five digits are enough for sorting. */
const rounded = (share: number): number => Number(share.toFixed(5));
