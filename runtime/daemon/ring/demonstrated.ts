// What a script showed, as a trajectory: kept like all others, and imitated.

import { createHash } from 'node:crypto';
import { type TaskId, trajectoryId } from '../../contracts/ids.ts';
import type { Mode } from '../../contracts/policy.ts';
import type { Instance } from '../../contracts/task.ts';
import type { Trajectory } from '../../contracts/trajectory.ts';
import { isSuccess } from '../../contracts/verdict.ts';
import { encode } from '../../policy/seen.ts';
import type { Retold } from './retell.ts';

export const isSolved = ({ episode: { ended } }: Retold): boolean =>
  ended !== undefined && isSuccess({ kind: 'judged', ...ended });

export interface Shown {
  readonly instance: Instance;
  readonly mode: Mode;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Undefined where it did not succeed. */
export async function demonstrated(
  retold: Retold,
  { instance, mode, startedAt, endedAt }: Shown,
): Promise<Trajectory | undefined> {
  const { episode, samples, shown } = retold;
  const { ended, actions, instruction } = episode;
  if (ended === undefined || !isSolved(retold)) return undefined;
  return {
    id: trajectoryId(`demonstration-${inFileNames(instance.task)}-${instance.seed}-${mode}`),
    instance,
    instruction,
    purpose: 'demonstrate',
    mode,
    maxSteps: samples.length,
    provenance: { kind: 'oracle' },
    steps: actions.flatMap((action, index) => {
      const seen = shown[index]?.seen;
      return seen === undefined ? [] : [{ action, meant: [], observation: encode(seen) }];
    }),
    frames: await episode.frames(),
    outcome: { kind: 'judged', ...ended },
    startedAt,
    endedAt,
  };
}

/** Itself, as most are; others by their hash. */
const inFileNames = (task: TaskId): string =>
  /^[\w.-]{1,80}$/.test(task) ? task : createHash('sha256').update(task).digest('hex').slice(0, 16);
