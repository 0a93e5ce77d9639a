// Failures of the infrastructure. Each names its boundary, so that a failed desktop never counts as a failed policy.

import { messageOf } from './errors.ts';

/**
 * environment: a desktop crashed, hung or lost its connection.
 * policy: a policy worker could not decide.
 * task: a set-up step or an evaluator of the task cannot run.
 * provider: the container engine, the disk or an endpoint is not available.
 */
export type Boundary = 'environment' | 'policy' | 'task' | 'provider';

export interface Failure {
  readonly boundary: Boundary;
  /** The id of the desktop, task or worker that failed. */
  readonly thing: string;
  /** What happened and what to do next, for the user. */
  readonly message: string;
  /** It persists until a person changes something, such as a key or a budget. */
  readonly isPermanent?: true;
}

/** A failure as an error between modules. */
export class BoundaryError extends Error {
  override readonly name = 'BoundaryError';

  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(`${failure.thing}: ${failure.message}`, options);
  }
}

/** The failure of a caught value. `boundary` and `thing` apply unless it is a BoundaryError. */
export const failureOf = (error: unknown, boundary: Boundary, thing: string): Failure => {
  if (error instanceof BoundaryError) return error.failure;
  return { boundary, thing, message: messageOf(error) };
};

/** A faulty task fails on every attempt; other failures may be temporary. */
export const isWorthRetrying = ({ boundary, isPermanent }: Failure): boolean =>
  boundary !== 'task' && isPermanent !== true;
