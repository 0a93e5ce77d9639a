import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { machineName, placeOf, processStatus, thisProcess } from '../../runtime/core/process-identity.ts';
import { PATIENCE } from '../patience.ts';

const identity = { pid: 70, place: 'lab', boot: 'monday', began: '700' };
const observer = {
  ...{ place: 'lab', boot: 'monday' },
  isAlive: (pid: number, began: string) => pid === 70 && ['', '700'].includes(began),
};

describe('the status of a process', () => {
  test.each([
    ['running: same pid and start time', {}, 'running'],
    ['running: same pid, unknown start time', { began: '' }, 'running'],
    ['ended: another process has its pid', { began: '699' }, 'ended'],
    ['ended: no process has its pid', { pid: 71 }, 'ended'],
    ['ended: the machine restarted', { boot: 'tuesday' }, 'ended'],
    ['elsewhere: another machine or container', { place: 'office' }, 'elsewhere'],
  ])('%s', (_, changes, status) => expect(processStatus({ ...identity, ...changes }, observer)).toBe(status));

  test('running, although the clock was set, if a boot is known only by its time', () => {
    const statusSince = (boot: string) =>
      processStatus({ ...identity, boot }, { ...observer, boot: '1790001800' });
    expect(['1790001799', '1790001500', '1790001200'].map(statusSince)).toEqual([
      ...['running', 'running', 'ended'],
    ]);
  });
});

describe('the name of a place', () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'dartboard-identity-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };

  test('differs between host names, machine ids and pid namespaces', () => {
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

  test('stays the same after a change of the host name, if it is stored in a file', () => {
    const home = join(folder(), '.dartboard');
    const name = machineName(home, 'ada.local');
    expect(name).toMatch(/^ada\.local [0-9a-f-]{36}$/);
    expect(machineName(home, 'ada.office')).toBe(name);
    expect(readdirSync(home)).toEqual(['machine']);
    expect(machineName(folder(), 'ada.local')).not.toBe(name);
  });

  test('is the host name alone if no file can be written', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(machineName(file, 'ada.local')).toBe('ada.local');
  });
});

describe('on this machine', () => {
  test.skipIf(process.platform !== 'linux')('the place begins with the host name', () => {
    expect(thisProcess().place).toMatch(/^\S+ [0-9a-f]{16}$/);
    expect(thisProcess().place.startsWith(`${hostname()} `)).toBe(true);
  });

  test('this process runs, and an ended one does not', () => {
    expect(processStatus(thisProcess(), thisProcess())).toBe('running');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(processStatus({ ...thisProcess(), pid, began: '' }, thisProcess())).toBe('ended');
  });

  test.skipIf(process.platform !== 'linux')('a later process with the same pid is another one', async () => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)']);
    const { pid } = other;
    if (pid === undefined) throw new Error('The process did not start.');
    const { isAlive, began } = thisProcess();
    expect(isAlive(pid, '')).toBe(true);
    expect(isAlive(pid, began)).toBe(false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(isAlive(pid, '')).toBe(false);
  });

  test.skipIf(process.platform !== 'linux')('a zombie process counts as ended', async () => {
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(line);
    onTestFinished(() => {
      process.kill(pid, 'SIGKILL');
      parent.kill('SIGKILL');
    });
    const fileOf = (id: number | undefined, name: string) => readFileSync(`/proc/${id}/${name}`, 'utf8');
    // A shell may collect the exit status of its child. `sleep` never does.
    await vi.waitFor(() => expect(fileOf(parent.pid, 'comm')).toBe('sleep\n'), PATIENCE);
    const began = fileOf(pid, 'stat').split(' ')[21] ?? '';
    const { isAlive } = thisProcess();
    expect(isAlive(pid, began)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(fileOf(pid, 'stat')).toContain(') Z '), PATIENCE);
    expect(isAlive(pid, began)).toBe(false);
  });
});
