// The interface of a policy worker, which decides batches of requests.

import { DeadlineExceeded } from '../core/deadline.ts';
import type { Version } from '../core/ids.ts';
import type { Choice, DecisionRequest, Weights } from '../core/policy.ts';
import { PeerEnded } from '../rpc/client.ts';

/** The worker rejects this request of a batch, and answers the others. */
interface Refusal {
  /** The reason, for the user. */
  readonly refused: string;
}

export type Answer = Choice | Refusal;

export const isRefused = (answer: Answer): answer is Refusal => 'refused' in answer;

/**
 * Laws:
 * - Calls run one after another, in the order in which they were made.
 * - The answers have the order of the requests. Each depends on its own request and the weights alone, not on the rest of the batch.
 * - When the worker ends, pending and later calls reject with PeerEnded.
 */
export interface PolicyWorker {
  /** Resolves with the reason when the worker ends; never rejects. Absent for a worker that cannot end before its pool. */
  readonly ended?: Promise<{ readonly message: string }>;
  decide(requests: readonly DecisionRequest[]): Promise<readonly Answer[]>;
  /** From the next batch on, requests without a version use these weights. */
  load(weights: Weights): Promise<void>;
  /** Keeps these weights beside the newest, for requests that require them. */
  pin(weights: Weights): Promise<void>;
  unpin(version: Version): Promise<void>;
  /** Ends it at once. May be called more than once, and does not reject. */
  close(): Promise<void>;
}

/** Whether a call failed because its worker ended or is stuck, so that another worker can serve it. */
export const hasEnded = (error: unknown): boolean =>
  error instanceof PeerEnded || error instanceof DeadlineExceeded;
