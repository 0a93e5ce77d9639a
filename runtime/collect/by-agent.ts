// Collects with an agent, on desktops in this process. The runner retries an episode that the infrastructure breaks. An endpoint that
// rejects every request ends the collection with the reason; finished episodes are delivered first.

import type { Config } from '../config/config.ts';
import { type Agent, withNext } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { asError } from '../core/errors.ts';
import { desktopId, groupId, orderId, runId, type TaskId, trajectoryId } from '../core/ids.ts';
import type { Order } from '../core/order.ts';
import { seeded } from '../core/rng.ts';
import { orUndefinedWhenAborted, untilAborted } from '../core/run-together.ts';
import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { concernsAllRequests, EndpointError } from '../endpoints/failure.ts';
import { poolLimits } from '../environments/pool.ts';
import { watchedPool } from '../environments/watched-pool.ts';
import { embeddedFabric } from '../fabric/embedded-fabric.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { type DesktopSession, openDesktopSession } from '../inference/desktop-session.ts';
import { problemText } from '../protocol/problem-text.ts';
import { Runner } from '../rollout/runner.ts';
import { limitsOf } from '../run/curation.ts';
import type { PlayingAgent } from './playing-agent.ts';
import { type CollectSource, reportProblems } from './source.ts';

export interface AgentSourceOptions {
  /** The source closes it. */
  readonly player: PlayingAgent;
  /** Unique in the workspace: the ids of trajectories start with it. */
  readonly name: string;
  readonly config: Config;
  readonly rollouts: number;
  readonly temperature: number;
  readonly seed: string;
  /** Episodes at a time. */
  readonly parallel: number;
  readonly purpose: 'evaluate' | 'collect';
  readonly clock: Clock;
}

/** The owner of the desktops, as their labels name it. */
const OWNER = runId('collect');
const MAX_ATTEMPTS = 3;
/** An infrastructure that breaks all desktops' episodes in a row is down, with at least so many. Each episode has had all its attempts. */
const MIN_BROKEN_IN_ROW = 3;
/** A broken task can break all of its rollouts, so they count as an outage only with those of another task. */
const MIN_BROKEN_TASKS = 2;
/** After this many times the minimum, they count in any case. */
const MANY_IN_ROW = 8;

export function byAgent(options: AgentSourceOptions): CollectSource {
  const { player, rollouts } = options;
  return {
    times: rollouts,
    failedRequests: () => player.failedRequests(),
    spent: () => player.spent?.(),
    close: () => player.close(),
    async *play(instances, signal, problem) {
      const { config, clock, parallel } = options;
      player.health.listen(problem);
      const size = Math.min(parallel, instances.length * rollouts);
      const health: DesktopSession['health'] = (thing, healthy, message) => {
        if (!healthy) problem(problemText(thing, message));
      };
      const session = await openDesktopSession({
        ...{ run: OWNER, agent: player.agent.id, mode: player.mode, config, clock, health },
      });
      const fabric = embeddedFabric();
      const reporting = reportProblems(fabric, problem);
      const { pool, failed } = watchedPool({
        make: index => session.make(desktopId(`c${index}`)),
        ...{ size, ...poolLimits(config.environments), health: session.health, clock },
      });
      const lost = new AbortController();
      const over = AbortSignal.any([signal, failed, player.health.down, lost.signal]);
      const taskOf = ({ task, seed }: Instance) => session.suite.task(task, seed);
      const runner = new Runner({
        ...{ orders: fabric.orders.taker(), trajectories: fabric.trajectories, events: fabric.events },
        agent: atTemperature(player.agent, options.temperature, error => lost.abort(error)),
        ...{ lender: pool, taskOf, mostAttempts: MAX_ATTEMPTS, clock },
        sampling: { temperature: options.temperature, exploration: 0 },
        random: seeded(options.seed),
      });
      const running = runner.run(over).catch(error => lost.abort(asError(error)));
      // Closing the pool interrupts the calls of its desktops, which may take minutes.
      const closed = untilAborted(over).then(() => pool.close());
      // `await closed` below handles the error.
      closed.catch(() => undefined);
      try {
        const minTasks = Math.min(MIN_BROKEN_TASKS, new Set(instances.map(({ task }) => task)).size);
        let brokenInRow: readonly TaskId[] = [];
        const orders = ordersOf(instances, options, limitsOf(session.suite));
        for await (const trajectory of played(fabric, orders, size, over, running)) {
          brokenInRow = isInfrastructureBroken(trajectory) ? [...brokenInRow, trajectory.instance.task] : [];
          const count = brokenInRow.length;
          const enough = Math.max(MIN_BROKEN_IN_ROW, size);
          if (count >= enough && (new Set(brokenInRow).size >= minTasks || count >= MANY_IN_ROW * enough))
            lost.abort(isDown(trajectory, count));
          yield { instance: trajectory.instance, trajectory: withIds(trajectory, options.name) };
        }
        if (!signal.aborted) over.throwIfAborted();
      } finally {
        lost.abort();
        await running;
        await closed;
        await session.close();
        await fabric.close();
        await reporting;
      }
    },
  };
}

