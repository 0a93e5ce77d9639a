// Waits for a bell end with the next ring, or when their signal is aborted.

import { expect, test, vi } from 'vitest';
import { Bell } from '../../runtime/fabric/embedded/bell.ts';

test('a ring wakes all that wait', async () => {
  const bell = new Bell();
  const waiting = [bell.next(), bell.next(new AbortController().signal)];
  bell.ring();
  await expect(Promise.all(waiting)).resolves.toHaveLength(2);
});

test('a wait that was aborted is forgotten', async () => {
  const bell = new Bell();
  const stop = new AbortController();
  const removed = vi.spyOn(stop.signal, 'removeEventListener');
  const waiting = bell.next(stop.signal);
  stop.abort();
  await waiting;
  removed.mockClear();
  bell.ring();
  // What still waited would remove its listener now.
  expect(removed).not.toHaveBeenCalled();
});
