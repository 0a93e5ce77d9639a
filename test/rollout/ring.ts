// A runner of orders on model desktops, under a clock that jumps, for tests.

import { onTestFinished } from 'vitest';
import { CompactAgent } from '../../runtime/agents/compact/compact-agent.ts';
import type { Action } from '../../runtime/core/action.ts';
import type { Event } from '../../runtime/core/event.ts';
import { desktopId } from '../../runtime/core/ids.ts';
import type { Order } from '../../runtime/core/order.ts';
import type { DecisionRequest } from '../../runtime/core/policy.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import { HandOvers } from '../../runtime/rollout/hand-overs.ts';
import { Runner } from '../../runtime/rollout/runner.ts';
import { desktops, type ModelDesktops, policy, taskOf, WAIT } from './models.ts';

interface Some extends ModelDesktops {
  readonly fabric?: Fabric;
  readonly inARow?: number;
  readonly mostAttempts?: number;
  readonly answer?: (request: DecisionRequest, number: number) => Action | Error;
  /** Milliseconds that a decision takes. */
  readonly decides?: number;
}

/** A runner that runs, with all around it: a step takes 15 ms. */
export function ring({
  answer = () => WAIT,
  decides = 5,
  inARow,
  mostAttempts,
  fabric = embeddedFabric(),
  ...model
}: Some = {}) {
  const clock = new VirtualClock();
  const { cluster, log } = desktops(clock, model);
  const { pool, requests } = policy(clock, answer, decides);
  const events: Event[] = [];
  const handOvers = new HandOvers();
  const runner = new Runner({
    ...{
      lender: cluster,
      agent: new CompactAgent({ pool }),
      taskOf,
      clock,
      trajectories: fabric.trajectories,
      handOvers,
    },
    orders: fabric.orders.taker(),
    events: { publish: event => events.push(event) },
    sampling: { temperature: 0.9, exploration: 0.1 },
    random: seeded('runner'),
    ...(inARow !== undefined && { inARow }),
    ...(mostAttempts !== undefined && { mostAttempts }),
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const running = runner.run(stop.signal);
  const taker = fabric.trajectories.taker();
  const finished = async () => {
    const all: Trajectory[] = [];
    for (let next = await taker.tryTake(); next !== undefined; next = await taker.tryTake())
      all.push(next.item);
    return all;
  };
  const put = async (...orders: readonly Order[]) => {
    for (const each of orders) await fabric.orders.put(each);
  };
  const take = (desktop: string, signal = stop.signal) => handOvers.take(desktopId(desktop), signal);
  return { clock, fabric, cluster, log, events, stop, running, finished, put, requests, take };
}

export const resets = (log: readonly string[]) => log.filter(line => line.includes('reset'));
