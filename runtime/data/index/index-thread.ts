// The caller's side of the index's thread: starts it, matches answers to questions, and rejects what is left when it is gone.

import { Worker } from 'node:worker_threads';
import type { Reply, Request } from '../../rpc/calls.ts';
import type { IndexCalls } from './calls.ts';
import type { CaughtUp } from './catalogue.ts';
import type { TrajectoryIndex } from './questions.ts';

export class IndexGone extends Error {
  override readonly name = 'IndexGone';
}

interface Waiting {
  readonly resolve: (gives: never) => void;
  readonly reject: (error: Error) => void;
}

export interface IndexThread {
  readonly index: TrajectoryIndex;
  /** What it took to bring it up to date. */
  readonly caughtUp: CaughtUp;
  call<C extends keyof IndexCalls>(call: C, takes: IndexCalls[C]['takes']): Promise<IndexCalls[C]['gives']>;
}

/** `entry` is the bundled index-worker.ts, `root` the folder of the runs. */
export function startIndex(entry: URL, root: string): Promise<IndexThread> {
  const worker = new Worker(entry, { workerData: root });
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let gone: Error | undefined;
  const call: IndexThread['call'] = (name, takes) =>
    new Promise((resolve, reject) => {
      if (gone !== undefined) return reject(gone);
      calls += 1;
      waiting.set(calls, { resolve, reject });
      const request: Request = { id: calls, call: name, takes };
      worker.postMessage(request);
    });
  return new Promise((resolve, reject) => {
    const end = (why: string): void => {
      gone ??= new IndexGone(
        `The index of '${root}' is gone (${why}): open the store again, nothing is lost.`,
      );
      for (const each of waiting.values()) each.reject(gone);
      waiting.clear();
      reject(gone);
    };
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'ready')
        resolve({ index: questions(call), caughtUp: reply.about as CaughtUp, call });
      if (reply.kind !== 'result' && reply.kind !== 'error') return;
      const asked = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (reply.kind === 'result') asked?.resolve(reply.gives as never);
      else asked?.reject(Object.assign(new Error(reply.message), { name: reply.name }));
    });
    worker.on('error', error => end(error.message));
    worker.once('exit', () => end('its thread ended'));
  });
}

const questions = (call: IndexThread['call']): TrajectoryIndex => ({
  page: question => call('page', question),
  row: id => call('row', id),
  rows: ids => call('rows', ids),
  steps: question => call('steps', question),
  rates: question => call('rates', question),
  ratesOverTime: question => call('ratesOverTime', question),
  waiting: question => call('waiting', question),
  members: question => call('members', question),
  memberCounts: () => call('memberCounts', undefined),
  said: id => call('said', id),
  successes: question => call('successes', question),
  volume: () => call('volume', undefined),
  bytesByRun: () => call('bytesByRun', undefined),
  kept: () => call('kept', undefined),
});
