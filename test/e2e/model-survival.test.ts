// The daemon of a run that trains a model agent is killed at each kind of request of a batch, alone or with all its processes, and another one
// goes on: from the last optimiser step, on the same model of the Tinker server, and with every rollout that was acknowledged. The servers
// of the policy and of the learner are in this process, which survives. Needs the bundles that `npm test` builds first.

import { expect, onTestFinished, test } from 'vitest';
import { trajectoryId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { HttpRequest } from '../../runtime/endpoints/http-transport.ts';
import { RunFolders } from '../../runtime/run/folders/run-folders.ts';
import { opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { clickingModel } from '../doubles/openai/clicking.ts';
import { listen, serveOverHttp } from '../doubles/openai/listen.ts';
import type { LanguageModel } from '../doubles/openai/model-server.ts';
import { UpdatableServer } from '../doubles/openai/updatable-server.ts';
import { TinkerServer } from '../doubles/tinker/tinker-server.ts';
import { below, Daemon, type DaemonOptions, daemonProgram } from './training.ts';

/** A request to the Tinker server, at which the daemon dies: before the server handles it, or before the reply arrives. */
interface KillPoint {
  readonly route: string;
  readonly when: 'before' | 'after';
  /** alone: its processes find out. all: they die at the same moment, as in a power failure. */
  readonly dies: 'alone' | 'all';
}

const ROUTES = ['/forward', '/forward_backward', '/optim_step', '/save_weights_for_sampler', '/save_weights'];
const POINTS = ROUTES.flatMap(route =>
  (['before', 'after'] as const).flatMap(when =>
    (['alone', 'all'] as const).map((dies): KillPoint => ({ route, when, dies })),
  ),
);
/** Right half of the time: groups have a gradient. */
const wavering: LanguageModel = input =>
  (input.seed ?? 0) % 2 === 0 ? clickingModel(input) : 'I wonder what to do.';

/** A Tinker server that kills its client at a point. */
class DeadlyServer {
  readonly tinker = new TinkerServer({ protobuf: false }, systemClock);
  readonly #kill: (point: KillPoint) => Promise<void>;
  #point: KillPoint | undefined;
  #reached: (() => void) | undefined;

  constructor(kill: (point: KillPoint) => Promise<void>) {
    this.#kill = kill;
  }

  /** Resolves after the kill. */
  killAt(point: KillPoint): Promise<void> {
    this.#point = point;
    return new Promise(resolve => {
      this.#reached = resolve;
    });
  }

  async answer(request: HttpRequest) {
    const point = this.#point;
    const isHere = point !== undefined && new URL(request.url).pathname.endsWith(point.route);
    if (!isHere) return this.tinker.sendForBytes(request);
    this.#point = undefined;
    if (point.when === 'after') await this.tinker.sendForBytes(request);
    await this.#kill(point);
    this.#reached?.();
    throw new Error('The client is gone.');
  }
}

/** Optimiser steps of the last saved model. */
const stepsOf = ({ disk }: TinkerServer): number => Math.max(...[...disk.values()].map(({ steps }) => steps));

const modelsMade = ({ routes }: TinkerServer): number =>
  routes.filter(route => route === '/create_model').length;

test('a run of a model agent goes on after kills at every kind of request: no update is made twice, none is lost', async () => {
  let daemon: Daemon | undefined;
  const server = new DeadlyServer(async ({ dies }) => {
    const pid = daemon?.pid ?? expect.unreachable('There is no daemon.');
    const others = dies === 'all' ? below(pid) : [];
    process.kill(pid, 'SIGKILL');
    for (const each of others) killIfAlive(each.pid);
  });
  const policy = new UpdatableServer({
    ...{ kind: 'vllm', clock: systemClock, latencyMs: 5, loadMs: 5, model: wavering },
  });
  const learner = {
    ...{ kind: 'tinker', base: 'table', rank: 8 },
    url: await serveOverHttp(request => server.answer(request)),
  };
  const toy = { profile: 'generic', mode: 'a11y_tree', url: await listen(policy), model: 'tars', learner };
  const config = {
    ...{ suite: { tasks: ['settings-night-light', 'settings-mute'] }, minutes: 60, seed: 'model' },
    ...{ agent: 'toy', agents: { toy } },
    environments: { desktops: 4 },
    data: { rollouts: 4, trajectoriesPerBatch: 4, stepsPerBatch: 8, stalenessUpdates: 50 },
    evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
    // The doubles are two models that know nothing of each other.
    trainer: { policyRows: 4, maxMismatch: 1000, checkpointMinutes: 0.01, objective: { divergence: 0 } },
  };
  const root = folder();
  const options: DaemonOptions = { ...(await daemonProgram()), root, config };
  const start = (run?: string): Daemon => {
    const started = new Daemon({ ...options, ...(run !== undefined && { run }) });
    onTestFinished(() => started.kill());
    return started;
  };
  const kept = new Set<string>();
  const ended = async (over: Daemon): Promise<void> => {
    await over.kill();
    for (const id of over.kept) kept.add(id);
    expect(over.broken).toEqual([]);
  };
  const version = (): number => daemon?.state?.trainer.version ?? 0;
  const goesOn = async (than: number): Promise<void> => {
    await daemon?.until(`there was a version after ${than}`, () => version() > than);
  };

  daemon = start();
  const run = await daemon.says('began');
  await goesOn(1);
  const models = modelsMade(server.tinker);
  for (const point of POINTS) {
    await server.killAt(point);
    const [before, last] = [version(), daemon];
    await ended(last);
    daemon = start(run);
    expect(await daemon.says('found'), JSON.stringify(point)).toMatch(new RegExp(`^${run} failed`));
    await goesOn(before + 1);
    // The same model, from its last step.
    expect(modelsMade(server.tinker), JSON.stringify(point)).toBe(models);
    expect(daemon.state?.problems, JSON.stringify(point)).toEqual([]);
  }
  await daemon.stop();
  for (const id of daemon.kept) kept.add(id);
  expect(daemon.broken).toEqual([]);
  expect(daemon.said).toContain('closed');
  // An update that was made twice, or lost, would make another number of steps.
  expect(stepsOf(server.tinker)).toBe(version());

  const { runs, damaged } = await new RunFolders(root).list();
  expect(damaged).toEqual([]);
  expect(runs).toMatchObject([{ run, status: 'ended', canResume: true }]);
  const { store, notices } = await opened({ root });
  expect(notices).toEqual([]);
  expect(kept.size).toBeGreaterThan(POINTS.length);
  for (const id of kept) expect((await store.read(trajectoryId(id))).id).toBe(id);
});

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
