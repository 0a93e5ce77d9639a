// A policy worker in a child process.

import type { NetworkShape } from '../agents/compact/network.ts';
import type { Version } from '../core/ids.ts';
import type { DecisionRequest, Weights } from '../core/policy.ts';
import { openChild } from '../rpc/child.ts';
import type { Answer, PolicyWorker } from './policy-worker.ts';

/** Seconds of the processor: computing decisions, and of the whole process. */
export interface WorkerTime {
  readonly deciding: number;
  readonly whole: number;
}

export type WorkerCalls = {
  /** The first call, made once. */
  readonly start: { readonly takes: NetworkShape; readonly gives: undefined };
  readonly decide: { readonly takes: readonly DecisionRequest[]; readonly gives: readonly Answer[] };
  readonly load: { readonly takes: Weights; readonly gives: undefined };
  readonly pin: { readonly takes: Weights; readonly gives: undefined };
  readonly unpin: { readonly takes: Version; readonly gives: undefined };
  readonly spent: { readonly takes: undefined; readonly gives: WorkerTime };
};

/** Requests that wait in the process, about. */
const REQUESTS_PER_BATCH = 32;

/** A batch takes well below a second. A worker that takes this long is stuck and gets replaced. */
const CALL_DEADLINE_MS = 60_000;

export interface WorkerOptions {
  /** The bundled worker-child.ts. */
  readonly entry: URL;
  readonly shape: NetworkShape;
}

export async function startWorker({
  entry,
  shape,
}: WorkerOptions): Promise<PolicyWorker & { spent(): Promise<WorkerTime> }> {
  const { client, ended } = await openChild<WorkerCalls, null>({
    name: 'policy worker',
    entry,
    waiting: REQUESTS_PER_BATCH,
  });
  const deadline = { deadlineMs: CALL_DEADLINE_MS };
  try {
    await client.call('start', shape, deadline);
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    ended,
    decide: requests => client.call('decide', requests, deadline),
    // Leaves out the mean of the weights, which no worker uses.
    load: ({ version, blob }) => client.call('load', { version, blob }, deadline),
    pin: ({ version, blob }) => client.call('pin', { version, blob }, deadline),
    unpin: version => client.call('unpin', version, deadline),
    spent: () => client.call('spent', undefined, deadline),
    close: () => client.close(),
  };
}
