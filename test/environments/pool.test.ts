// The desktop pool under a virtual clock: leases, replacement, retries and time accounting.

import { expect, test } from 'vitest';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { desktopId, seed, taskId } from '../../runtime/core/ids.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import type { Task } from '../../runtime/core/task.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import {
  DESKTOP_USES,
  DesktopPool,
  type DesktopPoolOptions,
  PoolClosed,
} from '../../runtime/environments/pool.ts';

const ACT = { kind: 'wait' } as const;
const TASK: Task = { id: taskId('t'), instruction: 'Wait.', evaluator: { func: 'infeasible' } };

/** Desktops whose actions take `acts` ms and break when `breaks` returns true. */
interface Model {
  readonly acts?: number;
  readonly starts?: number;
  readonly breaks?: () => boolean;
}

function models(clock: VirtualClock, { acts = 10, starts = 0, breaks = () => false }: Model = {}) {
  const open = new Set<string>();
  let made = 0;
  const make = async (): Promise<Desktop> => {
    if (starts > 0) await clock.sleep(starts);
    const id = desktopId(`d${made++}`);
    open.add(id);
    const unused = () => Promise.reject(new Error('not used'));
    const screen = { pixels: { width: 1, height: 1, layout: 'rgba', data: new Uint8Array(4) } } as const;
    return {
      id,
      reset: async () => screen,
      query: unused,
      setup: unused,
      judge: unused,
      act: async () => {
        await clock.sleep(acts);
        if (breaks())
          throw new BoundaryError({ boundary: 'environment', thing: id, message: 'its screen went away' });
        return screen;
      },
      close: async () => {
        open.delete(id);
      },
    };
  };
  return { make, open };
}

function openPool(
  clock: VirtualClock,
  options: Partial<DesktopPoolOptions> & Pick<DesktopPoolOptions, 'make'>,
) {
  const reports: string[] = [];
  const made = new DesktopPool({
    size: 2,
    maxEpisodes: 1000,
    maxAgeMs: Number.POSITIVE_INFINITY,
    clock,
    health: (thing, healthy, message) => reports.push(`${thing} ${healthy ? 'up' : 'down'}: ${message}`),
    ...options,
  });
  return { pool: made, reports };
}

test('leases each desktop to one episode at a time, first come first served, the longest idle first', async () => {
  const clock = new VirtualClock();
  const { pool } = openPool(clock, models(clock));
  await clock.run(0);
  const [a, b] = [await pool.lease(), await pool.lease()];
  expect([a.desktop.id, b.desktop.id]).toEqual(['d0', 'd1']);
  const order: string[] = [];
  const third = pool.lease().then(({ desktop }) => order.push(`third ${desktop.id}`));
  const fourth = pool.lease().then(({ desktop }) => order.push(`fourth ${desktop.id}`));
  b.release();
  b.release();
  await third;
  a.release();
  await fourth;
  expect(order).toEqual(['third d1', 'fourth d0']);
  expect(pool.counts().free).toBe(0);
});

test('accounts for every millisecond of every desktop', async () => {
  const clock = new VirtualClock();
  const { pool } = openPool(clock, models(clock, { starts: 100, acts: 10 }));
  await clock.run(150);
  const { desktop, release } = await pool.lease();
  const acted = desktop.act(ACT);
  await clock.run(160);
  await acted;
  await clock.run(165);
  release();
  await clock.run(200);
  expect(pool.timeSpent()).toEqual({
    starting: 200,
    idle: 50 + 35 + 100,
    stepping: 10,
    waiting: 5,
    broken: 0,
  });
});

test('replaces a desktop after its maximum of episodes or age, and closes the old one', async () => {
  const clock = new VirtualClock();
  const desktops = models(clock, { acts: 1 });
  const { pool } = openPool(clock, { ...desktops, size: 1, maxEpisodes: 2, maxAgeMs: 1000 });
  const used: string[] = [];
  const episode = async (lasting: number) => {
    await clock.run(clock.now());
    const { desktop, release } = await pool.lease();
    used.push(desktop.id);
    if (lasting > 0) await desktop.reset(TASK, seed(0));
    await clock.run(clock.now() + lasting);
    release();
    await clock.run(clock.now());
  };
  // A lease without a reset is no episode.
  for (const lasting of [1, 0, 1, 1, 0, 1, 2000, 1]) await episode(lasting);
  expect(used).toEqual(['d0', 'd0', 'd0', 'd1', 'd1', 'd1', 'd2', 'd3']);
  expect([...desktops.open]).toEqual(['d3']);
});

test('replaces a broken desktop and reports it', async () => {
  const clock = new VirtualClock();
  const desktops = models(clock, { breaks: () => true });
  const { pool, reports } = openPool(clock, { ...desktops, size: 1 });
  await clock.run(0);
  const { desktop, release } = await pool.lease();
  const acted = expect(desktop.act(ACT)).rejects.toThrow('its screen went away');
  await clock.run(10);
  await acted;
  release();
  await clock.run(20);
  expect((await pool.lease()).desktop.id).toBe('d1');
  expect([...desktops.open]).toEqual(['d1']);
  expect(reports).toEqual([
    'd0 down: broke during an episode and is replaced: its screen went away',
    'd0 up: works again',
  ]);
  expect(pool.counts()).toMatchObject({ made: 2, broken: 1 });
});

