import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Warden } from '../../../runtime/environments/docker/warden.ts';
import { connectAfter, world } from './fleet-world.ts';

describe('a fleet', () => {
  test('keeps spares: a take is served at once, and another spare starts', async () => {
    const { clock, open, wait, engines } = world(1, 2, { capacity: 4, spares: 2 });
    const fleet = open();
    await clock.run(5000);
    expect(engines.map(({ containers }) => containers.size)).toEqual([2, 2]);
    const before = clock.now();
    await fleet.take();
    expect(clock.now()).toBe(before);
    await clock.run(clock.now() + 5000);
    expect(fleet.loads().map(({ used, spare }) => [used, spare])).toEqual([
      [1, 2],
      [0, 2],
    ]);
    await wait(fleet.close());
    expect(engines.map(({ containers }) => containers.size)).toEqual([0, 0]);
  });

  test('each container hears from its host often enough that only a stopped host lets its lease expire', async () => {
    const source = new URL('../../../runtime/environments/docker/images/warden/warden.c', import.meta.url);
    const leaseMs = Number(/#define LEASE_MS (\d+)/.exec(await readFile(source, 'utf8'))?.[1]);
    const heardAt = new Map<string, number[]>();
    const { clock, open, wait } = world(7, 2, {
      capacity: 2,
      connect: async (host, id, clock) => {
        const stream = await host.attach(id);
        const write = (data: Uint8Array) => {
          heardAt.get(id)?.push(clock.now());
          stream.write(data);
        };
        heardAt.set(id, [clock.now()]);
        return new Warden({ ...stream, write }, { thing: id, clock });
      },
    });
    const fleet = open();
    await wait(fleet.take());
    await clock.run(10 * leaseMs);
    expect(heardAt.size).toBeGreaterThan(2);
    for (const times of heardAt.values())
      for (const [index, time] of [...times, clock.now()].slice(1).entries())
        expect(time - (times[index] ?? Number.NaN)).toBeLessThanOrEqual(leaseMs / 3);
    await wait(fleet.close());
  });

  test('lends each container once', async () => {
    const { open, wait } = world(2, 2, { capacity: 6 });
    const fleet = open();
    const taken = await wait(Promise.all(Array.from({ length: 12 }, () => fleet.take())));
    expect(new Set(taken.map(({ id }) => id)).size).toBe(12);
    await wait(fleet.close());
  });

  test('spreads over its hosts', async () => {
    const { open, wait } = world(3, 3, { capacity: 4, spares: 0 });
    const fleet = open();
    await wait(Promise.all(Array.from({ length: 6 }, () => fleet.take())));
    expect(fleet.loads().map(({ used }) => used)).toEqual([2, 2, 2]);
    await wait(fleet.close());
  });

  test('removing one starts the next at once, before the old one is gone', async () => {
    const { open, wait } = world(4, 1, { capacity: 1, spares: 1 });
    const fleet = open();
    const one = await wait(fleet.take());
    const removed = one.remove();
    expect(fleet.loads()).toMatchObject([{ used: 0, creating: 1, leaving: 1 }]);
    await wait(removed);
    await wait(fleet.close());
  });

  test('serves takers in order, and skips aborted ones', async () => {
    const { open, wait, clock } = world(5, 1, { capacity: 1, spares: 0 });
    const fleet = open();
    const one = await wait(fleet.take());
    const order: string[] = [];
    const tired = new AbortController();
    const gaveUp = fleet.take({ signal: tired.signal }).catch(() => order.push('tired'));
    const second = fleet.take().then(container => {
      order.push('second');
      return container;
    });
    const third = fleet.take().then(() => order.push('third'));
    tired.abort(new Error('enough'));
    await gaveUp;
    void one.remove();
    void (await wait(second)).remove();
    await wait(third);
    expect(order).toEqual(['tired', 'second', 'third']);
    await clock.run(clock.now() + 5000);
    expect(fleet.loads()).toMatchObject([{ used: 1, spare: 0, creating: 0 }]);
    await wait(fleet.close());
  });

  test('a take can have a timeout of its own', async () => {
    const { open, wait, clock } = world(10, 1, { capacity: 1, spares: 0 });
    const fleet = open();
    const one = await wait(fleet.take());
    const before = clock.now();
    await expect(wait(fleet.take({ timeoutMs: 5000 }))).rejects.toThrow(/no desktop within 5 s/);
    expect(clock.now() - before).toBeLessThan(5100);
    await wait(one.remove());
    await wait(fleet.close());
  });

  test('a take times out with the state of each host', async () => {
    const { open, wait, first, clock } = world(10, 2, { capacity: 1, spares: 0 });
    const fleet = open();
    first().lose();
    const one = await wait(fleet.take());
    const before = clock.now();
    await expect(wait(fleet.take())).rejects.toMatchObject({
      failure: {
        boundary: 'provider',
        message: expect.stringMatching(/20 s.*h0: the cable was pulled.*h1: .*in use/),
      },
    });
    expect(clock.now() - before).toBeLessThan(20_100);
    await wait(one.remove());
    await wait(fleet.take());
    first().find();
    await wait(fleet.close());
  });

  test('of many takers none times out while others are served', async () => {
    const { open, wait, clock } = world(19, 1, { capacity: 8, connect: connectAfter(9000) });
    const fleet = open();
    const taken = await wait(Promise.all(Array.from({ length: 8 }, () => fleet.take())));
    expect(clock.now()).toBeGreaterThan(30_000);
    expect(taken).toHaveLength(8);
    const late = wait(fleet.take());
    void taken[0]?.remove();
    await late;
    await wait(fleet.close());
  });

  test('a take from a slow host times out with its reason', async () => {
    const { open, wait } = world(20, 1, { capacity: 8, connect: connectAfter(29_000) });
    const fleet = open();
    await expect(wait(fleet.take())).rejects.toThrow('h0: it is still starting containers');
    await wait(fleet.close());
  });

  test('a close during creation leaves no container, and refuses takers', async () => {
    for (let moment = 0; moment < 900; moment += 60) {
      const { open, wait, clock, engines } = world(moment, 2, { capacity: 3, spares: 2 });
      const fleet = open();
      const waiting = Array.from({ length: 8 }, () => fleet.take().then(() => 'served', String));
      await clock.run(moment);
      await wait(fleet.close());
      expect(engines.map(({ containers }) => containers.size)).toEqual([0, 0]);
      for (const end of await wait(Promise.all(waiting))) expect(end).toMatch(/served|the fleet is closed/);
      await expect(fleet.take()).rejects.toThrow('the fleet is closed');
    }
  });
});
