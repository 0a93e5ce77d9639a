import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameCache, MAX_CACHED_BYTES } from '../../../webview/shared/frame-cache.ts';
import type { DaemonLink } from '../../../webview/shared/link/link.ts';

const closed: number[] = [];
let size = { width: 0, height: 0 };
let created = 0;
const link = {
  requestBytes: async () => ({ bytes: new Uint8Array(0) }),
} as unknown as DaemonLink;

beforeEach(() => {
  closed.length = 0;
  created = 0;
  vi.stubGlobal('createImageBitmap', async () => {
    const number = created++;
    const bitmap = {
      ...size,
      close: () => {
        closed.push(number);
        Object.assign(bitmap, { width: 0, height: 0 });
      },
    };
    return bitmap;
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

async function fetched(cache: FrameCache, from: number, to: number): Promise<void> {
  for (let step = from; step < to; step++) await cache.get('t', step, false);
}

test.each([
  [1920, 1080],
  [320, 240],
])(
  'frames of %i × %i pixels are cached up to the limit in bytes, and the least recently used is closed',
  async (width, height) => {
    size = { width, height };
    const room = Math.floor(MAX_CACHED_BYTES / (4 * width * height));
    const cache = new FrameCache(() => link);
    await fetched(cache, 0, room);
    expect(closed).toEqual([]);
    cache.cached('t', 0);
    await fetched(cache, room, room + 2);
    expect(closed).toEqual([1, 2]);
    expect(cache.cached('t', 0)).toBeDefined();
    expect(cache.cached('t', 1)).toBeUndefined();
  },
);

test('the newest frame is kept, even one that is larger than the limit', async () => {
  size = { width: 8000, height: 8000 };
  const cache = new FrameCache(() => link);
  await fetched(cache, 0, 2);
  expect(closed).toEqual([0]);
  expect(cache.cached('t', 1)).toBeDefined();
});

test('a waiting request is dropped once all its callers have withdrawn', async () => {
  size = { width: 320, height: 240 };
  const requested: string[] = [];
  let reply: () => void = () => undefined;
  const replied = new Promise<void>(resolve => {
    reply = resolve;
  });
  const slow = {
    requestBytes: async (_: string, { trajectory, step }: { trajectory: string; step: number }) => {
      requested.push(`${trajectory} ${step}`);
      await replied;
      return { bytes: new Uint8Array(0) };
    },
  } as unknown as DaemonLink;
  const cache = new FrameCache(() => slow);
  const [one, other] = [new AbortController(), new AbortController()];
  const get = (step: number, by?: AbortController) => cache.get('waiting', step, false, by?.signal);
  const first = [0, 1, 2, 3].map(step => cache.get('first', step, false, one.signal));
  // Nobody needs steps 0 and 1 in the end.
  const withdrawn = Promise.allSettled([...first, get(0, one), get(1, one), get(1, other), get(2, one)]);
  const needed = get(2);
  one.abort();
  other.abort();
  reply();
  await needed;
  expect(new Set((await withdrawn).map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(requested).toEqual(['first 0', 'first 1', 'first 2', 'first 3', 'waiting 2']);
  await get(0);
  expect(requested.at(-1)).toBe('waiting 0');
});
