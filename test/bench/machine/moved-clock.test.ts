// A clock that is moved from outside of its process.

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followMovedClock, moveClock } from '../../../runtime/bench/machine/moved-clock.ts';
import { temporaryFolder } from '../../temporary.ts';

const HOUR_MS = 3_600_000;

test('the clock is ahead by what the file has, and right again after it', async () => {
  const { now } = Date;
  onTestFinished(() => {
    Date.now = now;
  });
  const file = join(temporaryFolder('clock'), 'host');
  await moveClock(file, HOUR_MS);
  const stop = followMovedClock(file);
  onTestFinished(stop);
  const aheadHours = () => Math.round((Date.now() - now()) / HOUR_MS);
  expect(aheadHours()).toBe(1);
  await moveClock(file, 0);
  await expect.poll(aheadHours).toBe(0);
});