/** All rollouts of an instance in a row. */
function* ordersOf(
  instances: readonly Instance[],
  { player, rollouts, purpose }: AgentSourceOptions,
  maxStepsOf: ReturnType<typeof limitsOf>,
): Generator<Order> {
  for (const [index, instance] of instances.entries())
    for (let number = 0; number < rollouts; number++) {
      const common = {
        // Without the name of the collection: random streams depend on the id, and equal seeds give equal requests.
        ...{ id: orderId(`${index}.${number}`), run: OWNER, group: groupId(`${index}`), instance },
        ...{ maxSteps: maxStepsOf(instance), mode: player.mode },
      };
      yield purpose === 'evaluate' ? { ...common, purpose, version: player.version } : { ...common, purpose };
    }
}

/** Every finished episode. After `over` is aborted, those that finished before. */
async function* played(
  { orders: queue, trajectories }: Fabric,
  orders: Iterator<Order>,
  size: number,
  over: AbortSignal,
  running: Promise<unknown>,
): AsyncGenerator<Trajectory> {
  const taker = trajectories.taker();
  let out = 0;
  const order = async (): Promise<void> => {
    const next = orders.next();
    if (next.done) return;
    out += 1;
    await queue.put(next.value);
  };
  // A second one for each desktop, so that none waits.
  for (let count = 0; count < 2 * size; count++) await order();
  while (out > 0) {
    const taken = await orUndefinedWhenAborted(over, taker.take(over));
    if (taken === undefined) break;
    out -= 1;
    await order();
    yield taken.item;
    // The consumer has stored it by now.
    await taken.acknowledge();
  }
  if (!over.aborted) return;
  await running;
  for (let left = await taker.tryTake(); left !== undefined; left = await taker.tryTake()) {
    yield left.item;
    await left.acknowledge();
  }
}

/** Decides at this temperature whatever the purpose of the order. `lost` gets errors that every later request would repeat. */
function atTemperature(agent: Agent, temperature: number, lost: (error: EndpointError) => void): Agent {
  return {
    id: agent.id,
    begin(task) {
      const session = agent.begin({ ...task, temperature });
      return withNext(session, async screen => {
        try {
          return await session.next(screen);
        } catch (error) {
          if (error instanceof EndpointError && concernsAllRequests(error.reason)) lost(error);
          throw error;
        }
      });
    },
  };
}

/** A task at fault breaks its own episodes only. */
const isInfrastructureBroken = ({ outcome }: Trajectory): boolean =>
  outcome.kind === 'broken' && outcome.failure.boundary !== 'task';

function isDown({ outcome }: Trajectory, count: number): Error {
  const reason = outcome.kind === 'broken' ? outcome.failure.message : '';
  return new Error(
    `The last ${count} episodes failed on every attempt: ${reason} Correct the cause and start again; finished episodes are stored.`,
  );
}

/** Ids of this collection, and no run: the trajectory belongs to none. */
function withIds({ run: _, order, group, ...rest }: Trajectory, name: string): Trajectory {
  return {
    ...rest,
    id: trajectoryId(`${name}.${rest.id}`),
    ...(order !== undefined && { order: orderId(`${name}.${order}`) }),
    ...(group !== undefined && { group: groupId(`${name}.${group}`) }),
  };
}
