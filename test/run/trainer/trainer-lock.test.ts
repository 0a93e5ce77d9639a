// One trainer after another.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { FolderInUseError, FolderLock } from '../../../runtime/data/files/lock.ts';
import { acquireTrainerLock } from '../../../runtime/run/trainer/trainer-lock.ts';
import { folder } from '../../data/trajectories.ts';

test('it waits until the other trainer has ended', async () => {
  const clock = new VirtualClock();
  let isThere = true;
  const lock = {
    take: async () => {
      if (isThere) throw new FolderInUseError('it is there');
    },
  };
  let has = false;
  const turn = acquireTrainerLock(lock, () => Promise.reject(new Error('it is still there')), clock).then(
    () => {
      has = true;
    },
  );
  await clock.run(10_000);
  expect(has).toBe(false);
  isThere = false;
  await clock.run(10_100);
  await turn;
});

test('a lock held for too long belongs to a reused process id and is cleared', async () => {
  const clock = new VirtualClock();
  const file = join(folder(), 'trainer.lock');
  const machine = (pid: number) => ({ pid, place: 'lab', boot: 'one', began: '', isAlive: () => true });
  await new FolderLock(file, 'it', machine(7)).take(0);
  const next = new FolderLock(file, 'it', machine(8));
  const turn = acquireTrainerLock(next, async () => rmSync(file), clock);
  // Files take their time whatever the clock says.
  for (let done = false; !done; ) {
    await clock.run(clock.now() + 1000);
    done = await Promise.race([
      turn.then(() => true),
      new Promise<false>(resolve => setImmediate(resolve, false)),
    ]);
  }
  expect(clock.now()).toBeGreaterThanOrEqual(15_000);
  await next.release();
  expect(existsSync(file)).toBe(false);
});

test('any other error of the lock is thrown', async () => {
  const lock = { take: () => Promise.reject(new Error('the disk is full')) };
  await expect(acquireTrainerLock(lock, async () => {}, new VirtualClock())).rejects.toThrow(
    'the disk is full',
  );
});
