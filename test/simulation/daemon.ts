// The daemon of a simulated run, from its start to its death: it opens the store, resumes the run from what the disk has, and trains.

import { vectorIn } from '../../runtime/agents/compact/blob.ts';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import { runId, type TrajectoryId } from '../../runtime/core/ids.ts';
import type { Weights } from '../../runtime/core/policy.ts';
import { DurableFolder } from '../../runtime/data/files/durable.ts';
import { UnstorableTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { NoSuchTrajectory, TrajectoryStore } from '../../runtime/data/store.ts';
import type { Register, WorkQueue } from '../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import { CHECKPOINTS, RING_FILE } from '../../runtime/run/folders/run-folders.ts';
import { RunLifecycle } from '../../runtime/run/run-lifecycle.ts';
import { parseRingState } from '../../runtime/server/saved-run.ts';
import { CheckpointFolder } from '../../runtime/trainer/checkpoint-folder.ts';
import { watched } from '../ring/watched-queue.ts';
import { suiteOf } from './desktops.ts';
import { Broker, joinedHost } from './joined-host.ts';
import type { Life } from './life.ts';
import { startModule } from './modules.ts';
import { indexOf } from './trajectory-index.ts';
import type { World } from './world.ts';

export const ROOT = '/runs';
const RUN = runId('run');
export const FOLDER = `${ROOT}/${RUN}`;
const NOWHERE = new URL('file:///nowhere');
const NEWEST = { filter: { run: RUN }, sort: 'newest', descending: true, offset: 0, limit: 1 } as const;
const BASE = parseConfig({
  environments: { kind: 'docker', desktops: 1 },
  preset: 'scratch',
  seed: 'simulated',
});

const configOf = (world: World, { plan } = world): Config => ({
  ...BASE,
  mode: 'a11y_tree',
  minutes: 600,
  environments: { ...BASE.environments, desktops: plan.desktops },
  rollout: { ...BASE.rollout, workers: plan.workers },
  data: {
    ...BASE.data,
    ...{
      stalenessUpdates: world.has('old rollouts train') ? 1000 : plan.stalenessUpdates,
      trajectoriesPerBatch: plan.trajectoriesPerBatch,
    },
    ...{ trajectoriesAhead: plan.trajectoriesAhead, stepsPerBatch: plan.stepsPerBatch },
    ...{ batchesAhead: plan.batchesAhead, ahead: plan.ahead, rollouts: plan.rollouts },
  },
  trainer: {
    ...BASE.trainer,
    advantages: plan.advantages,
    ...{ publishSeconds: plan.publishSeconds, checkpointMinutes: plan.checkpointSeconds / 60 },
  },
  evaluation: { everySeconds: 5, instances: 1, lastInstances: 1, desktops: 1 },
});

export class Daemon {
  readonly lifecycle: RunLifecycle;
  /** Rejects with the failure of the run. */
  readonly ended: Promise<void>;
  readonly #world: World;
  readonly #life: Life;
  readonly #store: TrajectoryStore;

  private constructor(world: World, life: Life, store: TrajectoryStore, lifecycle: RunLifecycle) {
    this.#world = world;
    this.#life = life;
    this.#store = store;
    this.lifecycle = lifecycle;
    this.ended = this.#run();
  }

  static async open(world: World, life: Life): Promise<Daemon> {
    const { witness, plan } = world;
    const { clock } = life;
    const disk = world.disk.on(life);
    witness.forgetVersions();
    const store = await TrajectoryStore.open({
      ...{ root: ROOT, indexEntry: NOWHERE, clock, budget: { count: plan.budget, bytes: 1e9 } },
      notice: message => witness.note(message),
      machine: {
        disk,
        lock: async () => {
          await disk.makeFolder(ROOT, 0o700);
          return async () => undefined;
        },
        startIndex: async () => indexOf(world.disk, ROOT),
      },
    });
    const files = new DurableFolder(FOLDER, disk);
    const text = await disk.read(`${FOLDER}/${RING_FILE}`).catch(() => undefined);
    const saved = text && parseRingState(Buffer.from(text).toString('utf8'));
    const checkpoint = await new CheckpointFolder(`${FOLDER}/${CHECKPOINTS}`, disk).newest();
    const [{ newest } = {}] = (await store.index.page(NEWEST)).rows;
    const suite = suiteOf(world);
    const [config, tasks] = [configOf(world), suite.tasks('train')];
    let lifecycle: RunLifecycle | undefined;
    const unstorable = new Set<TrajectoryId>();
    const broker = plan.joined > 0 ? new Broker(world, life) : undefined;
    const fabric = observed(world, channelsOf(broker), unstorable, () => lifecycle);
    lifecycle = new RunLifecycle({
      ...{
        run: RUN,
        config,
        suite,
        tasks,
        shape: COMPACT,
        folder: FOLDER,
      },
      entries: { host: NOWHERE, worker: NOWHERE, trainer: NOWHERE, engine: NOWHERE },
      ...{ fabric, clock, startedAt: clock.now(), hasWeights: checkpoint !== undefined },
      ...(saved !== undefined && { saved }),
      ...(newest !== undefined && { usedVersion: newest }),
      startProcess: options => startModule(world, life, options),
      keeps: {
        keep: async trajectory => {
          try {
            if (!world.has('trajectories are not stored')) await store.ingest(trajectory);
          } catch (error) {
            if (error instanceof UnstorableTrajectory) unstorable.add(trajectory.id);
            throw error;
          }
        },
      },
      memory: { summaries: async () => [], statusOf: async () => 'out', load: async () => undefined },
      keep: async state => {
        await files.write(RING_FILE, new TextEncoder().encode(JSON.stringify(state)));
        witness.submitted = state.curator.books.submitted;
      },
      decided: () => undefined,
      keepWeights: (mean, version) =>
        files.write('weights', Buffer.concat([mean, Buffer.from(`${version}`)])),
    });
    const start = { run: RUN, config, tasks, shape: COMPACT, isFirst: false, isTrained: true };
    if (broker !== undefined)
      for (let host = 0; host < plan.joined; host++) void joinedHost(world, broker, fabric, start);
    return new Daemon(world, life, store, lifecycle);
  }

  async #run(): Promise<void> {
    const person = this.#label();
    person.catch(() => undefined);
    await this.lifecycle.run(() => this.#world.witness.note('the run is up'));
    await this.#store.close();
  }

  /** A person who labels trajectories and overrules verdicts. */
  async #label(): Promise<void> {
    const { witness, random } = this.#world;
    const chance = random.fork(`person ${this.#life.name}`);
    for (;;) {
      await this.#life.clock.sleep(1000 + chance.int(3000));
      const ids = [...witness.acknowledged.keys()];
      const id = ids[chance.int(Math.max(1, ids.length))];
      if (id === undefined) continue;
      const label = `label ${chance.int(3)}`;
      try {
        if (!this.#world.has('labels are lost'))
          await this.#store.label(id, { kind: 'label', label }, 'person');
        witness.labelled.set(id, label);
        witness.note(`${id} has ${label}`);
        await this.lifecycle.judge(id, chance.int(2) === 0, 'person');
      } catch (error) {
        if (!(error instanceof NoSuchTrajectory)) witness.note(`${id} cannot be labelled: ${error}`);
      }
    }
  }
}

/** The channels of one machine, or channels with leased orders. */
function channelsOf(broker: Broker | undefined): Fabric {
  const fabric = embeddedFabric();
  if (broker === undefined) return fabric;
  const orders = broker.queue('daemon', broker.daemon);
  const close = async () => {
    await orders.close();
    await fabric.close();
  };
  return { ...fabric, orders, close };
}

/** Of a class: it can be changed in parts. */
const queueOf = <T>(queue: WorkQueue<T>): WorkQueue<T> => ({
  put: item => queue.put(item),
  taker: () => queue.taker(),
  depth: () => queue.depth(),
});

/** The channels, seen by the witness. */
function observed(
  world: World,
  fabric: Fabric,
  unstorable: ReadonlySet<TrajectoryId>,
  lifecycle: () => RunLifecycle | undefined,
): Fabric {
  const { witness, plan } = world;
  const seen = (name: string) => (item: { readonly id: string }, what: string) => {
    witness.note(`${name} ${item.id} ${what}`);
    // Orders change the ledger when they are put, before a trajectory of theirs.
    if (name !== 'trajectory' && name !== 'batch') return;
    const books = lifecycle()?.state().data.books;
    if (books !== undefined) witness.count(books);
  };
  const register = (kind: 'newest' | 'averaged', of: Register<Weights>): Register<Weights> => ({
    get: () => of.get(),
    watch: signal => of.watch(signal),
    set: async weights => {
      witness.publish(kind, weights.version, Number(vectorIn(weights.blob).data[0]));
      await of.set(weights);
    },
  });
  return {
    ...fabric,
    orders: world.has('orders are lost')
      ? { ...queueOf(fabric.orders), put: async () => undefined }
      : watched(fabric.orders, {}, seen('order')),
    evaluations: watched(fabric.evaluations, {}, seen('evaluation')),
    trajectories: watched(
      fabric.trajectories,
      {
        put: trajectory => witness.play(trajectory),
        acknowledged: trajectory => {
          if (!unstorable.has(trajectory.id)) witness.acknowledge(trajectory);
        },
      },
      seen('trajectory'),
    ),
    batches: watched(
      fabric.batches,
      { put: batch => witness.batch(batch, plan.stalenessUpdates) },
      seen('batch'),
    ),
    weights: register('newest', fabric.weights),
    averaged: register('averaged', fabric.averaged),
  };
}
