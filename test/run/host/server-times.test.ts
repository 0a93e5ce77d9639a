import { expect, test } from 'vitest';
import { ServerTimes } from '../../../runtime/run/host/server-times.ts';

test('the time between two samples counts as the state of the later one', () => {
  const times = new ServerTimes(1000);
  const one = { name: 'one', phase: 'serving', inFlight: 0 } as const;
  expect(times.account([one], 1500)).toEqual([{ deciding: 0, loading: 0, idle: 500, down: 0 }]);
  expect(times.account([{ ...one, inFlight: 3 }], 1700)).toEqual([
    { deciding: 200, loading: 0, idle: 500, down: 0 },
  ]);
  expect(times.account([{ ...one, phase: 'draining', inFlight: 3 }], 1800)).toMatchObject([{ loading: 100 }]);
  expect(times.account([{ ...one, phase: 'updating' }], 1900)).toMatchObject([{ loading: 200 }]);
  // A clock that was set back adds nothing.
  expect(times.account([{ ...one, phase: 'failed' }], 1800)).toMatchObject([{ loading: 200, down: 0 }]);
  expect(times.account([{ ...one, phase: 'failed' }], 1850)).toMatchObject([{ down: 50 }]);
});
