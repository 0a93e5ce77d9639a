// The calls of a desktop.

import { expect, test } from 'vitest';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { desktopId } from '../../runtime/core/ids.ts';
import { DesktopCalls } from '../../runtime/environments/desktop-calls.ts';

const endless = () => new Promise<never>(() => undefined);

function calls() {
  let discards = 0;
  const discard = () => {
    discards += 1;
  };
  const made = new DesktopCalls({ id: desktopId('d'), discard });
  return { made, discards: () => discards };
}

test('a second call at the same time is refused, and the first goes on', async () => {
  const { made } = calls();
  const first = made.run(async () => 1);
  await expect(made.run(async () => 2)).rejects.toThrow(/two calls at the same time/);
  expect(await first).toBe(1);
  expect(await made.run(async () => 3)).toBe(3);
});

test('an interruption rejects the running call, and the desktop is discarded', async () => {
  const { made, discards } = calls();
  const running = made.run(endless);
  made.interrupt('it crashed');
  await expect(running).rejects.toThrow(/^d: it crashed/);
  expect(discards()).toBe(1);
});

test('an error of the task keeps the desktop, any other one discards it', async () => {
  const { made, discards } = calls();
  const fault = new BoundaryError({ boundary: 'task', thing: 't', message: 'wrong' });
  await expect(made.run(() => Promise.reject(fault))).rejects.toBe(fault);
  expect(discards()).toBe(0);
  await expect(made.run(() => Promise.reject(new Error('broken')))).rejects.toThrow(/^d: broken/);
  expect(discards()).toBe(1);
});

test('a closed desktop rejects the running call and all later ones', async () => {
  const { made } = calls();
  const running = made.run(endless);
  made.close();
  await expect(running).rejects.toThrow(/the desktop is closed/);
  await expect(made.run(async () => 1)).rejects.toThrow(/the desktop is closed/);
  expect(() => made.assertOpen()).toThrow(/the desktop is closed/);
});
