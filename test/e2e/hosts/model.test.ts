// Hosts play for a model: they have its screens and prompts, and the daemon has its servers. Needs the bundles that `npm test` builds first.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { opened } from '../../data/open-stores.ts';
import { clickingModel } from '../../doubles/openai/clicking.ts';
import { listen, serveOverHttp } from '../../doubles/openai/listen.ts';
import type { LanguageModel } from '../../doubles/openai/model-server.ts';
import { UpdatableServer } from '../../doubles/openai/updatable-server.ts';
import { TinkerServer } from '../../doubles/tinker/tinker-server.ts';
import { type NatsServer, startNatsServer } from '../../nats-server.ts';
import { host, plays, type Training, trainingOver, vanishes } from './joined-run.ts';

let broker: NatsServer;
beforeAll(async () => {
  broker = await startNatsServer();
});
afterAll(() => broker.stop());

/** Right half of the time: groups have a gradient. */
const wavering: LanguageModel = input =>
  (input.seed ?? 0) % 2 === 0 ? clickingModel(input) : 'I wonder what to do.';

async function trainingModel(mode: string) {
  const policy = new UpdatableServer({
    ...{ kind: 'vllm', clock: systemClock, latencyMs: 30, loadMs: 5, model: wavering },
  });
  const tinker = new TinkerServer({ protobuf: false }, systemClock);
  const learner = {
    ...{ kind: 'tinker', base: 'table', rank: 8 },
    url: await serveOverHttp(request => tinker.sendForBytes(request)),
  };
  const toy = {
    ...{ profile: 'generic', mode, key: { env: 'TOY_KEY' } },
    ...{ url: await listen(policy), model: 'tars', learner },
  };
  vi.stubEnv('TOY_KEY', 'sk-toy-secret');
  const run = await trainingOver(
    broker,
    {},
    {
      ...{ suite: { tasks: ['settings-night-light', 'settings-mute'] }, seed: 'model' },
      ...{ agent: 'toy', agents: { toy }, exploring: undefined },
      // Its own desktop plays little: most episodes are those of the hosts.
      environments: { desktops: 1 },
      data: { rollouts: 4, trajectoriesPerBatch: 4, stepsPerBatch: 8, stalenessUpdates: 50 },
      // The doubles are two models that know nothing of each other.
      trainer: { policyRows: 4, maxMismatch: 1000, checkpointMinutes: 0.01, objective: { divergence: 0 } },
    },
  );
  vi.unstubAllEnvs();
  return run;
}

/** The training episodes that the run has stored. */
async function storedBy({ root, daemon }: Training): Promise<readonly Trajectory[]> {
  const { store } = await opened({ root });
  const kept = await Promise.all([...daemon.kept].map(id => store.read(trajectoryId(id))));
  return kept.filter(({ purpose }) => purpose === 'train');
}

test('hosts without the key of a model play for it, and the run trains on their episodes', async () => {
  const run = await trainingModel('a11y_tree');
  const tower = host(run, 'tower');
  const laptop = host(run, 'laptop');
  await plays(run, tower);
  await plays(run, laptop);
  await run.daemon.goesOn();

  // In the middle of its questions.
  await vanishes(run, laptop, 'SIGKILL');
  await plays(run, tower);
  await run.daemon.goesOn();

  tower.program.kill('SIGTERM');
  expect(await tower.ended).toMatchObject({ status: 0, stderr: '' });
  expect(tower.said.stdout).not.toMatch(/sk-toy-secret|wrong value/);
  await run.daemon.stop();
  expect(run.daemon.broken).toEqual([]);
  expect(run.daemon.state).toMatchObject({ status: 'ended', data: { books: { failed: 0 } } });

  const trained = await storedBy(run);
  expect(trained.length).toBeGreaterThan(8);
  for (const { agent, steps } of trained) {
    expect(agent).toBe('toy');
    for (const { chosen } of steps) expect(chosen?.trace).toMatchObject({ kind: 'tokens', defects: [] });
  }
  // Adapters of later versions answered, too.
  const versions = new Set(trained.flatMap(({ steps }) => steps.map(({ chosen }) => chosen?.version)));
  expect(versions.size).toBeGreaterThan(1);
});

test('the screens of hosts reach the model, and are stored with their episodes', async () => {
  const run = await trainingModel('screenshot_a11y_tree');
  const tower = host(run, 'tower');
  await plays(run, tower);
  tower.program.kill('SIGTERM');
  expect(await tower.ended).toMatchObject({ status: 0, stderr: '' });
  await run.daemon.stop();
  expect(run.daemon.broken).toEqual([]);
  const played = await storedBy(run);
  expect(played.length).toBeGreaterThan(0);
  for (const { steps, images = [] } of played) {
    expect(images.length).toBeGreaterThan(0);
    expect(steps.map(({ chosen }) => chosen?.trace.kind)).not.toContain('heads');
  }
});