test('retries a desktop that does not start, with backoff', async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const { make } = models(clock);
  const { pool, reports } = openPool(clock, {
    size: 1,
    make: async () => {
      times.push(clock.now());
      if (times.length < 4) throw new Error('no room');
      return await make();
    },
  });
  const lease = pool.lease();
  await clock.run();
  expect(times).toEqual([0, 1000, 3000, 7000]);
  expect(reports[0]).toBe('desktop 0 down: no room; next attempt in 1 s');
  expect((await lease).desktop.id).toBe('d0');
  expect(pool.timeSpent().broken).toBe(7000);
});

test('an aborted lease gets no desktop, and a released desktop rejects calls', async () => {
  const clock = new VirtualClock();
  const { pool } = openPool(clock, { ...models(clock), size: 1 });
  await clock.run(0);
  const { desktop, release } = await pool.lease();
  const stop = new AbortController();
  const reason = new Error('enough');
  const given = pool.lease(stop.signal);
  stop.abort(reason);
  await expect(given).rejects.toBe(reason);
  release();
  await expect(desktop.act(ACT)).rejects.toThrow(/was released/);
  expect(pool.counts().free).toBe(1);
});

test('closing closes all desktops and rejects waiting leases', async () => {
  const clock = new VirtualClock();
  const desktops = models(clock);
  const { pool } = openPool(clock, { ...desktops, size: 1 });
  await clock.run(0);
  await pool.lease();
  const waiting = expect(pool.lease()).rejects.toBeInstanceOf(PoolClosed);
  await pool.close();
  await waiting;
  expect([...desktops.open]).toEqual([]);
  await expect(pool.lease()).rejects.toBeInstanceOf(PoolClosed);
});

test('under random use all time is accounted for, no desktop is leased twice and none leaks', async () => {
  const day = async (label: string) => {
    const random: Random = seeded(label);
    const clock = new VirtualClock();
    const desktops = models(clock, { starts: 50, acts: 7, breaks: () => random.next() < 0.02 });
    const { pool } = openPool(clock, { ...desktops, size: 5, maxEpisodes: 7, maxAgeMs: 5000 });
    const lent = new Set<string>();
    const log: string[] = [];
    const runner = async (name: number) => {
      while (clock.now() < 20_000) {
        const { desktop, release } = await pool.lease();
        expect(lent).not.toContain(desktop.id);
        lent.add(desktop.id);
        log.push(`${clock.now()} ${name} ${desktop.id}`);
        try {
          await desktop.reset(TASK, seed(0));
          for (let act = random.int(6); act >= 0; act--) {
            await desktop.act(ACT);
            await clock.sleep(random.int(9));
          }
        } catch {
          log.push(`${clock.now()} ${name} broke`);
        }
        lent.delete(desktop.id);
        release();
        await clock.sleep(random.int(20));
      }
    };
    const runners = Promise.all(Array.from({ length: 8 }, (_, name) => runner(name)));
    await clock.run();
    await runners;
    const account = pool.timeSpent();
    expect(DESKTOP_USES.reduce((sum, use) => sum + account[use], 0)).toBe(5 * clock.now());
    for (const use of DESKTOP_USES) expect(account[use], use).toBeGreaterThan(0);
    expect(desktops.open.size).toBe(5);
    await pool.close();
    expect(desktops.open.size).toBe(0);
    return log;
  };
  const log = await day('a day');
  expect(log.length).toBeGreaterThan(500);
  expect(await day('a day')).toEqual(log);
});

test('the optional calls of a desktop are those of its lease, and a failure of theirs breaks it', async () => {
  const clock = new VirtualClock();
  const { make } = models(clock);
  const calls: string[] = [];
  const screen = { pixels: { width: 1, height: 1, layout: 'rgba', data: new Uint8Array(4) } } as const;
  const { pool } = openPool(clock, {
    ...{ size: 2 },
    make: async index => ({
      ...(await make()),
      ...(index === 1 && {
        look: async () => {
          calls.push('look');
          return screen;
        },
        clickAgain: async (_, press) => {
          calls.push(`click ${press}`);
          throw new BoundaryError({ boundary: 'environment', thing: 'd1', message: 'its screen went away' });
        },
      }),
    }),
  });
  const [plain, able] = await Promise.all([pool.lease(), pool.lease()]);
  expect(plain.desktop).not.toHaveProperty('look');
  expect(plain.desktop).not.toHaveProperty('clickAgain');
  expect(await able.desktop.look?.()).toBe(screen);
  await expect(able.desktop.clickAgain?.({ x: 0, y: 0 }, 2)).rejects.toThrow('went away');
  expect(calls).toEqual(['look', 'click 2']);
  able.release();
  await clock.run();
  expect(pool.counts()).toMatchObject({ made: 3, broken: 1 });
});
