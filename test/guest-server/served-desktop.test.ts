// One address over the lives of several desktops: losses are reported to the user and to every client, and never hidden by a repetition.

import { describe, expect, test, vi } from 'vitest';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { DesktopLost, type ServedDesktop } from '../../runtime/guest-server/served-desktop.ts';
import type { ServedMachine } from '../../runtime/guest-server/served-machine.ts';
import { servedDesktop } from './fake-desktops.ts';

/** A request that never ends. Resolves once it has begun. */
async function beginRequest(served: ServedDesktop): Promise<{ readonly end: Promise<never> }> {
  let end: Promise<never> = Promise.reject(new Error('It has not begun.'));
  end.catch(() => undefined);
  await new Promise<void>(resolve => {
    end = served.use(() => {
      resolve();
      return new Promise<never>(() => undefined);
    });
    end.catch(() => undefined);
  });
  return { end };
}
const size = async (machine: ServedMachine) => machine.size.width;
const failure = (boundary: 'task' | 'environment') =>
  new BoundaryError({ boundary, thing: 'container', message: `a ${boundary} failed.` });

describe('a desktop that ends', () => {
  test('interrupts the running request, is reported, and is replaced', async () => {
    const { served, taken, reports } = servedDesktop(new VirtualClock());
    await served.ready();
    const { end: running } = await beginRequest(served);
    taken[0]?.die('killed by signal 9');
    await expect(running).rejects.toThrow(DesktopLost);
    await expect(running).rejects.toThrow(
      /its container ended \(killed by signal 9\).*Begin the task again with POST \/dartboard\/revert\./,
    );
    await served.revert();
    expect(await served.use(size)).toBe(4);
    expect(reports).toEqual([
      'ill: its container ended (killed by signal 9). A new desktop takes its place. Requests fail until POST /dartboard/revert.',
      'well: works again',
    ]);
    expect(taken).toHaveLength(2);
    expect([taken[0]?.isRemoved, taken[0]?.machines[0]?.isClosed]).toEqual([true, true]);
  });

  test('makes every request fail until the clean state is requested, so that no repetition reaches the new desktop', async () => {
    const { served, taken } = servedDesktop(new VirtualClock());
    await served.ready();
    const { end: running } = await beginRequest(served);
    taken[0]?.die('out of memory');
    await expect(running).rejects.toThrow(/out of memory/);
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(served.use(size)).rejects.toThrow(/out of memory/);
    await served.revert();
    expect(await served.use(size)).toBe(4);
  });

  test('is found by a request that its connections fail', async () => {
    const { served, taken, reports } = servedDesktop(new VirtualClock());
    const broken = served.use(() => Promise.reject(failure('environment')));
    await expect(broken).rejects.toThrow('The desktop ended: a environment failed.');
    expect(reports[0]).toMatch(/^ill: a environment failed\. A new desktop/);
    await served.revert();
    expect(taken).toHaveLength(2);
  });
});

test("the failure of a client's command is its own", async () => {
  const { served, taken, reports } = servedDesktop(new VirtualClock());
  await expect(served.use(() => Promise.reject(failure('task')))).rejects.toThrow(BoundaryError);
  await expect(served.use(() => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
  expect(reports).toEqual([]);
  expect(taken).toHaveLength(1);
});

describe('the clean state', () => {
  test('is restored in the same desktop, with new connections', async () => {
    const { served, taken } = servedDesktop(new VirtualClock());
    await served.ready();
    await served.revert();
    await served.revert();
    expect(taken).toHaveLength(1);
    expect(taken[0]?.resets).toBe(2);
    expect(taken[0]?.machines.map(({ isClosed }) => isClosed)).toEqual([true, true, false]);
  });

  test('adds no watch of the container, which would keep the screens of every desktop before', async () => {
    const watched: unknown[] = [];
    const { served, taken } = servedDesktop(new VirtualClock(), '/', desktop => {
      watched.push(vi.spyOn(desktop.died, 'then'));
    });
    await served.ready();
    for (let revert = 0; revert < 3; revert++) await served.revert();
    expect(taken).toHaveLength(1);
    expect(watched[0]).toHaveBeenCalledTimes(1);
  });

  test('of a container that ends while it is restored comes from a new desktop', async () => {
    const { served, taken, reports } = servedDesktop(new VirtualClock(), '/', desktop => {
      desktop.reset = async () => desktop.die('killed by signal 9');
    });
    await served.ready();
    await served.revert();
    await expect.poll(() => taken.length).toBe(2);
    expect(reports[0]).toContain('its container ended (killed by signal 9)');
  });

  test('comes from a new desktop if a reset is not certain', async () => {
    const { served, taken, reports } = servedDesktop(new VirtualClock(), '/', desktop => {
      desktop.failsToReset = true;
    });
    await served.revert();
    expect(taken.map(({ isRemoved }) => isRemoved)).toEqual([true, false]);
    expect(reports).toEqual([]);
    expect(await served.use(size)).toBe(4);
  });

  test('interrupts the running request', async () => {
    const { served } = servedDesktop(new VirtualClock());
    await served.ready();
    const { end: running } = await beginRequest(served);
    const reverted = served.revert();
    await expect(running).rejects.toThrow(/restored during the request/);
    await reverted;
    expect(await served.use(size)).toBe(4);
  });
});

test('a desktop that does not start is tried again, and reported once it works', async () => {
  const clock = new VirtualClock();
  let left = 2;
  const { served, taken, reports } = servedDesktop(clock, '/', desktop => {
    desktop.failsToOpen = left-- > 0;
  });
  const used = served.use(size);
  await clock.run(60_000);
  expect(await used).toBe(4);
  expect(taken.map(({ isRemoved }) => isRemoved)).toEqual([true, true, false]);
  expect(reports).toEqual([
    'ill: did not start: No window manager started. Reset the desktop. The next attempt is in 1 s.',
    'ill: did not start: No window manager started. Reset the desktop. The next attempt is in 2 s.',
    'well: works again',
  ]);
});

test('a request does not wait for ever', async () => {
  const clock = new VirtualClock();
  const { served } = servedDesktop(clock, '/', desktop => {
    desktop.failsToOpen = true;
  });
  const used = served.use(size);
  used.catch(() => undefined);
  await clock.run(100_000);
  await expect(used).rejects.toThrow(/did not finish within 90 s\. Look at the output of the server/);
  const closed = served.close();
  await clock.run(200_000);
  await closed;
});

test('a closed desktop is removed, and refuses', async () => {
  const { served, taken } = servedDesktop(new VirtualClock());
  await served.ready();
  await served.close();
  expect(taken[0]?.isRemoved).toBe(true);
  await expect(served.use(size)).rejects.toThrow('The server is stopping. Start it again.');
});
