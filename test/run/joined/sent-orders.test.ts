// Orders that a host completed without a result: they are found, played again, and end at last.

import { expect, onTestFinished, test } from 'vitest';
import { groupId, orderId, runId, seed, taskId } from '../../../runtime/core/ids.ts';
import type { Order } from '../../../runtime/core/order.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { findUnplayedOrders, SentOrders } from '../../../runtime/run/joined/sent-orders.ts';

const order: Order = {
  ...{ id: orderId('run-1.g1.0'), run: runId('run-1'), group: groupId('run-1.g1'), purpose: 'train' },
  ...{ mode: 'a11y_tree', maxSteps: 12, instance: { task: taskId('mail-star'), seed: seed(1) } },
};

/** Hosts that complete each order at once. */
function opened(broker: { fails: boolean } = { fails: false }, agent = 'compact') {
  const clock = new VirtualClock();
  const completed = [order];
  const [replayed, ended, reports]: [Order[], Trajectory[], string[]] = [[], [], []];
  const orders = new SentOrders({
    agent,
    replay: each => {
      replayed.push(each);
      completed.push(each);
    },
    ...{ end: each => ended.push(each), now: () => clock.now() },
  });
  orders.sent(order);
  const over = new AbortController();
  const finding = findUnplayedOrders(
    {
      ...{ orders, clock, health: (thing, _, message) => reports.push(`${thing}: ${message}`) },
      completed: async () => {
        if (broker.fails) throw new Error('The broker answers nothing.');
        return completed.splice(0);
      },
    },
    over.signal,
  );
  onTestFinished(async () => {
    over.abort();
    await finding;
  });
  return { clock, orders, replayed, ended, reports };
}

test('an order that hosts complete without a result is played again, and ends within a minute', async () => {
  const { clock, replayed, ended } = opened();
  await clock.run(60_000);
  expect(replayed).toEqual([order, order, order]);
  expect(ended.map(({ order: id, outcome }) => [id, outcome.kind])).toEqual([[order.id, 'broken']]);
});

test.each([
  ['compact', undefined],
  ['tars', 'tars'],
])('the broken rollout of a lost order names the agent of the run: %s', async (agent, named) => {
  const { clock, ended } = opened({ fails: false }, agent);
  await clock.run(60_000);
  expect(ended.map(rollout => rollout.agent)).toEqual([named]);
});

test('after many more orders, one with a result is forgotten, and one without is not', () => {
  const { orders } = opened();
  const done = { ...order, id: orderId('run-1.g2.0') };
  orders.sent(done);
  orders.finished(done.id);
  for (let count = 0; count < 20_000; count++) {
    const id = orderId(`run-1.g3.${count}`);
    orders.sent({ ...order, id });
    orders.finished(id);
  }
  expect(orders.find(done.id)).toBeUndefined();
  expect(orders.isForgotten(done.id)).toBe(true);
  expect(orders.find(order.id)).toBe(order);
  expect(orders.isForgotten(order.id)).toBe(false);
  expect(orders.isForgotten(orderId('nobody-sent-it'))).toBe(false);
});

test('an order with a result is not played again', async () => {
  const { clock, orders, replayed, ended } = opened();
  orders.finished(order.id);
  await clock.run(60_000);
  expect([...replayed, ...ended]).toEqual([]);
});

test('a look that fails is reported, and later looks find the order', async () => {
  const broker = { fails: true };
  const { clock, replayed, reports } = opened(broker);
  await clock.run(15_000);
  expect(reports).toEqual([expect.stringMatching(/^lost orders: .*answers nothing/)]);
  broker.fails = false;
  await clock.run(25_000);
  expect(replayed).toEqual([order]);
  expect(reports.at(-1)).toBe('lost orders: are found again');
});
