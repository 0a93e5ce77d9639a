// Errors of requests, as clients receive them.

import { NoSuchCollection } from '../collect/collections.ts';
import { messageOf } from '../core/errors.ts';
import { NoSuchTrajectory } from '../data/store.ts';
import { NoSuchRecording } from '../person/recordings.ts';
import type { DaemonErrorCode, DaemonFailure } from '../protocol/daemon/schemas.ts';
import { RunInPoolError } from '../run/folders/run-folder.ts';
import { NoSuchPresort } from './presort/presorts.ts';
import { NoSuchStep } from './trajectories/trajectories.ts';

/** A request that is rejected before anything is attempted. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: DaemonErrorCode;
  readonly field: string | undefined;

  constructor(code: DaemonErrorCode, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** The reply for anything that was thrown. */
export function failureOfRequest(error: unknown): DaemonFailure {
  const message = messageOf(error);
  if (error instanceof NoSuchTrajectory) return { code: 'not_found', field: 'params.trajectory', message };
  if (error instanceof NoSuchStep) return { code: 'not_found', field: error.field, message };
  if (error instanceof NoSuchCollection) return { code: 'not_found', field: 'params.collection', message };
  if (error instanceof NoSuchPresort) return { code: 'not_found', field: 'params.presort', message };
  if (error instanceof NoSuchRecording) return { code: 'not_found', field: 'params.recording', message };
  if (error instanceof RunInPoolError) return { code: 'in_pool', message };
  if (!(error instanceof RequestError)) return { code: 'failed', message };
  const { code, field } = error;
  return { code, ...(field !== undefined && { field }), message };
}
