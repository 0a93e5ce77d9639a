// Containers and hosts that fail, and containers that remain from ended processes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { seeded } from '../../../runtime/core/rng.ts';
import { ownerLabels } from '../../../runtime/environments/docker/container-labels.ts';
import type { ContainerHandle } from '../../../runtime/environments/docker/fleet.ts';
import { me, world } from './fleet-world.ts';

describe('a fleet', () => {
  test('of many containers can lose all at once without a warning of the runtime', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    try {
      const { clock, open, wait, first } = world(4, 1, { capacity: 24 });
      const fleet = open();
      const taken = await wait(Promise.all(Array.from({ length: 20 }, () => fleet.take())));
      for (const { id } of taken) first().kill(id);
      await clock.run(clock.now() + 5000);
      await wait(fleet.close());
      await new Promise(setImmediate);
    } finally {
      process.off('warning', note);
    }
    expect(warnings).toEqual([]);
  });

  test('replaces a spare that answers nothing within half a minute, and no other one', async () => {
    const { open, wait, first, clock } = world(8, 1, { capacity: 4, spares: 2 });
    const fleet = open();
    await clock.run(5000);
    const [frozen, other] = [...first().containers.keys()];
    const used = await wait(fleet.take());
    const spare = used.id === frozen ? other : frozen;
    // Of a container in use, the calls have deadlines.
    first().frozen.add(used.id);
    first().frozen.add(spare ?? '');
    await clock.run(clock.now() + 30_000);
    expect(first().containers.has(spare ?? '')).toBe(false);
    expect(first().containers.has(used.id)).toBe(true);
    await clock.run(clock.now() + 100_000);
    expect(fleet.loads()).toMatchObject([{ used: 1, spare: 2 }]);
    expect(first().created).toBe(4);
    await wait(fleet.close());
  });

  test('replaces a spare whose screen has ended', async () => {
    const { open, wait, first, clock } = world(9, 1, { capacity: 4, spares: 1 });
    const fleet = open();
    await clock.run(5000);
    const [dark = ''] = [...first().containers.keys()];
    first().dark.add(dark);
    await clock.run(clock.now() + 30_000);
    expect(first().containers.has(dark)).toBe(false);
    expect(fleet.loads()).toMatchObject([{ used: 0, spare: 1 }]);
    await wait(fleet.close());
  });

  test('keeps a container that was lent during its check', async () => {
    const { open, wait, first, clock } = world(10, 1, { capacity: 4, spares: 1 });
    const fleet = open();
    await clock.run(14_900);
    const [slow = ''] = [...first().containers.keys()];
    first().frozen.add(slow);
    // The check has begun.
    await clock.run(15_100);
    const lent = await wait(fleet.take());
    expect(lent.id).toBe(slow);
    await clock.run(clock.now() + 30_000);
    expect(first().containers.has(slow)).toBe(true);
    expect(lent.isDead).toBe(false);
    await wait(fleet.close());
  });

  test('reports a death at once', async () => {
    const { open, wait, first, clock } = world(6, 1, { capacity: 2, spares: 0 });
    const fleet = open();
    const container = await wait(fleet.take());
    const before = clock.now();
    first().kill(container.id);
    expect(await wait(container.died)).toBe('killed');
    expect(clock.now() - before).toBeLessThanOrEqual(50);
    await clock.run(clock.now() + 1000);
    expect(fleet.loads()).toMatchObject([{ used: 0, leaving: 0 }]);
    await container.remove();
    await wait(fleet.close());
  });

  test('reports a death during a lost connection when the engine is back', async () => {
    const { open, wait, first, healthReports, clock } = world(7, 1, { capacity: 2, spares: 0 });
    const fleet = open();
    const container = await wait(fleet.take());
    first().lose();
    first().kill(container.id);
    await clock.run(clock.now() + 1000);
    expect(healthReports).toEqual(['h0 ill: the cable was pulled']);
    first().find();
    expect(await wait(container.died)).toMatch('gone when its engine was checked');
    expect(healthReports.at(-1)).toBe('h0 well: starts desktops again');
    await wait(fleet.close());
  });

  test('a container that was to be removed while its engine was away is removed when it is back', async () => {
    const { open, wait, first, healthReports, clock } = world(8, 1, { capacity: 2, spares: 0 });
    const fleet = open();
    const container = await wait(fleet.take());
    first().lose();
    await wait(container.remove());
    expect(first().containers.size).toBe(1);
    first().find();
    await clock.run(clock.now() + 2000);
    expect(first().containers.size).toBe(0);
    // No process has left it behind.
    expect(healthReports).toEqual(['h0 ill: the cable was pulled', 'h0 well: starts desktops again']);
    await wait(fleet.close());
  });

  test('takes from hosts that answer, and waits for one to return', async () => {
    const { open, wait, engines, first } = world(9, 2, { capacity: 2, spares: 0 });
    const fleet = open();
    first().lose();
    const both = await wait(Promise.all([fleet.take(), fleet.take()]));
    expect(both.map(({ host }) => host.name)).toEqual(['h1', 'h1']);
    engines[1]?.lose();
    const waiting = fleet.take();
    first().find();
    expect((await wait(waiting)).host.name).toBe('h0');
    engines[1]?.find();
    await wait(fleet.close());
  });

  test('a host without the image reports that, and is used once it has it', async () => {
    const { open, wait, first, healthReports, clock } = world(11, 1, { capacity: 1, takeTimeoutMs: 120_000 });
    first().hasImage = false;
    const fleet = open();
    const waiting = fleet.take();
    await clock.run(10_000);
    expect(healthReports).toEqual([
      expect.stringContaining("h0 ill: it has no image image. Build it with 'dartboard docker build'"),
    ]);
    first().hasImage = true;
    await wait(waiting);
    expect(healthReports.at(-1)).toBe('h0 well: starts desktops again');
    await wait(fleet.close());
  });

  test('a host on which nothing starts is tried with a backoff', async () => {
    const { open, wait, first, clock } = world(12, 1, { capacity: 4 });
    first().failures = 1;
    const fleet = open();
    await clock.run(120_000);
    expect(first().created).toBeLessThan(20);
    expect(first().created).toBeGreaterThan(1);
    await wait(fleet.close());
    expect(first().containers.size).toBe(0);
  });

  test('containers of an ended process are removed and reported at the start; those of a living one stay', async () => {
    const { open, wait, first, healthReports } = world(13, 1, { capacity: 1 });
    const of = (name: string, pid: number) => ({ name, labels: ownerLabels('a run', name, { ...me, pid }) });
    first().containers.set('left', of('left', 99));
    first().containers.set('living', of('living', 71));
    const fleet = open();
    await wait(fleet.take());
    expect(first().containers.has('left')).toBe(false);
    expect(healthReports).toEqual([
      'leftover containers on h0 ill: removed 1 container that an ended process of run a run left behind',
    ]);
    await wait(fleet.close());
    expect([...first().containers.keys()]).toEqual(['living']);
  });

  test('a leftover container that cannot be removed is reported and closes no host', async () => {
    const { open, wait, first, healthReports, clock } = world(16, 1, { capacity: 2 });
    first().containers.set('left', {
      name: 'left',
      labels: ownerLabels('a run', 'another', { ...me, pid: 99 }),
    });
    first().stuck.add('left');
    const fleet = open();
    await wait(fleet.take());
    expect(healthReports).toEqual([
      'leftover containers on h0 ill: could not be removed, and are tried again in 2 minutes: its process does not end',
    ]);
    first().stuck.clear();
    await clock.run(clock.now() + 180_000);
    expect(first().containers.has('left')).toBe(false);
    expect(healthReports.at(-1)).toBe(
      'leftover containers on h0 ill: removed 1 container that an ended process of run a run left behind',
    );
    await wait(fleet.close());
  });

  test('an own container that cannot be removed closes no host, and is reported at the end', async () => {
    const { open, wait, first, healthReports, clock } = world(17, 1, { capacity: 2, spares: 0 });
    const fleet = open();
    const container = await wait(fleet.take());
    const { id } = container;
    first().stuck.add(id);
    await wait(container.remove());
    await clock.run(clock.now() + 1000);
    expect(fleet.loads()).toMatchObject([{ isOpen: true, used: 0 }]);
    await wait(fleet.take());
    await wait(fleet.close());
    expect([...first().containers.keys()]).toEqual([id]);
    expect(healthReports).toEqual([
      expect.stringMatching(/^leftover containers on h0 ill: could not be removed/),
      expect.stringMatching(/^h0 ill: containers may remain: its process does not end\. .*docker rm -f/),
    ]);
  });

  test('an unreported death is found within minutes, and the host stays open', async () => {
    const { open, wait, first, healthReports, clock } = world(18, 1, { capacity: 2, spares: 0 });
    const fleet = open();
    const container = await wait(fleet.take());
    first().containers.delete(container.id);
    let wasOpen = true;
    for (let look = 0; look < 180; look += 1) {
      await clock.run(clock.now() + 1000);
      wasOpen &&= fleet.loads().every(({ isOpen }) => isOpen);
    }
    expect(wasOpen).toBe(true);
    expect(await wait(container.died)).toMatch('gone when its engine was checked');
    expect(healthReports).toEqual([]);
    await wait(fleet.close());
  });

  test('under random failures every loss is noticed, capacity holds, and no container remains', async () => {
    const shape = fc.record({
      seed: fc.nat(),
      hosts: fc.integer({ min: 1, max: 3 }),
      capacity: fc.integer({ min: 1, max: 4 }),
      spares: fc.nat(2),
      takers: fc.integer({ min: 1, max: 8 }),
      failures: fc.constantFrom(0, 0.1, 0.4),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ seed, hosts, capacity, spares, takers, failures }) => {
        const { clock, random, engines, open, wait } = world(seed, hosts, { capacity, spares });
        for (const engine of engines) engine.failures = failures;
        const fleet = open();
        const dead = new Set<string>();
        const lent = new Map<string, ContainerHandle>();
        const until = 120_000;
        const taker = async (mine: ReturnType<typeof seeded>) => {
          while (clock.now() < until) {
            const container = await fleet.take().catch(() => undefined);
            if (container === undefined) continue;
            expect(dead.has(container.id)).toBe(false);
            lent.set(container.id, container);
            void container.died.then(() => dead.add(container.id));
            await Promise.race([clock.sleep(mine.int(4000)), container.died]);
            void container.remove();
          }
        };
        const chaos = async () => {
          while (clock.now() < until) {
            await clock.sleep(random.int(1500));
            const engine = engines[random.int(engines.length)];
            const ids = [...(engine?.containers.keys() ?? [])];
            const victim = ids[random.int(Math.max(1, ids.length))];
            if (victim !== undefined) engine?.kill(victim);
            if (random.next() < 0.1) {
              engine?.lose();
              await clock.sleep(random.int(5000));
              engine?.find();
            }
            for (const { used, spare, creating } of fleet.loads())
              expect(used + spare + creating).toBeLessThanOrEqual(capacity);
          }
        };
        const work = Promise.all([
          chaos(),
          ...Array.from({ length: takers }, (_, at) => taker(random.fork(`${at}`))),
        ]);
        await wait(work);
        await clock.run(clock.now() + 60_000);
        const living = new Set(engines.flatMap(({ containers }) => [...containers.keys()]));
        for (const id of lent.keys()) if (!living.has(id)) expect(dead).toContain(id);
        await wait(fleet.close());
        expect(engines.flatMap(({ containers }) => [...containers.keys()])).toEqual([]);
        for (const id of lent.keys()) expect(dead).toContain(id);
      }),
      { numRuns: 15 },
    );
  });
});
