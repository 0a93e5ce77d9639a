import { expect, test } from 'vitest';
import { finishedAttempts } from '../../runtime/collect/by-weights.ts';
import { orderId } from '../../runtime/core/ids.ts';
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
