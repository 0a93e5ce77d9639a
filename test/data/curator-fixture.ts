// A curator with channels that tests fill and drain.

import type { Event } from '../../runtime/core/event.ts';
import type { Order } from '../../runtime/core/order.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { ALL_PARTS, type DartState, dartCuration } from '../../runtime/data/curation/dart.ts';
import { Curator, type CuratorOptions } from '../../runtime/data/curator.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { answered, INSTANCE, RUN, type Told } from './finished-episodes.ts';

export function curating(options: Partial<CuratorOptions<DartState>> = {}) {
  const fabric = embeddedFabric();
  const clock = new VirtualClock();
  const stop = new AbortController();
  const kept: string[] = [];
  const evaluated: string[] = [];
  const curator = new Curator<DartState>({
    ...{ run: RUN, fabric, mode: 'a11y_tree', clock, random: seeded(1) },
    keeps: { keep: async ({ id }) => void kept.push(id) },
    curation: dartCuration({
      ...{
        tasks: [INSTANCE.task],
        seedsOf: () => [INSTANCE.seed],
        maxStepsOf: () => 10,
        rollouts: 4,
        exploration: 0.05,
        extraExploration: 0.3,
        parts: ALL_PARTS,
      },
    }),
    onEvaluation: async ({ id }) => void evaluated.push(id),
    ...{
      maxStaleness: 1,
      trajectoriesPerBatch: 4,
      trajectoriesAhead: 8,
      stepsPerBatch: 1000,
      successPool: true,
      maxWaitingBatches: 1,
      ahead: 2,
    },
    needsOf: rates => Object.fromEntries(Object.entries(rates).map(([task, rate]) => [task, 2 - rate])),
    onDecision: () => {},
    ...options,
  });
  const events: Event[] = [];
  const listening = (async () => {
    for await (const { event } of fabric.events.listen({ signal: stop.signal })) events.push(event);
  })();
  const running = curator.run(stop.signal);
  const orders = fabric.orders.taker();
  return {
    ...{ fabric, clock, curator, kept, evaluated, events, running },
    order: async (): Promise<Order | undefined> => {
      const taken = await orders.tryTake();
      await taken?.acknowledge();
      return taken?.item;
    },
    answer: async (order: Order | undefined, told: Told) => {
      if (order !== undefined) await fabric.trajectories.put(answered(order, told));
    },
    command: (kind: 'pause' | 'resume' | 'stop') => fabric.commands.append({ kind, run: RUN }),
    pass: (milliseconds: number) => clock.run(clock.now() + milliseconds),
    end: async () => {
      stop.abort();
      await Promise.all([running, listening]);
    },
  };
}
