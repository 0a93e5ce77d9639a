// The contract of one worker of the pool: it decides batches of requests with the weights that it was given.

import { DeadlineExceeded } from '../core/deadline.ts';
import type { Version } from '../core/ids.ts';
import type { Choice, DecisionRequest, Weights } from '../core/policy.ts';
import { PeerEnded } from '../rpc/client.ts';

/** What is wrong with a request, in words for a user: the others of its batch are answered all the same. */
interface Refused {
  readonly refused: string;
}

export type Answer = Choice | Refused;

export const isRefused = (answer: Answer): answer is Refused => 'refused' in answer;

/**
 * Laws:
 * - Calls are carried out one after another, in the order in which they were made.
 * - Each request of a batch is answered in its place: with what its own observation, seed, temperature and exploration and the
 *   weights say, whoever shares the batch.
 * - When the worker ends, pending and later calls reject with PeerEnded.
 */
export interface PolicyWorker {
  decide(requests: readonly DecisionRequest[]): Promise<readonly Answer[]>;
  /** From the next batch on, requests without a version are decided with these. */
  load(weights: Weights): Promise<void>;
  /** Keeps these beside the newest, for requests that insist on them. */
  pin(weights: Weights): Promise<void>;
  unpin(version: Version): Promise<void>;
  /** At once. May be called more than once, and does not reject. */
  close(): Promise<void>;
}

/** Whether a call failed because its worker is gone or stuck. Then another worker can carry it out. */
export const hasEnded = (error: unknown): boolean =>
  error instanceof PeerEnded || error instanceof DeadlineExceeded;
