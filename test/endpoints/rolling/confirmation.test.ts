// Checks of weights that callers share: no caller gets the result of a check that started before it asked.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { EndpointError } from '../../../runtime/endpoints/failure.ts';
import { confirmation } from '../../../runtime/endpoints/rolling/confirmation.ts';

test('for any times of questions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }), async times => {
      const clock = new VirtualClock();
      const starts: number[] = [];
      const confirm = confirmation(async () => {
        starts.push(clock.now());
        await clock.sleep(10);
        return true;
      }, clock);
      const ask = async (time: number) => {
        await clock.sleep(time);
        const asked = clock.now();
        const before = starts.length;
        await confirm();
        // One check started after the question, and ended before the answer.
        return starts.slice(before).some(start => start >= asked && start + 10 <= clock.now());
      };
      const all = Promise.all(times.map(ask));
      await clock.run();
      expect(await all).toEqual(times.map(() => true));
      // One runs and one waits: they are shared.
      expect(starts.length).toBeLessThanOrEqual(Math.min(times.length, 12));
    }),
  );
});

test('a server that does not answer is neither confirmed nor denied', async () => {
  const clock = new VirtualClock();
  const confirm = confirmation(async () => {
    throw new EndpointError('unreachable', 'lab', 'No reply.');
  }, clock);
  const asked = confirm();
  await clock.run();
  expect(await asked).toBeUndefined();
});
