// In which order pictures are made for those who wait for them.

import { expect, test } from 'vitest';
import { type TrajectoryId, trajectoryId } from '../../../runtime/core/ids.ts';
import { DaemonFrameCache, type FrameSequence, Superseded } from '../../../runtime/server/frames/frames.ts';

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

test('what is wanted twice is made once, and is there at once afterwards', async () => {
  const { asked, finish, frames } = studio();
  const both = [frames.of(A), frames.of(A)];
  await finish();
  const [first, second] = await Promise.all(both);
  expect(first).toBe(second);
  expect(await frames.of(A)).toBe(first);
  expect(asked).toEqual(['a']);
});

test('one is made at a time, and what was asked for last comes next', async () => {
  const { asked, finish, frames } = studio();
  const all = [frames.of(A), frames.of(B), frames.of(C)];
  expect(asked).toEqual(['a']);
  for (let each = 0; each < 3; each++) await finish();
  await Promise.all(all);
  expect(asked).toEqual(['a', 'c', 'b']);
});

test('what nobody waits for any more is not made; who waits as well still gets it', async () => {
  const { asked, finish, frames } = studio();
  const given = new AbortController();
  const first = frames.of(A);
  const gone = frames.of(B, given.signal);
  const also = frames.of(C, given.signal);
  const stays = frames.of(C);
  given.abort();
  await expect(gone).rejects.toBeInstanceOf(Superseded);
  await expect(also).rejects.toBeInstanceOf(Superseded);
  await finish();
  await finish();
  await Promise.all([first, stays]);
  expect(asked).toEqual(['a', 'c']);
});

test('what could not be made is told to all who wait, and tried again when it is wanted again', async () => {
  const { asked, waiting, finish, frames } = studio();
  const both = [frames.of(A), frames.of(A)];
  waiting.shift()?.reject(new Error('no ink'));
  for (const each of both) await expect(each).rejects.toThrow('no ink');
  const again = frames.of(A);
  await finish();
  await again;
  expect(asked).toEqual(['a', 'a']);
});

test('what was looked at longest ago makes room', async () => {
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

test('what was begun is shown while the rest of it is made, and the next one waits until that is done', async () => {
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

test('what broke off in the middle is made again when it is wanted again', async () => {
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
