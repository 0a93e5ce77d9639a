// Desktops that people take over in the middle of an episode: the order is played again, the person gets the desktop as it is, and all
// return.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../../../runtime/core/failure.ts';
import { desktopId } from '../../../runtime/core/ids.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import type { BorrowedDesktop } from '../../../runtime/person/borrowed-desktop.ts';
import { agentClick, EPISODE_STEPS, LOAN_CHANNELS, lentDesktops, pocketOrder } from './lent-desktops.ts';

const CLICK = { kind: 'click', at: { x: 3, y: 230 } } as const;
const MINUTE = 60_000;

/** The screen of a fresh desktop after the first actions of the agent. */
async function screenAfter(number: number, steps: number) {
  const desktop = new PocketDesktop(desktopId('fresh'));
  const { task, seed } = pocketOrder(number).instance;
  let screen = await desktop.reset(POCKET.task(task, seed), seed);
  for (let step = 0; step < steps; step++) screen = await desktop.act(agentClick(step));
  return screen;
}

const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no failure',
    (error: unknown) => (error instanceof BoundaryError ? error.failure.message : `no boundary: ${error}`),
  );

describe.each(LOAN_CHANNELS)('with channels %s', channels => {
  const lent = (options: Parameters<typeof lentDesktops>[0] = {}) => lentDesktops({ channels, ...options });

  test('a take-over abandons the decision, and hands over the screen, the actions and the instance', async () => {
    const { host, put, borrow, rest, daemon, id } = lent({ size: 1, decides: 1000, acts: 1 });
    host();
    await put(1);
    await rest(2500);
    const { episode, desktop } = await borrow('d0');
    expect(episode).toMatchObject({
      instance: pocketOrder(0).instance,
      actions: [agentClick(0), agentClick(1)],
    });
    const expected = await screenAfter(0, 2);
    expect(episode.screen).toEqual({ pixels: expected.pixels, elements: expected.elements });
    expect(episode.instruction).not.toBe('');
    expect(episode).not.toHaveProperty('images');
    expect(desktop).toMatchObject({ id: id('d0'), renderer: new PocketDesktop(desktopId('d0')).renderer });
    expect(desktop).not.toHaveProperty('look');
    expect(await daemon.orders.depth()).toEqual({ waiting: 1, taken: 0 });
  });

  test('a take-over during a call of the desktop waits for its end', async () => {
    const { host, put, borrow, rest } = lent({ size: 1, decides: 1, acts: 1000 });
    host();
    await put(1);
    await rest(1500);
    let isThere = false;
    const borrowing = borrow('d0').then(borrowed => {
      isThere = true;
      return borrowed;
    });
    await rest(300);
    expect(isThere).toBe(false);
    await rest(500);
    expect((await borrowing).episode.actions).toEqual([agentClick(0), agentClick(1)]);
  });

  test('the person uses the desktop, it is given back, and its order is played once to its end', async () => {
    const { host, put, borrow, rest, finished, daemon } = lent({ size: 1 });
    const { lending, pool } = host();
    await put(3);
    await rest(25);
    const { desktop, close } = await borrow('d0');
    expect(lending.isHeld(desktop.id)).toBe(true);
    const screen = await Promise.all([desktop.act(CLICK), rest(100)]).then(([shown]) => shown);
    const { task, seed } = pocketOrder(0).instance;
    const fresh = await desktop.reset(POCKET.task(task, seed), seed);
    expect(fresh.pixels).toEqual((await screenAfter(0, 0)).pixels);
    expect(screen.pixels.data).not.toEqual(fresh.pixels.data);
    expect(await desktop.judge('finished')).toMatchObject({ score: 0 });
    await rest(4 * MINUTE);
    await close();
    expect(lending.isHeld(desktop.id)).toBe(false);
    await rest(MINUTE);
    const played = await finished();
    expect(played.map(({ id }) => id).sort()).toEqual(['o0.2', 'o1.1', 'o2.1']);
    // Nothing of the person is in them.
    for (const { steps, provenance, purpose } of played) {
      expect(steps.map(({ action }) => action)).toEqual(
        Array.from({ length: EPISODE_STEPS }, (_, i) => agentClick(i)),
      );
      expect({ provenance, purpose }).toEqual({ provenance: { kind: 'rollout' }, purpose: 'train' });
    }
    expect(await daemon.orders.depth()).toEqual({ waiting: 0, taken: 0 });
    expect(pool.counts()).toMatchObject({ free: 1, made: 1, broken: 0 });
  });

  test('another desktop plays the order while the person holds the first', async () => {
    const { host, put, borrow, rest, finished } = lent({ size: 2 });
    host();
    await put(2);
    await rest(25);
    const borrowed = await borrow('d0');
    await rest(MINUTE);
    expect((await finished()).map(({ id }) => id).sort()).toEqual(['o0.2', 'o1.1']);
    await borrowed.close();
  });

  test('two people take over two desktops at once, and nobody takes over one that is held', async () => {
    const { host, put, borrow, rest, finished } = lent({ size: 2 });
    host();
    await put(2);
    await rest(25);
    const [ada, bob] = await Promise.all([borrow('d0', 'Ada'), borrow('d1', 'Bob')]);
    expect([ada.episode.instance, bob.episode.instance]).toEqual([0, 1].map(n => pocketOrder(n).instance));
    expect(await failureOf(borrow('d1', 'Cy'))).toContain('Bob holds it');
    await Promise.all([bob.close(), rest(1)]);
    const [again, other] = [borrow('d1', 'Dan'), failureOf(borrow('d1', 'Eve'))];
    await rest(7000);
    expect(await other).toContain('Dan holds it');
    await (await again).close();
    await ada.close();
    await rest(MINUTE);
    expect((await finished()).map(({ order }) => order).sort()).toEqual(['o0', 'o1']);
  });

  test('pixels that did not change are not sent again', async () => {
    const { host, put, borrow, rest, daemon } = lent({ size: 1 });
    host();
    await put(1);
    await rest(25);
    const { desktop, episode } = await borrow('d0');
    const heard = daemon.loaned.listen()[Symbol.asyncIterator]();
    const [screen] = await Promise.all([desktop.act({ kind: 'wait' }), rest(50)]);
    const { value } = await heard.next();
    expect(value?.event).toMatchObject({ value: { elements: screen.elements } });
    expect(value?.event).not.toHaveProperty('value.pixels');
    expect(screen.pixels).toEqual(episode.screen.pixels);
  });

  test('a desktop that breaks under the person fails the call, and is replaced when it returns', async () => {
    const { host, put, borrow, rest, finished } = lent({ size: 1, breaks: act => act === 3 });
    const { pool } = host();
    await put(1);
    await rest(45);
    const { desktop, close } = await borrow('d0');
    const [failure] = await Promise.all([failureOf(desktop.act(CLICK)), rest(50)]);
    expect(failure).toBe('its screen went away');
    await close();
    await rest(MINUTE);
    expect(pool.counts()).toMatchObject({ made: 2, broken: 1 });
    expect((await finished()).map(({ id }) => id)).toEqual(['o0.2']);
  });

  test('a desktop that breaks before it is handed over is not; its order is retried as after any break', async () => {
    const { host, put, borrow, rest, finished } = lent({ size: 1, acts: 1000, breaks: act => act === 2 });
    host();
    await put(1);
    await rest(1500);
    const [borrowed] = await Promise.all([borrow('d0'), rest(3000)]);
    // The replacement plays the order anew, and that is interrupted.
    expect(borrowed.episode.actions).toEqual([]);
    await borrowed.close();
    await rest(MINUTE);
    expect((await finished()).map(({ id }) => id)).toEqual(['o0.3']);
  });

  test('a loan that nobody uses for five minutes returns by itself; one that is kept does not', async () => {
    const { host, put, borrow, rest, finished } = lent({ size: 1 });
    const { lending } = host();
    await put(1);
    await rest(25);
    const { desktop, keep, lost } = await borrow('d0');
    for (let minute = 0; minute < 12; minute++) {
      await rest(MINUTE);
      keep();
    }
    expect(lending.isHeld(desktop.id)).toBe(true);
    let why = '';
    void lost.then(({ message }) => {
      why = message;
    });
    await rest(4 * MINUTE);
    expect(why).toBe('');
    await rest(2 * MINUTE);
    expect(lending.isHeld(desktop.id)).toBe(false);
    // Also without a call.
    expect(why).toContain('nobody used it for 5 minutes');
    expect(await finished()).toHaveLength(1);
    expect(await failureOf(desktop.act(CLICK))).toContain('nobody used it for 5 minutes');
  });

  test('a take-over that takes too long is withdrawn', async () => {
    const { host, put, borrow, rest, finished, id } = lent({ size: 1, acts: 8 * MINUTE, decides: 1 });
    const { lending } = host();
    await put(1);
    await rest(10);
    const refused = failureOf(borrow('d0'));
    await rest(9 * MINUTE);
    expect(await refused).toContain('did not answer within 25 s');
    expect(lending.isHeld(id('d0'))).toBe(false);
    await rest(60 * MINUTE);
    expect(await finished()).toHaveLength(1);
  });

  test('a desktop whose call takes long is in use, also when nobody waits any more', async () => {
    const { host, put, borrow, rest } = lent({ size: 1, acts: 8 * MINUTE, decides: 1000 });
    const { lending } = host();
    await put(1);
    await rest(10);
    const { desktop } = await borrow('d0');
    const failure = failureOf(desktop.act(CLICK));
    await rest(12 * MINUTE);
    expect(await failure).toContain('did not answer within 300 s');
    expect(lending.isHeld(desktop.id)).toBe(true);
    await rest(2 * MINUTE);
    expect(lending.isHeld(desktop.id)).toBe(false);
  });

  test('a run that ends fails the call under way and all later ones', async () => {
    const { host, put, borrow, rest, daemon } = lent({ size: 1, acts: 1000, decides: 1 });
    const { end } = host();
    await put(1);
    await rest(10);
    const [{ desktop, close }] = await Promise.all([borrow('d0'), rest(1000)]);
    const failure = failureOf(desktop.act(CLICK));
    await Promise.all([end(), daemon.close()]);
    expect(await failure).toMatch(/its run has ended|is closed/);
    expect(await failureOf(desktop.act(CLICK))).toContain('its run has ended');
    await Promise.all([close(), rest(MINUTE)]);
  });

  test('desktops that cannot be taken over are refused with the reason', async () => {
    const { host, put, borrow, rest, id } = lent({ size: 2, starts: 5000 });
    host();
    await rest(1);
    expect(await failureOf(borrow('d0'))).toContain('it is starting');
    expect(await failureOf(borrow('d7'))).toContain(`${id('d0')} to ${id('d1')}`);
    await rest(6000);
    const [idle] = await Promise.all([failureOf(borrow('d0')), rest(6000)]);
    expect(idle).toContain('plays no episode');
    await put(2);
    await rest(1);
    expect((await borrow('d0')).desktop.id).toBe(id('d0'));
  });

  test('a host that is away answers nothing, and performs no withdrawn request later', async () => {
    const { host, put, borrow, rest, finished, id } = lent({ size: 1 });
    const refused = failureOf(borrow('d0'));
    await rest(MINUTE);
    expect(await refused).toMatch(/did not answer within 25 s|does not answer/);
    const { lending } = host();
    await put(2);
    await rest(MINUTE);
    expect(lending.isHeld(id('d0'))).toBe(false);
    expect(await finished()).toHaveLength(2);
  });
});

