// Addresses that are signed for an S3-compatible store.

import { expect, test } from 'vitest';
import { S3Bucket } from '../../runtime/blobs/s3-bucket.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';

test('an address has the time of the machine, also while the clock that never goes back is ahead of it', async () => {
  const now = Date.UTC(2026, 10, 26, 15, 0, 0);
  const bucket = new S3Bucket({
    ...{ endpoint: 'https://s3.example', bucket: 'runs', keys: { accessKeyId: 'a', secretAccessKey: 's' } },
    ...{ clock: new VirtualClock(now + 3_600_000), wallTime: () => now },
    signal: new AbortController().signal,
  });
  const link = new URL(await bucket.link('GET', 'key'));
  expect(link.searchParams.get('X-Amz-Date')).toBe('20261126T150000Z');
});
