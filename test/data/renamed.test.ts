// Renames on a system that refuses them while a file is held, with that system's answers handed in.

import { expect, test } from 'vitest';
import { type RenameDeps, renameWithRetry } from '../../runtime/data/files/rename-retry.ts';

const refusal = (code: string): Error => Object.assign(new Error(`${code}: it is held`), { code });

/** Refuses as often as there are codes. */
function refusing(platform: NodeJS.Platform, ...codes: readonly string[]) {
  const left = [...codes];
  const done: string[] = [];
  let waited = 0;
  const how: RenameDeps = {
    platform,
    rename: async (from, to) => {
      const code = left.shift();
      if (code !== undefined) throw refusal(code);
      done.push(`${from} ${to}`);
    },
    wait: async milliseconds => {
      waited += milliseconds;
    },
  };
  return { how, done, waited: () => waited };
}

test('on Windows a file that somebody holds for a moment is tried again', async () => {
  const { how, done, waited } = refusing('win32', 'EPERM', 'EBUSY', 'EACCES');
  await renameWithRetry('a', 'b', how);
  expect(done).toEqual(['a b']);
  expect(waited()).toBeGreaterThan(0);
});

test('one that stays held is told after two seconds, with the reason', async () => {
  const { how, done, waited } = refusing('win32', ...Array<string>(20).fill('EPERM'));
  await expect(renameWithRetry('a', 'b', how)).rejects.toThrow('EPERM');
  expect(done).toEqual([]);
  expect(waited()).toBe(2000);
});

test('what no waiting mends, and what any other system says, is told at once', async () => {
  for (const [platform, code] of [
    ['win32', 'ENOENT'],
    ['linux', 'EPERM'],
    ['darwin', 'EBUSY'],
  ] as const) {
    const { how, waited } = refusing(platform, code);
    await expect(renameWithRetry('a', 'b', how)).rejects.toThrow(code);
    expect(waited()).toBe(0);
  }
});
