// The process that runs one engine, so that engines share neither threads nor memory.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRuntime } from '../../graph/runtime.ts';
import { openSession } from '../../graph/session.ts';
import { serveChild } from '../../rpc/child-server.ts';
import {
  type EngineJob,
  type EngineName,
  type JobKind,
  openJob,
  policyTraining,
  policyWeights,
} from './jobs.ts';
import { trainingFeeds } from './network.ts';
import { type StepProfile, stepProfile } from './profile.ts';

export type EngineWorkerCalls = {
  readonly prepare: {
    readonly takes: { readonly engine: EngineName; readonly kind: JobKind; readonly size: number };
    readonly gives: undefined;
  };
  /** The losses of the first steps. */
  readonly losses: { readonly takes: { readonly steps: number }; readonly gives: readonly number[] };
  /** The milliseconds of each repetition, for some seconds and at least `atLeast` times. */
  readonly measure: {
    readonly takes: { readonly seconds: number; readonly atLeast: number };
    readonly gives: readonly number[];
  };
  readonly profile: { readonly takes: { readonly size: number }; readonly gives: StepProfile };
};

const PROFILED_STEPS = 60;
const PROFILE_WARM_UP_STEPS = 20;

await serveChild<EngineWorkerCalls, undefined>(async () => {
  let once: EngineJob = () => Promise.reject(new Error('No job is open. Call `prepare` first.'));
  return {
    about: undefined,
    handlers: {
      prepare: async ({ engine, kind, size }) => {
        once = await openJob(engine, kind, size, loadRuntime);
        return undefined;
      },
      losses: async ({ steps }) => {
        const losses: number[] = [];
        for (let step = 0; step < steps; step++) losses.push((await once()) ?? Number.NaN);
        return losses;
      },
      measure: async ({ seconds, atLeast }) => {
        const times: number[] = [];
        const end = performance.now() + seconds * 1000;
        do {
          const start = performance.now();
          await once();
          times.push(performance.now() - start);
        } while (performance.now() < end || times.length < atLeast);
        return times;
      },
      profile: ({ size }) => profiled(size),
    },
  };
});

async function profiled(size: number): Promise<StepProfile> {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-profile-'));
  try {
    const { create, ...rest } = await loadRuntime('native');
    const runtime = {
      ...rest,
      create: (model: Uint8Array) => create(model, { profileTo: join(folder, 'step') }),
    };
    const session = await openSession(runtime, policyTraining());
    await session.write(policyWeights());
    const feeds = trainingFeeds(size);
    for (let step = 0; step < PROFILED_STEPS; step++) await session.run(feeds);
    await session.close();
    const [file] = readdirSync(folder);
    if (file === undefined)
      throw new Error(`ONNX Runtime wrote no profile to ${folder}. Run the benchmark again.`);
    return stepProfile(readFileSync(join(folder, file), 'utf8'), PROFILE_WARM_UP_STEPS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
