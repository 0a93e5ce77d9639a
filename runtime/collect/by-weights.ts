// Collects with trained weights, on the desktops and with the workers that a run has, in the process of its host: no trainer learns, no
// curator orders, and nobody explores.

import { blobOf } from '../agent/blob.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { groupId, orderId, type RunId, runId, type TaskId, version } from '../core/ids.ts';
import type { Order } from '../core/order.ts';
import { orUndefinedWhenAborted, untilAborted } from '../core/run-together.ts';
import { type Instance, stepLimit } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Suite } from '../environments/suite.ts';
import { embeddedFabric } from '../fabric/embedded.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { tensor } from '../graph/tensor.ts';
import { type ModulesOptions, startHost } from '../run/modules.ts';
import type { SavedPolicy } from '../run/policy-file.ts';
import { type CollectSource, hearTroubles, type Tried } from './source.ts';

export interface WeightsOptions {
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  readonly config: Config;
  readonly policy: SavedPolicy;
  /** The run of this workspace whose weights they are; absent where they are from elsewhere. */
  readonly run?: RunId;
  readonly rollouts: number;
  readonly temperature: number;
  readonly entries: ModulesOptions['entries'];
  readonly clock: Clock;
}

export function byWeights(options: WeightsOptions): CollectSource {
  return {
    times: options.rollouts,
    async *play(instances, signal, trouble) {
      const fabric = embeddedFabric();
      const hearing = hearTroubles(fabric, trouble);
      const host = startHost({ ...hosting(options), folder: '' }, fabric, () => ({
        isFirst: false,
        isTrained: true,
      }));
      // Ended by the signal, by what goes wrong, and when all have been played.
      const over = new AbortController();
      const end = () => over.abort();
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      try {
        await Promise.race([host.ready, untilAborted(over.signal)]);
        await fabric.weights.set(weightsOf(options.policy));
        const ordering = order(ordersOf(options, instances), fabric, options, over.signal);
        // Whether it failed is asked below.
        ordering.catch(() => undefined);
        yield* finished(fabric, instances.length * options.rollouts, options.run, signal);
        end();
        await ordering;
      } finally {
        signal.removeEventListener('abort', end);
        await host.close();
        await fabric.close();
        await hearing;
      }
    },
  };
}

/** So many, or fewer where it is stopped. */
async function* finished(
  { trajectories }: Fabric,
  many: number,
  run: RunId | undefined,
  signal: AbortSignal,
): AsyncIterable<Tried> {
  const taker = trajectories.taker();
  for (let left = many; left > 0; left--) {
    const taken = await orUndefinedWhenAborted(signal, taker.take(signal));
    if (taken === undefined) return;
    yield { instance: taken.item.instance, trajectory: withOrigin(taken.item, run) };
    // Whoever was given it has kept it by now.
    await taken.acknowledge();
  }
}

/** A run's host, without what it does beside playing. */
function hosting({
  config,
  tasks,
  policy,
  run,
  temperature,
  entries,
  clock,
}: WeightsOptions): Omit<ModulesOptions, 'folder'> {
  const exploring = { firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false, analogy: false };
  return {
    run: run ?? ELSEWHERE,
    config: {
      ...config,
      ...{ mode: policy.mode, demonstrations: 0, exploring },
      rollout: { ...config.rollout, temperature },
    },
    ...{ tasks, shape: policy.shape, entries, clock },
  };
}

const ELSEWHERE = runId('elsewhere');

/** All tries of an instance one after another: what nobody can do comes first, and what is stopped early has tried that. */
function* ordersOf(
  { suite, policy, rollouts, run, clock }: WeightsOptions,
  instances: readonly Instance[],
): Iterable<Order> {
  const start = `collect.${Math.trunc(clock.now()).toString(36)}`;
  for (const [index, instance] of instances.entries())
    for (let number = 0; number < rollouts; number++)
      yield {
        id: orderId(`${start}.${index}.${number}`),
        run: run ?? ELSEWHERE,
        group: groupId(`${start}.${index}`),
        instance,
        maxSteps: stepLimit(suite.task(instance.task, instance.seed)),
        mode: policy.mode,
        purpose: 'collect',
      };
}

/** Milliseconds. */
const LOOK_EVERY = 20;

/** As many ahead as there are desktops. */
async function order(
  orders: Iterable<Order>,
  { orders: queue }: Fabric,
  { config, clock }: WeightsOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const each of orders) {
    while (!signal.aborted && (await queue.depth()).waiting >= config.environments.desktops)
      await clock.sleep(LOOK_EVERY, signal).catch(() => undefined);
    if (signal.aborted) return;
    await queue.put(each);
  }
}

function weightsOf({ weights, by }: SavedPolicy) {
  const blob = blobOf(tensor('float32', [weights.length], weights));
  return { version: version(by?.version ?? 0), blob };
}

/** Of no run where the weights are of none. */
function withOrigin(trajectory: Trajectory, run: RunId | undefined): Trajectory {
  if (run !== undefined) return trajectory;
  const { run: _, ...rest } = trajectory;
  return rest;
}
