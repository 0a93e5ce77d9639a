// Makes a trajectory durable. A failed write is repeated with exponential backoff. A trajectory that no file can represent becomes a broken
// episode.

import { messageOf } from '../core/errors.ts';
import { type RetryOptions, retry } from '../core/retry.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { UnstorableTrajectory } from './files/trajectory-file.ts';

export interface KeptTrajectory {
  /** A broken episode if it cannot be stored. */
  readonly trajectory: Trajectory;
  /** Why it is not stored. */
  readonly unstorable?: string;
}

/** `failed` is called only for errors after which the write is repeated. */
export async function keepTrajectory(
  trajectory: Trajectory,
  keep: () => Promise<void>,
  { failed, ...options }: RetryOptions,
): Promise<KeptTrajectory> {
  const repeatable: RetryOptions['failed'] = (error, ...about) => {
    if (error instanceof UnstorableTrajectory) throw error;
    return failed(error, ...about);
  };
  try {
    await retry(keep, { ...options, failed: repeatable });
    return { trajectory };
  } catch (error) {
    if (!(error instanceof UnstorableTrajectory)) throw error;
    const message = messageOf(error);
    const failure = { boundary: 'provider', thing: 'trajectories', message } as const;
    return {
      trajectory: { ...trajectory, steps: [], outcome: { kind: 'broken', failure } },
      unstorable: message,
    };
  }
}
