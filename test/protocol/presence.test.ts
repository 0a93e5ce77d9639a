// Whether a process is still there that left its name behind.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { isThere, thisMachine } from '../../runtime/protocol/presence.ts';

const monday = { pid: 1, boot: 'monday', began: '10' };
const machine = {
  ...monday,
  isAlive: (pid: number, began: string) => pid === 70 && ['', '700'].includes(began),
};

describe('a process is there', () => {
  test.each([
    ['by its number and when it began', { pid: 70, began: '700' }, true],
    ['by its number alone, where nobody knows when it began', { pid: 70, began: '' }, true],
    ['unless another has its number', { pid: 70, began: '699' }, false],
    ['unless it is gone', { pid: 71, began: '700' }, false],
    ['unless the machine was started again', { pid: 70, began: '700', boot: 'tuesday' }, false],
  ])('%s', (_, one, is) => expect(isThere({ ...monday, ...one }, machine)).toBe(is));

  test('though the clock was set a little, where a start is known by its time', () => {
    const since = (boot: string) => isThere({ pid: 70, began: '', boot }, { ...machine, boot: '1790001800' });
    expect(['1790001799', '1790001500', '1790001200'].map(since)).toEqual([true, true, false]);
  });
});

describe('on this machine', () => {
  test('this process is there, and one that ended is not', () => {
    expect(isThere(thisMachine, thisMachine)).toBe(true);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(isThere({ ...thisMachine, pid, began: '' }, thisMachine)).toBe(false);
  });

  test.skipIf(process.platform !== 'linux')('a later process with its number is told apart', async () => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    const { pid = 0 } = other;
    expect(thisMachine.isAlive(pid, '')).toBe(true);
    expect(thisMachine.isAlive(pid, thisMachine.began)).toBe(false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(thisMachine.isAlive(pid, '')).toBe(false);
  });
});
