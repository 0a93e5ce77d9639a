// The lock of a folder: one live holder at a time.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FolderInUseError, FolderLock } from '../../../runtime/data/files/lock.ts';
import { folder } from '../trajectories.ts';

/** A process of one machine on which these processes run. */
const machines = (alive: ReadonlySet<number>) => (pid: number) => ({
  ...{ pid, place: 'lab', boot: 'monday', began: '' },
  isAlive: (other: number) => alive.has(other),
});

/** The lock of a process of another machine. */
const OTHER = `${JSON.stringify({ pid: 2, place: 'a container', boot: 'monday', began: '', since: 5 })}\n`;

test('of several processes that find a stale lock, one takes it, and the others get an error with its name', async () => {
  for (let round = 0; round < 50; round++) {
    const file = join(folder(), 'lock');
    const machine = machines(new Set([1, 2, 3, 4]));
    // Some find it, and some find what cleared it was killed over that.
    await new FolderLock(file, 'it', machine(9)).take(0);
    if (round % 10 === 0) {
      writeFileSync(`${file}.clearing`, '');
      await utimes(`${file}.clearing`, new Date(0), new Date(0));
    }
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map(pid => new FolderLock(file, 'it', machine(pid)).take(1)),
    );
    const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
    expect(failures).toHaveLength(3);
    for (const failure of failures) expect(failure).toBeInstanceOf(FolderInUseError);
    expect([1, 2, 3, 4]).toContain(JSON.parse(readFileSync(file, 'utf8')).pid);
  }
});

test('an old empty lock file is stale', async () => {
  const file = join(folder(), 'lock');
  const lock = new FolderLock(file, 'it', machines(new Set([1]))(1));
  writeFileSync(file, '');
  await expect(lock.take(0)).rejects.toThrow('Another process is locking it');
  await utimes(file, new Date(0), new Date(0));
  await lock.take(0);
  expect(JSON.parse(readFileSync(file, 'utf8')).pid).toBe(1);
  await lock.release();
});

test('release does not remove the lock of another process', async () => {
  const file = join(folder(), 'lock');
  const machine = machines(new Set([1, 2]));
  const [one, other] = [new FolderLock(file, 'it', machine(1)), new FolderLock(file, 'it', machine(2))];
  await one.take(0);
  // Somebody took it for stale, and removed it by hand.
  writeFileSync(file, '{}');
  await other.take(5);
  await one.release();
  expect(existsSync(file)).toBe(true);
  await other.release();
  expect(existsSync(file)).toBe(false);
});

test('the error has the holder, the time and the next step', async () => {
  const file = join(folder(), 'lock');
  const machine = machines(new Set([1, 2]));
  await new FolderLock(file, 'this run', machine(1)).take(0);
  await expect(new FolderLock(file, 'this run', machine(2)).take(1)).rejects.toThrow(
    `The process 1 has held this run since 1970-01-01T00:00:00.000Z. Stop it, or delete '${file}'`,
  );
});

test('a remote holder is valid while it sends heartbeats', async () => {
  const file = join(folder(), 'lock');
  const here = machines(new Set([1]))(1);
  const there = { ...machines(new Set())(1), place: 'a container' };
  const [one, other] = [
    new FolderLock(file, 'this folder', there),
    new FolderLock(file, 'this folder', here),
  ];
  await one.take(0);
  await expect(other.take(1)).rejects.toThrow(/of another machine or container \(a container\).*in a minute/);
  expect(await other.isStale()).toBe(false);
  const silent = new Date(Date.now() - 61_000);
  await utimes(file, silent, silent);
  expect(await other.isStale()).toBe(true);
  await other.take(2);
  // Its own is another's now.
  await one.release();
  expect(JSON.parse(readFileSync(file, 'utf8')).place).toBe('lab');
  await other.release();
});

test('a holder sends heartbeats', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = join(folder(), 'lock');
  const lock = new FolderLock(file, 'it', machines(new Set([1]))(1));
  await lock.take(0);
  const silent = new Date(Date.now() - 61_000);
  await utimes(file, silent, silent);
  vi.advanceTimersByTime(30_000);
  await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(silent.getTime() + 1000);
  await lock.release();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [
    'another process takes',
    (file: string) => writeFileSync(file, OTHER),
    /belongs to the process 2 of 'a container' now/,
  ],
  ['somebody deletes', (file: string) => rmSync(file), /was deleted or overwritten/],
])(
  'a holder whose lock %s reports this once, touches nothing and releases nothing',
  async (_, lose, reason) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = join(folder(), 'lock');
    const losses: string[] = [];
    const lock = new FolderLock(file, 'this run', machines(new Set([1]))(1), text => losses.push(text));
    await lock.take(0);
    lose(file);
    const old = new Date(1000);
    if (existsSync(file)) await utimes(file, old, old);
    // Three heartbeats read the file at the same time.
    vi.advanceTimersByTime(30_000);
    await expect.poll(() => losses.length).toBeGreaterThan(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(losses).toEqual([expect.stringMatching(reason)]);
    await lock.release();
    if (existsSync(file))
      expect({ text: readFileSync(file, 'utf8'), at: statSync(file).mtimeMs }).toEqual({
        text: OTHER,
        at: 1000,
      });
  },
);
