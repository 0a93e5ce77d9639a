// A training run of the benchmark in this process, over one machine or over several: the product's ring, and a record of its episodes.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPACT, type NetworkShape } from '../../agents/compact/network.ts';
import { blobHash } from '../../blobs/blobs.ts';
import type { Config } from '../../config/config.ts';
import { runId, trajectoryId } from '../../core/ids.ts';
import type { Weights } from '../../core/policy.ts';
import { sum } from '../../core/sum.ts';
import { systemClock } from '../../core/system-clock.ts';
import { TrajectoryStore } from '../../data/store.ts';
import type { Register, WorkQueue } from '../../fabric/channels.ts';
import { embeddedFabric } from '../../fabric/embedded-fabric.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import type { RunState } from '../../protocol/daemon/state.ts';
import { SharedRun } from '../../run/joined/shared-run.ts';
import { RunLifecycle } from '../../run/run-lifecycle.ts';
import { openSuite, trainingTasks } from '../../run/suite.ts';
import { entry, runEntries } from '../training.ts';
import type { EpisodeRecords } from './episodes.ts';
import { type ActedEpisode, actedEpisode } from './performed-actions.ts';

interface RunRecords extends EpisodeRecords {
  /** The judged trajectories among the stored ones, by their id. */
  readonly acted: ReadonlyMap<string, ActedEpisode>;
  /** The version of each of their steps. */
  readonly versions: readonly number[];
  /** The hash of the weights of each version. */
  readonly published: ReadonlyMap<number, string>;
}

interface ObservedRunParts {
  readonly lifecycle: RunLifecycle;
  readonly store: TrajectoryStore;
  readonly shared: SharedRun | undefined;
  readonly records: RunRecords;
}

export class ObservedRun {
  readonly records: RunRecords;
  readonly #parts: ObservedRunParts;
  readonly #ended: Promise<void>;

  private constructor(parts: ObservedRunParts, ended: Promise<void>) {
    this.#parts = parts;
    this.records = parts.records;
    this.#ended = ended;
    // `close` reports it.
    ended.catch(() => undefined);
  }

  /** Resolves when its modules work. */
  static async start(root: string, config: Config, say: (text: string) => void): Promise<ObservedRun> {
    const parts = await openParts(root, config, say);
    let ended: Promise<void> = Promise.resolve();
    try {
      await new Promise<void>((resolve, reject) => {
        ended = parts.lifecycle.run(resolve);
        ended.catch(reject);
      });
    } catch (error) {
      await closeParts(parts);
      throw error;
    }
    return new ObservedRun(parts, ended);
  }

  /** Where hosts join. */
  get address(): string {
    return this.#parts.lifecycle.hosts?.address ?? '';
  }

  state(): RunState {
    return this.#parts.lifecycle.state();
  }

  /** Resets and actions that desktops performed in the stored episodes. */
  get calls(): number {
    return sum([...this.records.acted.values()].map(({ actions }) => 1 + actions.length));
  }

  /** Throws if the run has failed. */
  requireTraining(): void {
    const { status, message } = this.state();
    if (status !== 'running') throw new Error(`The training run is ${status}: ${message ?? 'no reason'}.`);
  }

  /** False if the file of a stored trajectory is damaged or has another one. */
  async isReadable(id: string): Promise<boolean> {
    return this.#parts.store.read(trajectoryId(id)).then(
      trajectory => trajectory.id === id,
      () => false,
    );
  }

  /** Rejects with the failure of the run. */
  async close(): Promise<void> {
    this.#parts.lifecycle.stop();
    try {
      await this.#ended;
    } finally {
      await closeParts(this.#parts);
    }
  }
}

