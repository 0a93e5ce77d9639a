// What a script showed, as a trajectory: kept like all others, and imitated.

import { createHash } from 'node:crypto';
import { encode } from '../agent/observation.ts';
import { type TaskId, trajectoryId } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { isSuccess } from '../core/verdict.ts';
import type { ReplayedEpisode } from './replay/replay-as-samples.ts';

export const isSolved = ({ episode: { end } }: ReplayedEpisode): boolean =>
  end !== undefined && isSuccess({ kind: 'judged', ...end });

export interface DemonstrationContext {
  readonly instance: Instance;
  readonly mode: Mode;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Undefined where it did not succeed. */
export async function demonstrationOf(
  retold: ReplayedEpisode,
  { instance, mode, startedAt, endedAt }: DemonstrationContext,
): Promise<Trajectory | undefined> {
  const { episode, samples, views } = retold;
  const { end, actions, instruction } = episode;
  if (end === undefined || !isSolved(retold)) return undefined;
  return {
    id: trajectoryId(`demonstration-${inFileNames(instance.task)}-${instance.seed}-${mode}`),
    instance,
    instruction,
    purpose: 'demonstrate',
    mode,
    maxSteps: samples.length,
    provenance: { kind: 'oracle' },
    steps: actions.flatMap((action, index) => {
      const seen = views[index]?.seen;
      return seen === undefined ? [] : [{ action, meant: [], observation: encode(seen) }];
    }),
    frames: await episode.frames(),
    outcome: { kind: 'judged', ...end },
    startedAt,
    endedAt,
  };
}

/** Itself, as most are; others by their hash. */
const inFileNames = (task: TaskId): string =>
  /^[\w.-]{1,80}$/.test(task) ? task : createHash('sha256').update(task).digest('hex').slice(0, 16);
