import { expect, test } from 'vitest';
import { finishedAttempts, HostStarts } from '../../runtime/collect/by-weights.ts';
import { orderId } from '../../runtime/core/ids.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { trajectory } from '../data/trajectories.ts';

test('an order that is played twice counts once', async () => {
  const fabric = embeddedFabric();
  for (const [order, id] of [
    ['o1', 'o1.1'],
    ['o1', 'o1.2'],
    ['o2', 'o2.1'],
  ] as const)
    await fabric.trajectories.put(trajectory(id, { order: orderId(order) }));
  const attempts = finishedAttempts(fabric, 2, undefined, new AbortController().signal);
  const ids: unknown[] = [];
  for await (const attempt of attempts) ids.push(attempt.trajectory?.id);
  expect(ids).toEqual(['o1.1', 'o2.1']);
  expect(await fabric.trajectories.depth()).toEqual({ waiting: 0, taken: 0 });
  await fabric.close();
});

test('a host none of whose desktops starts for minutes ends the collection, with the reason', async () => {
  const [fabric, clock] = [embeddedFabric(), new VirtualClock()];
  const starts = new HostStarts(2, clock);
  const watching = starts.watch(fabric);
  const report = (thing: string, healthy: boolean) =>
    fabric.events.publish({
      ...{ module: 'environments', at: clock.now(), kind: 'health' },
      ...{ thing, healthy, message: 'no image' },
    });
  const after = async (minutes: number, thing: string, healthy = false) => {
    await clock.run(minutes * 60_000);
    report(thing, healthy);
    await clock.run(minutes * 60_000);
  };
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
  await fabric.close();
  await watching;
});
