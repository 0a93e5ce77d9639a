// In which order pictures are made for those who wait for them.

import { expect, test } from 'vitest';
import { type TrajectoryId, trajectoryId } from '../../../runtime/core/ids.ts';
import { DaemonFrameCache, type FrameSequence } from '../../../runtime/server/frames/frames.ts';

const [A, B, C] = ['a', 'b', 'c'].map(trajectoryId) as [TrajectoryId, TrajectoryId, TrajectoryId];

const film = (bytes: number): FrameSequence => ({
  pictures: [Promise.resolve({ image: new Uint8Array(bytes), elements: undefined })],
  doubt: undefined,
  reasons: Promise.resolve(undefined),
});

/** Made one after another, each as soon as the test says so. */
function studio(mostBytes = 1000) {
  const asked: string[] = [];
  const waiting: {
    readonly resolve: (film: FrameSequence) => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  const make = (id: TrajectoryId): Promise<FrameSequence> => {
    asked.push(id);
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  const finish = async (bytes = 10): Promise<void> => {
    waiting.shift()?.resolve(film(bytes));
    await new Promise(resolve => setImmediate(resolve));
  };
  return { asked, waiting, finish, frames: new DaemonFrameCache(make, mostBytes) };
}

test('two requests for a trajectory share its pictures, and later ones get them at once', async () => {
  const { asked, finish, frames } = studio();
  const both = [frames.of(A), frames.of(A)];
  await finish();
  const [first, second] = await Promise.all(both);
  expect(first).toBe(second);
  expect(await frames.of(A)).toBe(first);
  expect(asked).toEqual(['a']);
});

test('one trajectory is made at a time, and the latest request comes next', async () => {
  const { asked, finish, frames } = studio();
  const all = [frames.of(A), frames.of(B), frames.of(C)];
  expect(asked).toEqual(['a']);
  for (let each = 0; each < 3; each++) await finish();
  await Promise.all(all);
  expect(asked).toEqual(['a', 'c', 'b']);
});

test('a failure rejects all waiting requests, and a later request tries again', async () => {
  const { asked, waiting, finish, frames } = studio();
  const both = [frames.of(A), frames.of(A)];
  waiting.shift()?.reject(new Error('no ink'));
  for (const each of both) await expect(each).rejects.toThrow('no ink');
  const again = frames.of(A);
  await finish();
  await again;
  expect(asked).toEqual(['a', 'a']);
});

test('the least recently used trajectory is evicted', async () => {
  const { asked, finish, frames } = studio(25);
  const look = async (id: TrajectoryId) => {
    const before = asked.length;
    const wanted = frames.of(id);
    if (asked.length > before) await finish(10);
    await wanted;
  };
  for (const id of [A, B, A, C, A, B]) await look(id);
  expect(asked).toEqual(['a', 'b', 'c', 'b']);
});

test('the first pictures are available while the rest is made, and the next trajectory waits', async () => {
  const { asked, waiting, frames } = studio();
  const [first, then] = [frames.of(A), frames.of(B)];
  let finish: (words: string) => void = () => undefined;
  const reasons = new Promise<string>(resolve => {
    finish = resolve;
  });
  const begun = { ...film(10), reasons };
  waiting.shift()?.resolve(begun);
  expect(await first).toBe(begun);
  expect(await frames.of(A)).toBe(begun);
  expect(asked).toEqual(['a']);
  finish('done');
  await new Promise(resolve => setImmediate(resolve));
  expect(asked).toEqual(['a', 'b']);
  waiting.shift()?.resolve(film(10));
  await then;
});

test('a trajectory that failed halfway is made again on request', async () => {
  const { asked, waiting, finish, frames } = studio();
  const first = frames.of(A);
  const broken = Promise.reject(new Error('no ink'));
  broken.catch(() => undefined);
  waiting.shift()?.resolve({ ...film(10), pictures: [...film(10).pictures, broken] });
  await expect((await first).pictures[1]).rejects.toThrow('no ink');
  await new Promise(resolve => setImmediate(resolve));
  const again = frames.of(A);
  await finish();
  expect((await again).pictures).toHaveLength(1);
  expect(asked).toEqual(['a', 'a']);
});