async function openParts(
  root: string,
  config: Config,
  say: (text: string) => void,
): Promise<ObservedRunParts> {
  const run = runId('bench');
  const clock = systemClock;
  const runs = join(root, 'runs');
  const folder = join(runs, run);
  await mkdir(folder, { recursive: true });
  const suite = await openSuite(config);
  const tasks = trainingTasks(config, suite);
  const shape: NetworkShape = { ...COMPACT, pixels: config.mode !== 'a11y_tree' };
  const store = await TrajectoryStore.open({ root: runs, indexEntry: entry('index'), clock, notice: say });
  let lifecycle: RunLifecycle | undefined;
  const health = (thing: string, healthy: boolean, message: string) => {
    say(`${thing}: ${message}`);
    lifecycle?.health(thing, healthy, message);
  };
  const shared = await SharedRun.open({
    ...{ run, config, suite, tasks, shape, folder, hostsFolder: join(root, 'hosts'), clock, health },
    environment: process.env,
    folders: {
      root: runs,
      unheld: async () => [],
      path: each => join(runs, each),
      isLive: async () => false,
    },
  });
  const ordered: string[] = [];
  const stored: EpisodeRecords['stored'][number][] = [];
  const batches: Set<string>[] = [];
  const acted = new Map<string, ActedEpisode>();
  const versions: number[] = [];
  const published = new Map<number, string>();
  const { hosts, fabric = embeddedFabric() } = shared ?? {};
  lifecycle = new RunLifecycle({
    ...{ run, config, suite, tasks, shape, folder, clock, startedAt: clock.now(), hasWeights: false },
    entries: { ...runEntries(), host: entry('bench-host') },
    ...(hosts !== undefined && { hosts }),
    fabric: noted(fabric, {
      order: id => void ordered.push(id),
      batch: trajectories => void batches.push(trajectories),
      weights: ({ version, blob }) => void published.set(version, blobHash(blob)),
    }),
    keeps: {
      keep: async trajectory => {
        await store.ingest(trajectory);
        const { id, order, purpose, outcome, instance, steps } = trajectory;
        if (purpose !== 'train' || order === undefined) return;
        const isJudged = outcome.kind === 'judged';
        stored.push({ trajectory: id, order, isJudged });
        // A trajectory may arrive twice.
        if (!isJudged || acted.has(id)) return;
        const actions = steps.map(({ action }) => action);
        acted.set(id, actedEpisode(instance, actions));
        versions.push(...steps.flatMap(({ chosen }) => chosen?.version ?? []));
      },
    },
    memory: { summaries: async () => [], statusOf: async () => 'out', load: async () => undefined },
    keep: async () => undefined,
    decided: () => undefined,
    keepWeights: async () => undefined,
  });
  const records = { ordered, stored, batches, acted, versions, published };
  return { lifecycle, store, shared, records };
}

async function closeParts({ shared, store }: ObservedRunParts): Promise<void> {
  await shared?.close();
  await store.close();
}

interface EpisodeNotes {
  readonly order: (id: string) => void;
  readonly batch: (trajectories: Set<string>) => void;
  readonly weights: (weights: Weights) => void;
}

/** The same channels; what is put in three of them is noted first. */
function noted(fabric: Fabric, { order, batch, weights }: EpisodeNotes): Fabric {
  return {
    ...fabric,
    orders: observed(fabric.orders, ({ id }) => order(id)),
    batches: observed(fabric.batches, ({ groups }) =>
      batch(new Set(groups.flatMap(({ steps }) => steps.map(({ trajectory }) => trajectory)))),
    ),
    weights: observedRegister(fabric.weights, weights),
    close: () => fabric.close(),
  };
}

const observed = <T>(queue: WorkQueue<T>, note: (item: T) => void): WorkQueue<T> => ({
  put: item => {
    note(item);
    return queue.put(item);
  },
  taker: () => queue.taker(),
  depth: () => queue.depth(),
});

const observedRegister = <T>(register: Register<T>, note: (value: T) => void): Register<T> => ({
  set: value => {
    note(value);
    return register.set(value);
  },
  get: () => register.get(),
  watch: signal => register.watch(signal),
});
