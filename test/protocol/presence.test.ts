// Whether a process is still there that left its name behind.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { placeKept, placeOf, thisMachine, whereabouts } from '../../runtime/protocol/presence.ts';

const monday = { pid: 1, place: 'lab', boot: 'monday', began: '10' };
const machine = {
  ...monday,
  isAlive: (pid: number, began: string) => pid === 70 && ['', '700'].includes(began),
};

describe('a process', () => {
  test.each([
    ['is there by its number and when it began', { pid: 70, began: '700' }, 'there'],
    ['is there by its number alone, where nobody knows when it began', { pid: 70, began: '' }, 'there'],
    ['is gone where another has its number', { pid: 70, began: '699' }, 'gone'],
    ['is gone where none has it', { pid: 71, began: '700' }, 'gone'],
    ['is gone since the machine was started again', { pid: 70, began: '700', boot: 'tuesday' }, 'gone'],
    ['of another place is not seen from here', { pid: 70, began: '700', place: 'office' }, 'elsewhere'],
  ])('%s', (_, one, is) => expect(whereabouts({ ...monday, ...one }, machine)).toBe(is));

  test('is there though the clock was set a little, where a start is known by its time', () => {
    const since = (boot: string) =>
      whereabouts({ ...monday, pid: 70, began: '', boot }, { ...machine, boot: '1790001800' });
    expect(['1790001799', '1790001500', '1790001200'].map(since)).toEqual(['there', 'there', 'gone']);
  });
});

describe('a place', () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'dartboard-presence-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };

  test('is another for a machine of the same name, a container of the same image, and processes of their own', () => {
    const places = [
      placeOf('ubuntu', 'a', 'pid:[1]'),
      placeOf('ubuntu', 'b', 'pid:[1]'),
      placeOf('ubuntu', 'a', 'pid:[2]'),
      placeOf('lab', 'a', 'pid:[1]'),
    ];
    expect(new Set(places).size).toBe(4);
    expect(placeOf('ubuntu', 'a', 'pid:[1]')).toBe(places[0]);
    expect(places.map(place => place.split(' ')[0])).toEqual(['ubuntu', 'ubuntu', 'ubuntu', 'lab']);
  });

  test('that is kept stays the same under another name of the machine, and is another elsewhere', () => {
    const home = folder();
    const kept = placeKept(join(home, '.dartboard'), 'ada.local');
    expect(kept).toMatch(/^ada\.local [0-9a-f-]{36}$/);
    expect(placeKept(join(home, '.dartboard'), 'ada.office')).toBe(kept);
    expect(readdirSync(join(home, '.dartboard'))).toEqual(['machine']);
    expect(placeKept(folder(), 'ada.local')).not.toBe(kept);
  });

  test('is the name alone where nothing can be kept', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(placeKept(file, 'ada.local')).toBe('ada.local');
  });
});

describe('on this machine', () => {
  test.skipIf(process.platform !== 'linux')('the place says first what people call it', () => {
    expect(thisMachine.place).toMatch(/^\S+ [0-9a-f]{16}$/);
    expect(thisMachine.place.startsWith(`${hostname()} `)).toBe(true);
  });

  test('this process is there, and one that ended is not', () => {
    expect(whereabouts(thisMachine, thisMachine)).toBe('there');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(whereabouts({ ...thisMachine, pid, began: '' }, thisMachine)).toBe('gone');
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
