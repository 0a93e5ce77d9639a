// Collects with trained weights, on the desktops and workers of a host process. No trainer, curator or exploration runs.

import { blobOf } from '../agents/compact/blob.ts';
import type { Config } from '../config/config.ts';
import { NO_EXPLORING } from '../config/recipe.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import {
  groupId,
  type OrderId,
  orderId,
  type RunId,
  runId,
  type TaskId,
  type TrajectoryId,
  version,
} from '../core/ids.ts';
import type { Order } from '../core/order.ts';
import { orUndefinedWhenAborted, untilAborted } from '../core/run-together.ts';
import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Suite } from '../environments/suite.ts';
import { StartWatch } from '../environments/watched-pool.ts';
import { embeddedFabric } from '../fabric/embedded-fabric.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { tensor } from '../graph/tensor.ts';
import { limitsOf } from '../run/curation.ts';
import type { SavedPolicy } from '../run/folders/policy-file.ts';
import { type HostModuleOptions, startHost } from '../run/modules.ts';
import { type Attempted, type CollectSource, reportProblems } from './source.ts';

export interface WeightsOptions extends Pick<HostModuleOptions, 'entries' | 'clock' | 'startProcess'> {
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  readonly config: Config;
  readonly policy: SavedPolicy;
  /** The run of the weights; absent for weights of another workspace. */
  readonly run?: RunId;
  readonly rollouts: number;
  readonly temperature: number;
}

export function byWeights(options: WeightsOptions): CollectSource {
  return {
    times: options.rollouts,
    async *play(instances, signal, problem) {
      const fabric = embeddedFabric();
      const reporting = reportProblems(fabric, problem);
      const starts = new HostStarts(options.config.environments.desktops, options.clock);
      const watching = starts.watch(fabric);
      const over = new AbortController();
      const playing = AbortSignal.any([signal, starts.failed, over.signal]);
      const host = startHost(hosting(options), fabric, () => ({
        isFirst: false,
        isTrained: true,
      }));
      try {
        await Promise.race([host.ready, untilAborted(playing)]);
        await fabric.weights.set(weightsOf(options.policy));
        const ordering = order(ordersOf(options, instances), fabric, options, playing);
        // The attempts of orders that are missing would be awaited without end.
        ordering.catch(error => over.abort(error));
        const many = instances.length * options.rollouts;
        for await (const attempt of finishedAttempts(fabric, many, options.run, playing)) {
          starts.noteAttempt();
          yield attempt;
        }
        over.abort();
        await ordering;
        starts.failed.throwIfAborted();
      } finally {
        over.abort();
        await host.close();
        await fabric.close();
        await Promise.all([reporting, watching]);
      }
    },
  };
}

/** The name of a desktop that does not start, as a pool reports it. A host reports other failures as well. */
const STARTING_DESKTOP = /^desktop \d+$/;

/** Notices from the reports of a host that none of its desktops starts. */
export class HostStarts {
  readonly #desktops: number;
  readonly #start: StartWatch;
  readonly #failing = new Set<string>();

  constructor(desktops: number, clock: Pick<Clock, 'now'>) {
    this.#desktops = desktops;
    this.#start = new StartWatch(clock);
  }

  /** Aborted with the reason. */
  get failed(): AbortSignal {
    return this.#start.failed;
  }

  /** Until the fabric is closed. */
  async watch({ events }: Pick<Fabric, 'events'>): Promise<void> {
    for await (const { event } of events.listen()) {
      if (event.kind !== 'health' || event.module !== 'environments') continue;
      const { thing, healthy, message } = event;
      if (!STARTING_DESKTOP.test(thing)) continue;
      if (healthy) {
        this.#failing.delete(thing);
        this.#start.noteWorking();
      } else {
        this.#failing.add(thing);
        this.#start.noteFailure(this.#failing.size >= this.#desktops, thing, message);
      }
    }
  }

  /** A desktop works. Reports can be lost. */
  noteAttempt(): void {
    this.#failing.clear();
    this.#start.noteWorking();
  }
}

/**
 * One attempt for each of `many` orders. After an abort, only those that finished before. An order that was played again, because its host
 * died before it acknowledged the order, counts once.
 */
export async function* finishedAttempts(
  { trajectories }: Pick<Fabric, 'trajectories'>,
  many: number,
  run: RunId | undefined,
  signal: AbortSignal,
): AsyncIterable<Attempted> {
  const taker = trajectories.taker();
  const counted = new Set<OrderId | TrajectoryId>();
  while (counted.size < many) {
    const taken = (await orUndefinedWhenAborted(signal, taker.take(signal))) ?? (await taker.tryTake());
    if (taken === undefined) return;
    const { id, order: orderOf = id, instance } = taken.item;
    if (!counted.has(orderOf)) {
      counted.add(orderOf);
      yield { instance, trajectory: withOrigin(taken.item, run) };
    }
    // The consumer has stored it by now.
    await taken.acknowledge();
  }
}

/** The options of a host that only plays orders. */
function hosting({
  config,
  tasks,
  policy,
  run,
  temperature,
  entries,
  clock,
  startProcess,
}: WeightsOptions): HostModuleOptions {
  return {
    run: run ?? ELSEWHERE,
    config: {
      ...config,
      // The agent of the workspace may be another one.
      ...{ agent: COMPACT_AGENT, mode: policy.mode, demonstrations: 0, exploring: NO_EXPLORING },
      rollout: { ...config.rollout, temperature },
      // Nothing is evaluated.
      evaluation: { ...config.evaluation, desktops: 0 },
    },
    ...{ tasks, shape: policy.shape, entries, clock },
    ...(startProcess !== undefined && { startProcess }),
  };
}

const ELSEWHERE = runId('elsewhere');

/** All attempts of an instance in a row, so that a collection that is stopped early has tried the hardest instances. */
function* ordersOf(
  { suite, policy, rollouts, run, clock }: WeightsOptions,
  instances: readonly Instance[],
): Iterable<Order> {
  const start = `collect.${Math.trunc(clock.now()).toString(36)}`;
  const maxStepsOf = limitsOf(suite);
  for (const [index, instance] of instances.entries())
    for (let number = 0; number < rollouts; number++)
      yield {
        id: orderId(`${start}.${index}.${number}`),
        run: run ?? ELSEWHERE,
        group: groupId(`${start}.${index}`),
        instance,
        maxSteps: maxStepsOf(instance),
        mode: policy.mode,
        purpose: 'collect',
      };
}

const POLL_INTERVAL_MS = 20;

/** Keeps as many orders in the queue as there are desktops. */
async function order(
  orders: Iterable<Order>,
  { orders: queue }: Fabric,
  { config, clock }: WeightsOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const each of orders) {
    while (!signal.aborted && (await queue.depth()).waiting >= config.environments.desktops)
      await sleepUnlessAborted(clock, POLL_INTERVAL_MS, signal);
    if (signal.aborted) return;
    await queue.put(each);
  }
}

function weightsOf({ weights, by }: SavedPolicy) {
  const blob = blobOf(tensor('float32', [weights.length], weights));
  return { version: version(by?.version ?? 0), blob };
}

/** Removes the run when the weights belong to none. */
function withOrigin(trajectory: Trajectory, run: RunId | undefined): Trajectory {
  if (run !== undefined) return trajectory;
  const { run: _, ...rest } = trajectory;
  return rest;
}
