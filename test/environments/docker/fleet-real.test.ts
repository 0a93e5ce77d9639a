import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { thisProcess } from '../../../runtime/core/process-identity.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { ownerLabels } from '../../../runtime/environments/docker/container-labels.ts';
import {
  type ContainerHandle,
  Fleet,
  type FleetOptions,
} from '../../../runtime/environments/docker/fleet.ts';
import { type DockerHost, openHost } from '../../../runtime/environments/docker/host.ts';
import { Warden } from '../../../runtime/environments/docker/warden.ts';
import { describeUnless, missingEngine } from './engine.ts';
import { localAddress, outputOf, SLOW, TEST_IMAGE, testSpec } from './test-engine.ts';

describeUnless(missingEngine, 'a fleet on a real engine', () => {
  const opened: { readonly fleet: Fleet; readonly host: DockerHost }[] = [];
  const open = async (options: Partial<FleetOptions> & { readonly capacity: number }) => {
    const host = await openHost(localAddress, systemClock, 'here');
    const id = `test${randomBytes(4).toString('hex')}`;
    const fleet = new Fleet({
      hosts: [{ host, capacity: options.capacity }],
      spares: 0,
      image: TEST_IMAGE,
      spec: (name, labels) => testSpec({ name, labels }),
      ...{
        id,
        owner: 'test',
        me: thisProcess(),
        takeTimeoutMs: 60_000,
        clock: systemClock,
        health: () => {},
      },
      // The test image has no warden.
      connect: async (host, id, clock) => new Warden(await host.attach(id), { thing: id, clock }),
      ...options,
    });
    opened.push({ fleet, host });
    return { fleet, host, left: () => host.list({ 'dartboard.fleet': id }) };
  };

  afterEach(async () => {
    for (const { fleet, host } of opened.splice(0)) {
      await fleet.close();
      host.close();
    }
  }, SLOW);

  test('containers are fresh, and gone after removal', async () => {
    const { fleet, host, left } = await open({ capacity: 2 });
    const one = await fleet.take();
    const run = async (container: ContainerHandle, line: string) => {
      const process = await host.exec(container.id, ['sh', '-c', line]);
      const output = outputOf(process);
      await process.closed;
      return output();
    };
    await run(one, 'echo worn > /home/desktop/file');
    await one.remove();
    expect(await one.died).toBe('it was removed');
    const two = await fleet.take();
    expect(await run(two, 'ls /home/desktop')).toBe('');
    await fleet.close();
    expect(await left()).toEqual([]);
  });

  test('removes containers of a killed process, and keeps those of a living one', async () => {
    const host = await openHost(localAddress, systemClock, 'here');
    const me = thisProcess();
    // The process has ended when this returns.
    const dead = Number(execFileSync('sh', ['-c', 'echo $$']).toString());
    const id = `gone${randomBytes(4).toString('hex')}`;
    const leave = (pid: number, began: string, fleet: string) =>
      host.create(
        testSpec({
          name: `dartboard-${fleet}-0`,
          labels: ownerLabels('test', fleet, { ...me, pid, began }),
        }),
      );
    await leave(dead, '1', id);
    const living = await leave(me.pid, me.began, `${id}living`);
    const { fleet } = await open({ capacity: 1 });
    await fleet.take();
    expect(await host.list({ 'dartboard.fleet': id })).toEqual([]);
    expect(await host.list({ 'dartboard.fleet': `${id}living` })).toHaveLength(1);
    await host.remove(living);
    host.close();
  });

  test('notices every container that is killed at random, and leaves none', async () => {
    const { fleet, host, left } = await open({ capacity: 4, spares: 1 });
    const random = seeded('killing');
    const killed = new Set<string>();
    const taken: ContainerHandle[] = [];
    const died = new Set<string>();
    let isOver = false;
    const taker = async () => {
      while (!isOver) {
        const container = await fleet.take();
        taken.push(container);
        void container.died.then(() => died.add(container.id));
        await Promise.race([systemClock.sleep(random.int(1500)), container.died]);
        void container.remove();
      }
    };
    const killer = async () => {
      for (let kills = 0; kills < 10; kills += 1) {
        await systemClock.sleep(random.int(400));
        const all = await left();
        const victim = all[random.int(Math.max(1, all.length))];
        if (victim === undefined) continue;
        // Without the fleet's knowledge.
        await host.remove(victim.id);
        killed.add(victim.id);
      }
      isOver = true;
    };
    await Promise.all([taker(), taker(), taker(), killer()]);
    expect(killed.size).toBeGreaterThan(3);
    await fleet.close();
    for (const { id } of taken) expect(died).toContain(id);
    expect(await left()).toEqual([]);
  });

  test('leaves no container if it is closed during creation', async () => {
    for (const moment of [0, 30, 150, 400]) {
      const { fleet, left } = await open({ capacity: 2, spares: 2 });
      await systemClock.sleep(moment);
      await fleet.close();
      expect(await left()).toEqual([]);
    }
  });
});
