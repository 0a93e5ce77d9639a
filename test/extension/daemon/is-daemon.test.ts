import { expect, test } from 'vitest';
import { isDaemon } from '../../../extension/daemon/is-daemon.ts';

test('a daemon that refuses its client, or stops, is one', () => {
  for (const began of ['', '123']) {
    expect(isDaemon({ began }, 'refused')).toBe(true);
    expect(isDaemon({ began }, 'stopped')).toBe(true);
  }
});

test('one that does not answer is known by the time when its process began', () => {
  expect(isDaemon({ began: '123' }, 'lost')).toBe(true);
  expect(isDaemon({ began: '' }, 'lost')).toBe(false);
});
