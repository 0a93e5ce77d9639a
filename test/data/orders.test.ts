import { expect, test } from 'vitest';
import { groupId, runId, seed, taskId } from '../../runtime/core/ids.ts';
import { ordersOf } from '../../runtime/data/orders.ts';

const RUN = { group: groupId('g'), run: runId('r'), mode: 'a11y_tree' } as const;
const PLANNED = { instance: { task: taskId('a'), seed: seed(1) }, rollouts: 5, maxSteps: 7, why: '' };

test('a group has the planned number of orders, which differ in their ids only', () => {
  const orders = ordersOf(PLANNED, RUN);
  expect(orders.map(({ id }) => id)).toEqual(['g.0', 'g.1', 'g.2', 'g.3', 'g.4']);
  for (const { id: _, ...order } of orders)
    expect(order).toEqual({ ...RUN, instance: PLANNED.instance, maxSteps: 7, purpose: 'train' });
});

test('every second rollout of a group has the extra exploration', () => {
  const orders = ordersOf({ ...PLANNED, extraExploration: 0.3 }, RUN);
  expect(orders.map(({ exploration }) => exploration)).toEqual([undefined, 0.3, undefined, 0.3, undefined]);
});

test.each([0, -1, 1.5])('a group of %s rollouts is an error that names the task', rollouts => {
  expect(() => ordersOf({ ...PLANNED, rollouts }, RUN)).toThrow(
    `Cannot order ${rollouts} rollouts of the task a`,
  );
});
