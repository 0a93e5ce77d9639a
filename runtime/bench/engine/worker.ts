// The process in which one engine is measured: each engine has one of its own, and the parent lets them take turns.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRuntime } from '../../graph/runtime.ts';
import { openSession } from '../../graph/session.ts';
import { serveChild } from '../../rpc/child-server.ts';
import { type Account, accountOf } from './account.ts';
import { trainingFeeds } from './network.ts';
import {
  batchOf,
  type EngineName,
  type Job,
  policyTraining,
  policyWeights,
  type Subject,
  subject,
} from './subject.ts';

export type WorkerCalls = {
  readonly prepare: {
    readonly takes: { readonly engine: EngineName; readonly job: Job; readonly size: number };
    readonly gives: undefined;
  };
  /** The losses of some steps from the start. */
  readonly losses: { readonly takes: { readonly steps: number }; readonly gives: readonly number[] };
  /** Milliseconds of each repetition within some time, but so many at least. */
  readonly measure: {
    readonly takes: { readonly seconds: number; readonly atLeast: number };
    readonly gives: readonly number[];
  };
  readonly account: { readonly takes: { readonly size: number }; readonly gives: Account };
};

await serveChild<WorkerCalls, undefined>(async () => {
  let current: Subject | undefined;
  const prepared = (): Subject => {
    if (current === undefined) throw new RangeError('Nothing was prepared.');
    return current;
  };
  return {
    about: undefined,
    handlers: {
      prepare: async ({ engine, job, size }) => {
        await current?.close();
        current = await subject(engine, job, size, loadRuntime);
        return undefined;
      },
      losses: async ({ steps }) => {
        const losses: number[] = [];
        for (let step = 0; step < steps; step++) losses.push((await prepared().once()) ?? Number.NaN);
        return losses;
      },
      measure: async ({ seconds, atLeast }) => {
        const times: number[] = [];
        const end = performance.now() + seconds * 1000;
        do {
          const start = performance.now();
          await prepared().once();
          times.push(performance.now() - start);
        } while (performance.now() < end || times.length < atLeast);
        return times;
      },
      account: ({ size }) => profiled(size),
    },
  };
});

async function profiled(size: number): Promise<Account> {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-profile-'));
  try {
    const { create, ...rest } = await loadRuntime('native');
    const profiling = {
      ...rest,
      create: (model: Uint8Array) => create(model, { profileTo: join(folder, 'step') }),
    };
    const session = await openSession(profiling, policyTraining());
    await session.write(policyWeights());
    const feeds = trainingFeeds(batchOf(size));
    for (let step = 0; step < 60; step++) await session.run(feeds);
    await session.close();
    const [file] = readdirSync(folder);
    if (file === undefined) throw new Error(`ONNX Runtime left no profile in ${folder}.`);
    return accountOf(readFileSync(join(folder, file), 'utf8'), 20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
