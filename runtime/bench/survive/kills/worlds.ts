// The runs whose processes are killed: the configuration of each kind, and the parts that are not below its daemon.

import { messageOf } from '../../../core/errors.ts';
import { systemClock } from '../../../core/system-clock.ts';
import { defaultAddress, hostSettings } from '../../../environments/docker/address.ts';
import { type DockerHost, openHost } from '../../../environments/docker/host.ts';
import { ANY_BROWSER, browserHere } from '../../../environments/web/browser-here.ts';
import { openEngine } from '../../docker/stations.ts';
import { EndpointProcess } from './endpoint-process.ts';
import type { FaultyRun } from './plan.ts';

export interface FaultyWorld {
  readonly config: unknown;
  readonly endpoint?: EndpointProcess;
  /** The engine of its desktops. */
  readonly engine?: DockerHost;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** For the files of its parts. */
  readonly folder: string;
  /** Weights of the micro model, for a model run. */
  readonly weights: () => Promise<string>;
  readonly say: (text: string) => void;
}

const KEY = 'tml-the-key-of-this-benchmark';
/** The variable with the key, in the environment of the daemons. */
const KEY_VARIABLE = 'DARTBOARD_BENCH_KEY';

/** Long enough for all faults; training starts soon, and is saved and measured often. */
const OF_ALL = {
  minutes: 600,
  trainer: { publishSeconds: 0.5, checkpointMinutes: 0.05 },
  evaluation: { everySeconds: 15, instances: 1, lastInstances: 1, desktops: 1 },
};

export const openWorld: Readonly<Record<FaultyRun, (options: WorldOptions) => Promise<FaultyWorld>>> = {
  pocket: async () => ({
    config: {
      ...OF_ALL,
      suite: { tasks: ['settings-theme', 'files-rename', 'mail-forward'] },
      environments: { desktops: 4 },
      exploring: { firstSeconds: 1 },
    },
    close: async () => undefined,
  }),
  web: async () => ({
    config: {
      ...OF_ALL,
      environments: { kind: 'web', desktops: 2 },
      demonstrations: 1,
      data: { rollouts: 2, trajectoriesPerBatch: 2 },
    },
    close: async () => undefined,
  }),
  docker: async ({ say }) => {
    const { host, image } = await openEngine(say);
    return {
      config: {
        ...OF_ALL,
        suite: { tasks: ['note-write', 'window-close'] },
        environments: { kind: 'docker', desktops: 2, docker: { image, spares: 1 } },
        demonstrations: 1,
        data: { rollouts: 2, trajectoriesPerBatch: 2 },
      },
      engine: host,
      close: async () => host.close(),
    };
  },
  model: async ({ folder, weights }) => {
    const endpoint = await EndpointProcess.start({ weights: await weights(), folder, key: KEY });
    process.env[KEY_VARIABLE] = KEY;
    return { config: modelConfig(endpoint.url), endpoint, close: () => endpoint.stop() };
  },
};

function modelConfig(url: string) {
  const key = { env: KEY_VARIABLE };
  const learner = { kind: 'tinker', url: url.replace(/\/v1$/, ''), base: 'micro', rank: 0, key };
  return {
    ...OF_ALL,
    suite: { tasks: ['settings-night-light', 'settings-mute', 'settings-theme'] },
    agent: 'micro',
    agents: { micro: { profile: 'micro', mode: 'a11y_tree', url, model: 'micro', key, learner } },
    environments: { desktops: 4 },
    data: { rollouts: 4, trajectoriesPerBatch: 4, stepsPerBatch: 8, stalenessUpdates: 50 },
    trainer: { policyRows: 4, checkpointMinutes: 0.05, objective: { divergence: 0 } },
  };
}

async function requireDockerEngine(): Promise<void> {
  const host = await openHost(defaultAddress(hostSettings()), systemClock, 'here');
  try {
    await host.facts();
  } finally {
    host.close();
  }
}

/** Undefined if this machine can have such a run; otherwise the reason. */
export async function missingFor(run: FaultyRun): Promise<string | undefined> {
  try {
    if (run === 'web') browserHere(ANY_BROWSER);
    if (run === 'docker') await requireDockerEngine();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
