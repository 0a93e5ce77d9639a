// Episodes that break: which are tried again, and which are stored as broken.

import { describe, expect, test } from 'vitest';
import { rewardOf } from '../../runtime/core/verdict.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { order, policyError, WAIT } from './models.ts';
import { resets, ring } from './ring.ts';

describe('a broken episode', () => {
  test('is retried on another desktop with other seeds, and then scored', async () => {
    const { clock, cluster, log, put, finished, requests } = ring({ size: 1, breaks: act => act === 2 });
    await put(order('one'), order('two'));
    await clock.run();
    expect(resets(log).map(line => line.split(' ').slice(0, 2))).toEqual([
      ['0', 'd0'],
      ['30', 'd1'],
      ['75', 'd1'],
    ]);
    const all = await finished();
    expect(all.map(({ id, outcome }) => [id, outcome.kind])).toEqual([
      ['one.2', 'judged'],
      ['two.1', 'judged'],
    ]);
    expect(cluster.counts()).toMatchObject({ made: 2, broken: 1 });
    expect(new Set(requests.map(({ seed }) => seed)).size).toBe(requests.length);
  });

  test('is stored as broken after the last attempt, with its steps, and never scored', async () => {
    const { clock, put, finished, events, fabric } = ring({ breaks: act => act % 2 === 0, size: 1 });
    await put(order('one'));
    await clock.run();
    const all = await finished();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      id: 'one.3',
      outcome: { kind: 'broken', failure: { boundary: 'environment', message: 'its screen went away' } },
    });
    expect(all[0]?.steps).toHaveLength(2);
    expect(all.map(({ outcome }) => rewardOf(outcome))).toEqual([undefined]);
    expect(events.filter(event => event.kind === 'metric' && event.name === 'rollout/broken')).toHaveLength(
      3,
    );
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('is tried as often as the setting says, also more than ten times', async () => {
    const { clock, put, finished } = ring({ breaks: () => true, size: 1, mostAttempts: 12 });
    await put(order('one'));
    await clock.run();
    expect(await finished()).toMatchObject([
      { id: 'one.12', outcome: { failure: { boundary: 'environment', message: 'its screen went away' } } },
    ]);
  });

  test('of an order that ended ten processes is stored without being played again', async () => {
    const fabric = embeddedFabric();
    await fabric.orders.put(order('one'));
    for (let times = 0; times < 10; times++) {
      const ofProcess = fabric.orders.taker();
      await ofProcess.tryTake();
      await ofProcess.close();
    }
    const { clock, log, finished, events } = ring({ fabric });
    await clock.run();
    const all = await finished();
    expect(all.map(({ id, outcome }) => [id, outcome.kind])).toEqual([['one.11', 'broken']]);
    expect(resets(log)).toEqual([]);
    const report = events.find(event => event.kind === 'health' && !event.healthy);
    expect(report).toMatchObject({ message: expect.stringContaining('10 host processes ended') });
    expect(await fabric.orders.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('whose policy failed leaves the desktop intact', async () => {
    const broken = policyError('it was asked in an encoding that it does not read');
    const { clock, cluster, put, finished } = ring({ answer: (_, number) => (number === 2 ? broken : WAIT) });
    await put(order('one'));
    await clock.run();
    expect((await finished()).map(({ id, outcome }) => [id, outcome.kind])).toEqual([['one.2', 'judged']]);
    expect(cluster.counts()).toMatchObject({ made: 2, broken: 0 });
  });

  test.each([
    ['that there is not', order('x', { task: 'unknown' }), "There is no task 'unknown'."],
    [
      'that is to be demonstrated',
      order('x', { purpose: 'demonstrate' }),
      'it was ordered as a demonstration',
    ],
  ])('with a task %s is not tried again', async (_name, ordered, message) => {
    const { clock, put, finished, requests, events } = ring();
    await put(ordered);
    await clock.run();
    const [trajectory, ...others] = await finished();
    expect(others).toEqual([]);
    expect(trajectory).toMatchObject({ id: 'x.1', steps: [], outcome: { kind: 'broken' } });
    // The only place where a user of this run reads why its episodes are missing.
    expect(events).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'health', thing: `task ${ordered.instance.task}`, healthy: false },
        message: expect.stringContaining(message),
      }),
    );
    expect(trajectory?.outcome).toMatchObject({
      failure: { boundary: 'task', thing: ordered.instance.task, message: expect.stringContaining(message) },
    });
    expect(requests).toEqual([]);
  });
});
