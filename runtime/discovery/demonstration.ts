// Turns a replayed solution into a trajectory, which is stored and imitated.

import { createHash } from 'node:crypto';
import { encode } from '../agents/compact/observation.ts';
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

/** Undefined if it did not succeed. */
export async function demonstrationOf(
  replayed: ReplayedEpisode,
  { instance, mode, startedAt, endedAt }: DemonstrationContext,
): Promise<Trajectory | undefined> {
  const { end, actions, instruction } = replayed.episode;
  if (end === undefined || !isSolved(replayed)) return undefined;
  return {
    id: trajectoryId(`demonstration-${fileNameOf(instance.task)}-${instance.seed}-${mode}`),
    instance,
    instruction,
    purpose: 'demonstrate',
    mode,
    maxSteps: replayed.steps.length,
    provenance: { kind: 'oracle' },
    steps: actions.flatMap((action, index) => {
      const step = replayed.steps[index];
      return step === undefined ? [] : [{ action, meant: [], observation: encode(step.observation) }];
    }),
    frames: await replayed.episode.frames(),
    outcome: { kind: 'judged', ...end },
    startedAt,
    endedAt,
  };
}

/** The name of the task if it fits into a file name, as most do, or else its hash. */
const fileNameOf = (task: TaskId): string =>
  /^[\w.-]{1,80}$/.test(task) ? task : createHash('sha256').update(task).digest('hex').slice(0, 16);
