// Renames of locked files on Windows, with injected errors.

import { expect, test } from 'vitest';
import { type RenameDeps, renameWithRetry } from '../../runtime/data/files/rename-retry.ts';

const refusal = (code: string): Error => Object.assign(new Error(`${code}: it is held`), { code });

/** Fails once per code. */
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

test('on Windows, renaming a locked file is retried', async () => {
  const { how, done, waited } = refusing('win32', 'EPERM', 'EBUSY', 'EACCES');
  await renameWithRetry('a', 'b', how);
  expect(done).toEqual(['a b']);
  expect(waited()).toBeGreaterThan(0);
});

test('a file that stays locked rejects after two seconds, with the cause', async () => {
  const { how, done, waited } = refusing('win32', ...Array<string>(20).fill('EPERM'));
  await expect(renameWithRetry('a', 'b', how)).rejects.toThrow('EPERM');
  expect(done).toEqual([]);
  expect(waited()).toBe(2000);
});

test('permanent errors, and all errors of other systems, reject at once', async () => {
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
