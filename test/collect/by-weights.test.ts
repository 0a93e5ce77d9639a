// Collecting with weights: which host is started, which attempts count, and how a collection ends.

import { describe, expect, test, vi } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { byWeights, finishedAttempts, HostStarts } from '../../runtime/collect/by-weights.ts';
import type { Attempted } from '../../runtime/collect/source.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { orderId, type Seed, seed, taskId } from '../../runtime/core/ids.ts';
import { stepLimit } from '../../runtime/core/task.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { unlessClosed } from '../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import type { HostStart } from '../../runtime/run/host/host.ts';
import type { ModuleEnd, ModuleOptions } from '../../runtime/run/module-process.ts';
import { trajectory } from '../data/trajectories.ts';

describe('a collection', () => {
  const TASK = taskId('settings-theme');
  const INSTANCES = [1, 2].map(number => ({ task: TASK, seed: seed(number) }));

  /** Plays on a host that does this work instead of starting a process. */
  async function collected(work: (fabric: Fabric, start: HostStart) => unknown, suite = POCKET) {
    const startProcess = ({ fabric, start }: ModuleOptions<object>) => {
      let end = (_: ModuleEnd): void => undefined;
      const ended = new Promise<ModuleEnd>(resolve => {
        end = resolve;
      });
      work(fabric, start as HostStart);
      const close = async () => end({ wasClosed: true, isClean: true, message: '' });
      return { ready: Promise.resolve(), ended, silentMs: 0, close };
    };
    const entry = new URL('file:///host.mjs');
    const source = byWeights({
      ...{ suite, tasks: [TASK], rollouts: 1, temperature: 1, clock: new VirtualClock(), startProcess },
      config: parseConfig({ environments: { desktops: 4 } }),
      policy: { shape: COMPACT, mode: 'a11y_tree', tasks: [], seed: 'a', weights: new Float32Array(4) },
      entries: { host: entry, worker: entry },
    });
    const attempts: Attempted[] = [];
    for await (const attempt of source.play(INSTANCES, new AbortController().signal, () => undefined))
      attempts.push(attempt);
    return attempts;
  }

  /** Finishes every order. */
  async function playOrders({ orders, trajectories }: Fabric): Promise<void> {
    const taker = orders.taker();
    for (;;) {
      const taken = await unlessClosed(taker.take());
      if (taken === undefined) return;
      const { id, instance, maxSteps } = taken.item;
      await trajectories.put(trajectory(`${id}.1`, { order: id, instance, maxSteps, purpose: 'collect' }));
      await taken.acknowledge();
    }
  }

  test('has a host without desktops for evaluations, which nobody would use', async () => {
    const desktops: number[] = [];
    await collected((fabric, { config }) => {
      desktops.push(config.environments.desktops, config.evaluation.desktops);
      return playOrders(fabric);
    });
    expect(desktops).toEqual([4, 0]);
  });

  test('orders an instance that cannot be made, and the others with the limits of their tasks', async () => {
    const task = (id: string, number: Seed) => {
      if (number === seed(1)) throw new RangeError('{what.sign} has no value.');
      return POCKET.task(id, number);
    };
    const attempts = await collected(playOrders, { ...POCKET, task });
    expect(attempts.map(({ instance }) => instance)).toEqual(INSTANCES);
    const limits = attempts.map(attempt => attempt.trajectory?.maxSteps);
    expect(limits).toEqual([1, stepLimit(POCKET.task(TASK, seed(2)))]);
  });

  test('ends with the reason when an order fails, instead of waiting for its attempt', async () => {
    const collecting = collected(({ orders }) =>
      vi.spyOn(orders, 'put').mockRejectedValue(new Error('The queue is full.')),
    );
    await expect(collecting).rejects.toThrow('The queue is full.');
  });
});

describe('of the trajectories', () => {
  async function withOrders(...all: readonly (readonly [order: string, id: string])[]) {
    const fabric = embeddedFabric();
    for (const [order, id] of all) await fabric.trajectories.put(trajectory(id, { order: orderId(order) }));
    return fabric;
  }

  async function idsOf(fabric: Fabric, many: number, signal: AbortSignal) {
    const ids: unknown[] = [];
    for await (const attempt of finishedAttempts(fabric, many, undefined, signal))
      ids.push(attempt.trajectory?.id);
    return ids;
  }

  test('those of an order that is played twice count once', async () => {
    const fabric = await withOrders(['o1', 'o1.1'], ['o1', 'o1.2'], ['o2', 'o2.1']);
    expect(await idsOf(fabric, 2, new AbortController().signal)).toEqual(['o1.1', 'o2.1']);
    expect(await fabric.trajectories.depth()).toEqual({ waiting: 0, taken: 0 });
    await fabric.close();
  });

  test('those that wait at a stop are delivered', async () => {
    const fabric = await withOrders(['o1', 'o1.1'], ['o2', 'o2.1']);
    expect(await idsOf(fabric, 5, AbortSignal.abort())).toEqual(['o1.1', 'o2.1']);
    await fabric.close();
  });
});

/** `after` reports the state of a thing so many minutes after the start. */
function watchedStarts() {
  const [fabric, clock] = [embeddedFabric(), new VirtualClock()];
  const starts = new HostStarts(2, clock);
  const watching = starts.watch(fabric);
  const after = async (minutes: number, thing: string, healthy = false) => {
    await clock.run(minutes * 60_000);
    fabric.events.publish({
      ...{ module: 'environments', at: clock.now(), kind: 'health' },
      ...{ thing, healthy, message: 'no image' },
    });
    await clock.run(minutes * 60_000);
  };
  const end = async () => {
    await fabric.close();
    await watching;
  };
  return { starts, after, end };
}

test('a host none of whose desktops starts for minutes ends the collection, with the reason', async () => {
  const { starts, after, end } = watchedStarts();
  await after(0, 'desktop 0');
  await after(4, 'desktop 0');
  await after(5, 'desktop 1');
  await after(6, 'desktop 0', true);
  await after(9, 'desktop 1');
  await after(10, 'desktop 0');
  starts.noteAttempt();
  await after(14, 'desktop 0');
  await after(15, 'desktop 1');
  await after(17, 'desktop 0');
  expect(starts.failed.aborted).toBe(false);
  await after(18, 'desktop 1');
  expect(starts.failed.reason).toMatchObject({
    message:
      "No desktop has started within 3 minutes. desktop 1: no image. Check the desktops with 'dartboard doctor'.",
  });
  await end();
});

test('a host with a desktop that works goes on, whatever else it reports', async () => {
  const { starts, after, end } = watchedStarts();
  await after(0, 'desktop 0');
  await after(1, 'd0');
  await after(2, 'tasks');
  await after(3, 'guest http://10.0.0.7:5000');
  await after(9, 'desktop 0');
  expect(starts.failed.aborted).toBe(false);
  await end();
});
