import { expect, test } from 'vitest';
import { seed, taskId, version } from '../../runtime/core/ids.ts';
import type { Order } from '../../runtime/core/order.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { Evaluations } from '../../runtime/data/evaluation.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { answered, RUN } from './finished-episodes.ts';

const INSTANCES = ['a', 'a', 'b', 'b'].map((task, index) => ({ task: taskId(task), seed: seed(index) }));
const WANTED = { version: version(3), instances: INSTANCES };

function evaluating(maxOpenOrders = 2) {
  const fabric = embeddedFabric();
  const evaluations = new Evaluations({
    ...{
      run: RUN,
      fabric,
      mode: 'a11y_tree',
      maxStepsOf: () => 12,
      maxOpenOrders,
      clock: new VirtualClock(),
    },
  });
  const orders = fabric.orders.taker();
  const next = async (): Promise<Order> => {
    const { item, acknowledge } = await orders.take();
    await acknowledge();
    return item;
  };
  return { fabric, evaluations, next };
}

test('keeps a bounded number of orders open, pins the version, and returns the success rate', async () => {
  const { fabric, evaluations, next } = evaluating();
  const measuring = evaluations.measure(WANTED);
  for (const score of [1, 0, 0.5, 1]) {
    expect((await fabric.orders.depth()).waiting).toBeLessThanOrEqual(2);
    const order = await next();
    expect(order).toMatchObject({ purpose: 'evaluate', version: 3, maxSteps: 12, run: RUN });
    await evaluations.receive(answered(order, { score, by: [3] }));
  }
  const measured = await measuring;
  expect(measured).toMatchObject({ version: 3, meanScore: 0.625, broken: 0 });
  expect(measured.success).toMatchObject({ successes: 2, trials: 4, rate: 0.5 });
  expect(measured.tasks).toEqual([
    { task: 'a', successes: 1, trials: 2, broken: 0 },
    { task: 'b', successes: 1, trials: 2, broken: 0 },
  ]);
});

test('a broken episode is counted separately, and not ordered again', async () => {
  const { fabric, evaluations, next } = evaluating(1);
  const measuring = evaluations.measure({ ...WANTED, instances: INSTANCES.slice(0, 2) });
  const played: number[] = [];
  for (const score of [undefined, 1]) {
    const order = await next();
    played.push(order.instance.seed);
    await evaluations.receive(answered(order, { score }));
  }
  expect(await fabric.orders.depth()).toMatchObject({ waiting: 0 });
  const measured = await measuring;
  expect(played).toEqual([0, 1]);
  expect(measured.success).toMatchObject({ successes: 1, trials: 1 });
  expect(measured).toMatchObject({ broken: 1, meanScore: 1 });
});

test('the result has the oldest version that chose a step of a counted episode', async () => {
  const { evaluations, next } = evaluating(1);
  const measuring = evaluations.measure(WANTED);
  for (const by of [[5], [4, 5], [], [6]])
    await evaluations.receive(answered(await next(), { score: 1, by }));
  expect(await measuring).toMatchObject({ version: 4 });
});

test('repeated deliveries count once, and foreign trajectories do not count', async () => {
  const { evaluations, next } = evaluating();
  const measuring = evaluations.measure(WANTED);
  for (let index = 0; index < 4; index++) {
    const trajectory = answered(await next(), { score: 1 });
    await evaluations.receive(trajectory);
    await evaluations.receive(trajectory);
  }
  expect((await measuring).success).toMatchObject({ successes: 4, trials: 4 });
});

test('only one evaluation runs at a time; an aborted one allows the next', async () => {
  const { evaluations } = evaluating();
  const giveUp = new AbortController();
  const first = evaluations.measure(WANTED, giveUp.signal);
  await expect(evaluations.measure(WANTED)).rejects.toThrow('version 3 is being evaluated');
  giveUp.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  await expect(evaluations.measure({ ...WANTED, instances: [] })).rejects.toThrow('Select at least one task');
});

test('publishes the reason for waiting, its start and its end', async () => {
  const { fabric, evaluations, next } = evaluating();
  const heard = fabric.events.listen()[Symbol.asyncIterator]();
  const measuring = evaluations.measure({ ...WANTED, instances: INSTANCES.slice(0, 1) });
  expect((await heard.next()).value?.event).toMatchObject({
    ...{ module: 'evaluation', kind: 'waiting' },
    reason: '1 of 1 episodes of version 3',
    since: 0,
  });
  await evaluations.receive(answered(await next(), { score: 1 }));
  await measuring;
  expect((await heard.next()).value?.event).toMatchObject({ kind: 'waiting', reason: undefined });
});

test('a closed channel ends the evaluation with its error', async () => {
  const { fabric, evaluations } = evaluating();
  await fabric.close();
  await expect(evaluations.measure(WANTED)).rejects.toThrow("'orders' is closed");
});