test('a host that dies during a call of the person: the call fails, and no other host repeats it', async () => {
  const { host, put, borrow, rest, finished, acted } = lentDesktops({
    ...{ channels: 'behind a port', size: 1, acts: 1000 },
  });
  const first = host();
  await put(1);
  await rest(10);
  const [{ desktop, lost, close }] = await Promise.all([borrow('d0'), rest(1500)]);
  const failure = failureOf(desktop.act(CLICK));
  await rest(500);
  first.cut();
  const before = acted();
  host();
  await rest(1);
  expect(await failure).toContain('started again');
  expect((await lost).message).toContain('started again');
  expect(acted()).toBe(before);
  expect(await failureOf(desktop.act(CLICK))).toContain('started again');
  await close();
  await rest(MINUTE);
  expect((await finished()).map(({ order }) => order)).toEqual(['o0']);
});

test('each order is played exactly once to its end, whoever takes over what and when', async () => {
  const visit = fc.record({
    at: fc.integer({ min: 0, max: 1500 }),
    desktop: fc.integer({ min: 0, max: 2 }),
    acts: fc.integer({ min: 0, max: 3 }),
    holds: fc.integer({ min: 0, max: 800 }),
    forgets: fc.boolean(),
  });
  const setting = fc.record({
    channels: fc.constantFrom(...LOAN_CHANNELS),
    size: fc.integer({ min: 1, max: 3 }),
    orders: fc.integer({ min: 1, max: 8 }),
    decides: fc.integer({ min: 1, max: 60 }),
    acts: fc.integer({ min: 1, max: 60 }),
    breaksEach: fc.integer({ min: 13, max: 60 }),
    visits: fc.array(visit, { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(setting, async ({ orders, visits, breaksEach, ...options }) => {
      const { host, put, borrow, rest, finished, clock, daemon, id } = lentDesktops({
        ...options,
        breaks: act => act % breaksEach === 0,
      });
      const { end, lending } = host();
      await put(orders);
      const visiting = visits.map(async ({ at, desktop, acts, holds, forgets }) => {
        await clock.sleep(at);
        let borrowed: BorrowedDesktop;
        try {
          borrowed = await borrow(`d${desktop}`);
          for (let act = 0; act < acts; act++) await borrowed.desktop.act(CLICK);
        } catch (error) {
          // Held, broken or idle.
          expect(error).toBeInstanceOf(BoundaryError);
          return;
        }
        await clock.sleep(holds);
        if (!forgets) await borrowed.close();
      });
      await rest(30 * MINUTE);
      await Promise.all(visiting);
      expect((await finished()).map(({ order }) => order).sort()).toEqual(
        Array.from({ length: orders }, (_, number) => `o${number}`),
      );
      expect(await daemon.orders.depth()).toEqual({ waiting: 0, taken: 0 });
      for (const desktop of ['d0', 'd1', 'd2']) expect(lending.isHeld(id(desktop))).toBe(false);
      await end();
    }),
    { numRuns: 40 },
  );
});
