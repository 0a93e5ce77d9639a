// A policy worker that is a child process: calls go there and answers come back. It ends with this process.

import type { NetworkShape } from '../agent/network.ts';
import type { Version } from '../core/ids.ts';
import type { DecisionRequest, Weights } from '../core/policy.ts';
import { Caller } from '../rpc/child-caller.ts';
import type { Answer, PolicyWorker } from './policy-worker.ts';

/** Seconds of the processor: computing decisions, and of the whole process. */
export interface WorkerTime {
  readonly deciding: number;
  readonly whole: number;
}

export type WorkerCalls = {
  /** First of all, and once. */
  readonly start: { readonly takes: NetworkShape; readonly gives: undefined };
  readonly decide: { readonly takes: readonly DecisionRequest[]; readonly gives: readonly Answer[] };
  readonly load: { readonly takes: Weights; readonly gives: undefined };
  readonly pin: { readonly takes: Weights; readonly gives: undefined };
  readonly unpin: { readonly takes: Version; readonly gives: undefined };
  readonly spent: { readonly takes: undefined; readonly gives: WorkerTime };
};

/** Requests that wait in it: about one batch. */
const AT_ONCE = 32;

export interface WorkerOptions {
  /** The bundled worker-child.ts. */
  readonly entry: URL;
  readonly shape: NetworkShape;
}

export async function startWorker({
  entry,
  shape,
}: WorkerOptions): Promise<PolicyWorker & { spent(): Promise<WorkerTime> }> {
  const { caller } = await Caller.open<WorkerCalls, null>(entry, [], AT_ONCE);
  try {
    await caller.call('start', shape);
  } catch (error) {
    await caller.close();
    throw error;
  }
  return {
    decide: requests => caller.call('decide', requests),
    // Without the mean that may be beside it: nobody decides with both.
    load: ({ version, blob }) => caller.call('load', { version, blob }),
    pin: ({ version, blob }) => caller.call('pin', { version, blob }),
    unpin: version => caller.call('unpin', version),
    spent: () => caller.call('spent', undefined),
    close: () => caller.close(),
  };
}
