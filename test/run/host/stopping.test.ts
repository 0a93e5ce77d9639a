// A host that is stopped during long calls of its desktops, or without its broker.

import { expect, test, vi } from 'vitest';
import { COMPACT } from '../../../runtime/agents/compact/network.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import type { Clock } from '../../../runtime/core/clock.ts';
import { BoundaryError } from '../../../runtime/core/failure.ts';
import { type DesktopId, groupId, orderId, runId, seed, version } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { WorkQueue } from '../../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../../runtime/fabric/fabric.ts';
import { Host } from '../../../runtime/run/host/host.ts';
import { genericKind } from '../../../runtime/run/host/host-generic.ts';
import { compactPolicy } from '../../../runtime/run/host/host-policy-compact.ts';
import { passUntil } from '../../pass-until.ts';
import { PATIENCE } from '../../patience.ts';
import { BUTTON_SUITE } from './button-kind.ts';

const never = <T>() => new Promise<T>(() => {});

/** What is asked of it is answered by its end alone. */
function slow(id: DesktopId, asked: () => void) {
  let refuse: (why: Error) => void = () => {};
  const call = () => {
    asked();
    return new Promise<never>((_, reject) => {
      refuse = reject;
    });
  };
  const close = async () =>
    refuse(new BoundaryError({ boundary: 'environment', thing: id, message: 'the desktop was closed' }));
  return { id, reset: call, act: call, query: call, setup: call, judge: call, close };
}

interface Stopped {
  readonly fabric: Fabric;
  readonly clock: Clock;
  readonly demonstrations: number;
}

/** A host that runs, with one order. */
async function hosting({ fabric, clock, demonstrations }: Stopped) {
  const [asked, closed] = [vi.fn(), vi.fn()];
  const kind = genericKind({
    suite: BUTTON_SUITE,
    make: async id => slow(id, asked),
    isScripted: () => true,
    solver: () => () => ({ kind: 'finished', answer: '' }),
    close: async () => closed(),
  });
  const config = parseConfig({
    environments: { kind: 'docker', desktops: 2 },
    ...{ demonstrations, preset: demonstrations > 0 ? 'taught' : 'scratch', evaluation: { desktops: 1 } },
  });
  const worker = { decide: never, load: never, pin: never, unpin: never, close: async () => {} };
  const host = new Host({
    ...{ run: runId('run'), config },
    ...{ tasks: BUTTON_SUITE.tasks('train'), shape: COMPACT, isFirst: true, isTrained: false, kind, fabric },
    policy: compactPolicy({ rollout: config.rollout, startWorker: async () => worker, clock }),
    clock,
  });
  await fabric.weights.set({ version: version(1), blob: new Uint8Array() });
  await fabric.orders.put({
    ...{ id: orderId('one'), run: runId('run'), group: groupId('group'), maxSteps: 4 },
    instance: { task: BUTTON_SUITE.tasks('train')[0] ?? expect.unreachable(), seed: seed(1) },
    ...{ mode: 'screenshot_a11y_tree', purpose: 'train' },
  });
  const stop = new AbortController();
  return { asked, closed, stop, running: host.run(stop.signal) };
}

test.each([
  { what: 'an order is begun', demonstrations: 0 },
  { what: 'a solution is shown', demonstrations: 1 },
])('while $what it ends at once, and what was under way is given back', async ({ demonstrations }) => {
  const fabric = embeddedFabric();
  const { asked, stop, running } = await hosting({ fabric, clock: systemClock, demonstrations });
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), PATIENCE);
  stop.abort();
  await running;
  expect(await fabric.orders.depth()).toEqual({ waiting: 1, taken: 0 });
});

/** While its broker is away: nothing is given back, and no queue reports its depth. */
function withoutBroker(fabric: Fabric): Fabric {
  const away = <T>(queue: WorkQueue<T>): WorkQueue<T> => ({
    put: item => queue.put(item),
    depth: never,
    taker: () => {
      const taker = queue.taker();
      return {
        take: async signal => ({ ...(await taker.take(signal)), giveBack: never }),
        tryTake: async () => {
          const taken = await taker.tryTake();
          return taken && { ...taken, giveBack: never };
        },
        close: () => taker.close(),
      };
    },
  });
  return { ...fabric, orders: away(fabric.orders), lessons: away(fabric.lessons) };
}

test('without its broker it ends all the same, and closes its desktops', async () => {
  const clock = new VirtualClock();
  const fabric = withoutBroker(embeddedFabric());
  const { asked, closed, stop, running } = await hosting({ fabric, clock, demonstrations: 0 });
  await passUntil(clock, () => asked.mock.calls.length > 0);
  stop.abort();
  let isOver = false;
  const over = running.then(() => {
    isOver = true;
  });
  await passUntil(clock, () => isOver);
  await over;
  expect(closed).toHaveBeenCalledOnce();
});
