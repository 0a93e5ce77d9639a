// A slow desktop in virtual time.

import { expect, test } from 'vitest';
import { SERVICE_MS, slowDesktop } from '../../../runtime/bench/hosts/slow-desktop.ts';
import { desktopId, seed } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { openPocketSuite } from '../../../runtime/run/suite.ts';

async function slow() {
  const suite = await openPocketSuite(undefined);
  const [id] = suite.tasks('train');
  if (id === undefined) throw new Error('The suite has no tasks.');
  const task = suite.task(id, seed(3));
  const clock = new VirtualClock();
  const plain = new PocketDesktop(desktopId('plain'));
  const desktop = slowDesktop(new PocketDesktop(desktopId('slow')), seeded(1), clock);
  return { desktop, plain, task, clock };
}

test('it shows what the desktop shows, and each call takes its time', async () => {
  const { desktop, plain, task, clock } = await slow();
  const reset = desktop.reset(task, seed(3));
  await clock.run();
  const afterReset = clock.now();
  expect(await reset).toEqual(await plain.reset(task, seed(3)));
  const acted = desktop.act({ kind: 'finished', answer: '' });
  await clock.run();
  expect(await acted).toEqual(await plain.act({ kind: 'finished', answer: '' }));
  expect(await desktop.judge('finished')).toEqual(await plain.judge('finished'));
  for (const taken of [afterReset, clock.now() - afterReset]) {
    expect(taken).toBeGreaterThanOrEqual(SERVICE_MS.min);
    expect(taken).toBeLessThanOrEqual(SERVICE_MS.max);
  }
});

test('closing does not wait', async () => {
  const { desktop, task, clock } = await slow();
  const reset = desktop.reset(task, seed(3)).catch(() => undefined);
  await desktop.close();
  await reset;
  expect(clock.now()).toBe(0);
});
