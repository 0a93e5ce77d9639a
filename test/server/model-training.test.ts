// A run that trains a model agent through the whole product: real modules play on pocket desktops with a server of a model, and a Tinker
// server learns. Needs the bundles that `npm test` builds first.

import { expect, onTestFinished, test, vi } from 'vitest';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { WorkspaceRuns } from '../../runtime/server/workspace-runs.ts';
import { INDEX_ENTRY } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { clickingModel } from '../doubles/openai/clicking.ts';
import { listen, serveOverHttp } from '../doubles/openai/listen.ts';
import type { LanguageModel } from '../doubles/openai/model-server.ts';
import { UpdatableServer } from '../doubles/openai/updatable-server.ts';
import { TinkerServer } from '../doubles/tinker/tinker-server.ts';
import { below, called } from '../e2e/training.ts';
import { PATIENCE } from '../patience.ts';

const entry = (name: string) => new URL(`../../dist/${name}.js`, import.meta.url);
const ENTRIES = {
  ...{ host: entry('host'), worker: entry('worker'), trainer: entry('trainer'), engine: entry('engine') },
  ...{ index: INDEX_ENTRY, frames: entry('frames') },
};

/** Right half of the time: groups have a gradient. */
const wavering: LanguageModel = input =>
  (input.seed ?? 0) % 2 === 0 ? clickingModel(input) : 'I wonder what to do.';

/** Optimiser steps of the last saved model. */
const stepsOf = ({ disk }: TinkerServer): number => Math.max(...[...disk.values()].map(({ steps }) => steps));

async function opened() {
  const policy = new UpdatableServer({
    ...{ kind: 'vllm', clock: systemClock, latencyMs: 5, loadMs: 5, model: wavering },
  });
  const tinker = new TinkerServer({}, systemClock);
  const learner = {
    kind: 'tinker',
    url: await serveOverHttp(request => tinker.sendForBytes(request)),
    base: 'table',
    rank: 8,
  };
  const toy = { profile: 'generic', mode: 'a11y_tree', url: await listen(policy), model: 'tars', learner };
  const config: Config = parseConfig({
    ...{ suite: { tasks: ['settings-night-light', 'settings-mute'] }, minutes: 60, seed: 'model' },
    ...{ agent: 'toy', agents: { toy } },
    environments: { desktops: 4 },
    data: { rollouts: 4, trajectoriesPerBatch: 4, stepsPerBatch: 8, stalenessUpdates: 50 },
    evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
    // The doubles are two models that know nothing of each other.
    trainer: { policyRows: 4, maxMismatch: 1000, checkpointMinutes: 0.01, objective: { divergence: 0.1 } },
  });
  const root = folder();
  const notices: string[] = [];
  const runs = await WorkspaceRuns.open({
    ...{ root, entries: ENTRIES, clock: systemClock, agents: async () => config.agents },
    notice: message => void notices.push(message),
  });
  onTestFinished(() => runs.close());
  return { runs, config, policy, tinker, notices };
}

test('trains, serves each version under a name of its own, and resumes where it was', async () => {
  const { runs, config, policy, tinker } = await opened();
  const run = await runs.start(config);
  const version = () => runs.state(run)?.trainer.version ?? 0;
  await vi.waitUntil(() => version() >= 4, PATIENCE);
  // Servers have loaded some version, and steps were chosen by it.
  await vi.waitUntil(() => policy.control.adapters.length > 0, PATIENCE);
  const newest = version();
  await vi.waitUntil(() => version() > newest, PATIENCE);
  const state = runs.state(run);
  expect(state?.problems).toEqual([]);
  expect(state).toMatchObject({ status: 'running', learner: { kind: 'tinker', model: 'table' } });
  expect(state?.trainer.metrics['mismatch_kl']).toBeGreaterThan(0);
  await runs.stop(run);
  const stopped = version();
  const { rows } = await runs.trajectories.list({
    ...{ filter: { run }, sort: 'endedAt', descending: true, offset: 0, limit: 50 },
  });
  expect(rows.length).toBeGreaterThan(0);
  expect(Math.max(...rows.map(({ newest = 0 }) => newest))).toBeGreaterThan(0);
  expect(stepsOf(tinker)).toBe(stopped);

  // The Tinker server still has the model: nothing is trained twice, and numbers of versions go on.
  await runs.resume(run, 7200);
  await vi.waitUntil(() => version() > stopped + 1, PATIENCE);
  expect(runs.state(run)?.problems).toEqual([]);
  await runs.stop(run);
  expect(stepsOf(tinker)).toBe(version());
});

test('goes on after kills of its trainer and its host: no update is made twice, and none is lost', async () => {
  const { runs, config, tinker } = await opened();
  const run = await runs.start(config);
  const version = () => runs.state(run)?.trainer.version ?? 0;
  for (const name of ['trainer', 'host', 'trainer', 'trainer']) {
    const before = version();
    await vi.waitUntil(() => version() > before + 1, PATIENCE);
    const killed = called(below(process.pid), name) ?? expect.unreachable(`There is no ${name}.`);
    process.kill(killed.pid, 'SIGKILL');
  }
  const last = version();
  await vi.waitUntil(() => version() > last + 1, PATIENCE);
  await runs.stop(run);
  // An update that was made twice, or lost, would make another number of steps.
  expect(stepsOf(tinker)).toBe(version());
});
