// One vocabulary of failures: each failure names the boundary that broke, so that a failed desktop is never mistaken for a
// failed policy.

import { messageOf } from './errors.ts';

/**
 * environment: a desktop crashed, hung or lost its connection.
 * policy: a worker could not decide, for whatever reason.
 * task: the task itself is at fault: a set-up step or an evaluator that cannot run.
 * provider: what supplies the others is away: the container engine, the disk, an endpoint.
 */
export type Boundary = 'environment' | 'policy' | 'task' | 'provider';

export interface Failure {
  readonly boundary: Boundary;
  /** The thing that broke: a desktop's id, a task's, a worker's. */
  readonly thing: string;
  /** What happened and what to do about it, in words for a user. */
  readonly message: string;
}

/** How a module throws a failure across its border. */
export class BoundaryError extends Error {
  override readonly name = 'BoundaryError';

  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(`${failure.boundary} ${failure.thing}: ${failure.message}`, options);
  }
}

/** The failure behind anything that was thrown; `boundary` and `thing` are used where the error does not say itself. */
export const failureOf = (error: unknown, boundary: Boundary, thing: string): Failure => {
  if (error instanceof BoundaryError) return error.failure;
  return { boundary, thing, message: messageOf(error) };
};

/** A task that is at fault fails again however often it is run; everything else may pass. */
export const isWorthRetrying = (failure: Failure): boolean => failure.boundary !== 'task';
