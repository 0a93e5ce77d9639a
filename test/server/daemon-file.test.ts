import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thisProcess } from '../../runtime/core/process-identity.ts';
import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import { findDaemon } from '../../runtime/protocol/daemon/find-daemon.ts';
import { publishDaemon, refuseSecond } from '../../runtime/server/daemon-file.ts';

const DAEMON: DaemonAddress = {
  pid: 4711,
  place: 'lab',
  boot: 'monday',
  began: '700',
  port: 8080,
  token: 'secret',
  version: 1,
  startedAt: 1_790_000_000_000,
};
const machine = { pid: 1, place: 'lab', boot: 'monday', began: '10' };
const alive = { ...machine, isAlive: () => true };
const dead = { ...machine, isAlive: () => false };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dartboard-discovery-'));
  file = join(folder, '.dartboard', 'daemon.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a published daemon is found, and only its owner can read the file', async () => {
  await publishDaemon(file, DAEMON);
  expect(await findDaemon(file, alive)).toEqual({ kind: 'running', daemon: DAEMON });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, '.dartboard')).sort()).toEqual(['.gitignore', 'daemon.json']);
});

test('its folder is ignored by git, and an existing .gitignore stays', async () => {
  await publishDaemon(file, DAEMON);
  const ignored = join(folder, '.dartboard', '.gitignore');
  const all = 'daemon.json*\nplay.json*\nmodel.json*\n';
  expect(readFileSync(ignored, 'utf8')).toBe(all);
  writeFileSync(ignored, 'daemon.json*\nplay.json*\n');
  await publishDaemon(file, DAEMON);
  expect(readFileSync(ignored, 'utf8'), 'one of an earlier version').toBe(all);
  writeFileSync(ignored, 'mine');
  await publishDaemon(file, DAEMON);
  expect(readFileSync(ignored, 'utf8')).toBe('mine');
});

test('the file is deleted when the daemon closes', async () => {
  const remove = await publishDaemon(file, DAEMON);
  await remove();
  expect(await findDaemon(file, alive)).toEqual({ kind: 'none' });
  await remove();
});

test('a server deletes its own file only: not that of another one with the same token', async () => {
  const withMore = { ...DAEMON, tinkerUrl: 'http://127.0.0.1:8081' };
  const remove = await publishDaemon(file, withMore);
  for (const other of [
    { ...DAEMON, pid: 4712 },
    { ...DAEMON, startedAt: DAEMON.startedAt + 1 },
  ]) {
    await publishDaemon(file, other);
    await remove();
    expect(await findDaemon(file, alive)).toEqual({ kind: 'running', daemon: other });
  }
  const removeAgain = await publishDaemon(file, withMore);
  await removeAgain();
  expect(await findDaemon(file, alive)).toEqual({ kind: 'none' });
});

test('the file of a daemon that ended is stale, and the next daemon replaces it', async () => {
  const remove = await publishDaemon(file, DAEMON);
  expect(await findDaemon(file, dead)).toEqual({ kind: 'stale', why: expect.stringContaining('4711') });
  const next = { ...DAEMON, pid: 4712, token: 'another' };
  await publishDaemon(file, next);
  expect(await findDaemon(file, alive)).toEqual({ kind: 'running', daemon: next });
  // Who was killed may still be tidying up.
  await remove();
  expect(await findDaemon(file, alive)).toEqual({ kind: 'running', daemon: next });
});

test('a second daemon is refused as long as the first one runs', async () => {
  await publishDaemon(file, DAEMON);
  await expect(refuseSecond(file, alive)).rejects.toThrow(/pid 4711, port 8080.*stop it/);
  await refuseSecond(file, dead);
  await refuseSecond(file, { ...alive, pid: 4711 });
  expect(await findDaemon(file, alive)).toEqual({ kind: 'running', daemon: DAEMON });
});

test.each(['{', '{}', JSON.stringify({ ...DAEMON, port: 0 })])('a file with %s is stale', async text => {
  await publishDaemon(file, DAEMON);
  writeFileSync(file, text);
  expect(await findDaemon(file, alive)).toMatchObject({ kind: 'stale', why: expect.stringContaining(file) });
});

test('a daemon of a later version, with a field that this one does not know, is found', async () => {
  await publishDaemon(file, DAEMON);
  writeFileSync(file, JSON.stringify({ ...DAEMON, extra: 1 }));
  expect(await findDaemon(file, alive)).toEqual({ kind: 'running', daemon: DAEMON });
});

test('this process is running, and a pid that never existed is not', async () => {
  const { pid, place, boot, began } = thisProcess();
  await publishDaemon(file, { ...DAEMON, pid, place, boot, began });
  expect(await findDaemon(file)).toMatchObject({ kind: 'running' });
  writeFileSync(file, JSON.stringify({ ...DAEMON, place, boot, began, pid: 0x7fff_fffe }));
  expect(await findDaemon(file)).toMatchObject({ kind: 'stale' });
});
