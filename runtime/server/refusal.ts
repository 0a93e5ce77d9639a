// A request that is not carried out, with the reason as the client is told it.

import { NoSuchCollection } from '../collect/collections.ts';
import { NoSuchTrajectory } from '../data/store.ts';
import type { DaemonErrorCode, DaemonFailure } from '../protocol/daemon/messages.ts';
import { Superseded } from './frames/frames.ts';
import { NoSuchStep } from './trajectories/trajectories.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: DaemonErrorCode;
  readonly field: string | undefined;

  constructor(code: DaemonErrorCode, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** Whatever went wrong: what is no refusal was tried, and says itself what happened. */
export function failureOf(error: unknown): DaemonFailure {
  if (!(error instanceof Error)) return { code: 'failed', message: String(error) };
  if (error instanceof NoSuchTrajectory)
    return { code: 'not_found', field: 'params.trajectory', message: error.message };
  if (error instanceof NoSuchStep) return { code: 'not_found', field: error.field, message: error.message };
  if (error instanceof NoSuchCollection)
    return { code: 'not_found', field: 'params.collection', message: error.message };
  if (error instanceof Superseded) return { code: 'superseded', message: error.message };
  if (!(error instanceof Refusal)) return { code: 'failed', message: error.message };
  const { code, field, message } = error;
  return { code, ...(field !== undefined && { field }), message };
}
