import { setTimeout as passed } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { release } from '../../runtime/graph/release.ts';

const MEGABYTES = 64;

test('release empties the views and frees the memory without garbage collection', async () => {
  const bytes = new Uint8Array(MEGABYTES * 1e6).fill(1);
  const before = process.memoryUsage().arrayBuffers;
  release(bytes);
  expect(bytes.byteLength).toBe(0);
  await passed(100);
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(0.9 * MEGABYTES * 1e6);
});
