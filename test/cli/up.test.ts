// `dartboard up` with a real nats-server.

import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../runtime/cli/program.ts';
import { resolve } from '../../runtime/config/config.ts';
import { CONFIG_FILE, readConfig } from '../../runtime/config/config-file.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { connectTo } from '../../runtime/fabric/nats/connection.ts';
import { daemonAccess, readCredentials } from '../../runtime/fabric/nats/credentials.ts';
import { temporaryFolder } from '../temporary.ts';
import { contextWithoutProcesses } from './command-context.ts';

/** `stop` is Ctrl-C; it resolves with the exit code. */
function up(args: readonly string[], folder = temporaryFolder('up')) {
  const { context, output, errors } = contextWithoutProcesses();
  const stopping = new AbortController();
  const ended = runProgram({ ...context, folder, clock: systemClock, stopSignal: () => stopping.signal }, [
    'up',
    ...args,
  ]);
  const stop = () => {
    stopping.abort();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  return {
    ...{ folder, errors, ended, stop },
    /** The settings that it prints, once it has started. */
    async settings(): Promise<unknown> {
      await expect.poll(() => errors.length > 0 || output.text.includes('Ctrl-C')).toBe(true);
      if (errors.length > 0) throw new Error(errors.join('\n'));
      return JSON.parse(`{${/"fabric": \{[^}]*\}/s.exec(output.text)?.[0] ?? ''}}`);
    },
  };
}

/** How a daemon connects whose workspace has the settings. */
async function accessWith(settings: unknown, folder: string) {
  await writeFile(join(folder, CONFIG_FILE), JSON.stringify(settings));
  const { fabric } = resolve(await readConfig(join(folder, CONFIG_FILE))).config;
  const credentials = await readCredentials(join(folder, fabric.credentials ?? ''));
  return { fabric, credentials, access: daemonAccess(fabric.servers, credentials) };
}

async function reach(access: Parameters<typeof connectTo>[0]): Promise<void> {
  const connection = await connectTo(access, 'test');
  await connection.flush();
  await connection.close();
}

test('the printed settings connect a daemon, nobody else enters, and Ctrl-C stops the server', async () => {
  const running = up(['--listen', '127.0.0.1:0']);
  const { access, fabric, credentials } = await accessWith(await running.settings(), running.folder);
  expect(fabric).toMatchObject({ kind: 'nats', listen: '127.0.0.1:7422' });
  expect(credentials.tls).toBeUndefined();
  await reach(access);
  await expect(reach({ servers: access.servers })).rejects.toThrow(/Authorization/);
  expect(await running.stop()).toBe(0);
  await expect(reach(access)).rejects.toThrow();
});

test('its files are for their owner alone, and version control ignores them', async () => {
  const { folder, settings } = up(['--listen', '127.0.0.1:0']);
  await settings();
  const secrets = join(folder, '.dartboard', 'nats');
  expect(await readFile(join(secrets, '.gitignore'), 'utf8')).toBe('*\n');
  if (process.platform === 'win32') return;
  expect((await stat(secrets)).mode & 0o777).toBe(0o700);
  for (const name of ['credentials.json', 'accounts.json', 'server.conf'])
    expect((await stat(join(secrets, name))).mode & 0o777, name).toBe(0o600);
});

test('after a restart, credentials that were read before are still valid', async () => {
  const first = up(['--listen', '127.0.0.1:0', '--tls']);
  const before = await accessWith(await first.settings(), first.folder);
  await first.stop();
  const second = up(['--listen', '127.0.0.1:0', '--tls'], first.folder);
  const after = await accessWith(await second.settings(), first.folder);
  expect(after.credentials.ca).toBe(before.credentials.ca);
  await reach({ ...before.access, servers: after.access.servers });
});

test('a server that other machines reach is encrypted, with a certificate for all addresses of this machine', async () => {
  const { folder, settings } = up(['--listen', '0.0.0.0:0', '--names', 'tower.example']);
  const { access, credentials } = await accessWith(await settings(), folder);
  const [server = ''] = access.servers;
  expect(server).toMatch(/^tls:/);
  expect(credentials.tls).toBeDefined();
  const local = server.replace(/\/\/.*:/, '//127.0.0.1:');
  await reach({ ...access, servers: [local] });
  const { ca: _, ...blind } = access;
  await expect(reach({ ...blind, servers: [local] })).rejects.toThrow();
});

test('a second one in the folder is refused, and the first one goes on', async () => {
  const first = up(['--listen', '127.0.0.1:0']);
  const { access } = await accessWith(await first.settings(), first.folder);
  const second = up(['--listen', '127.0.0.1:0'], first.folder);
  expect(await second.ended).toBe(1);
  expect(second.errors.join()).toMatch(/of this folder runs already/);
  await reach(access);
});

test('it ends with an error when its server ends', async () => {
  const { folder, settings, ended, errors } = up(['--listen', '127.0.0.1:0']);
  await settings();
  process.kill(Number(await readFile(join(folder, '.dartboard', 'nats', 'server.pid'), 'utf8')), 'SIGKILL');
  expect(await ended).toBe(1);
  expect(errors.join()).toMatch(/nats-server ended/);
});

test('a port that another program uses is reported, with what to do', async () => {
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const { ended, errors } = up(['--listen', `127.0.0.1:${port}`]);
  expect(await ended).toBe(1);
  expect(errors.join()).toMatch(/address already in use.*--listen/);
});

test.each([
  [['--server', '/nowhere/nats-server'], /no nats-server at '\/nowhere\/nats-server'.*--server/],
  [['--listen', '4222'], /192\.168\.1\.5/],
  [['--names', 'a b'], /tower\.lan/],
])('%j is refused', async (args, message) => {
  const { ended, errors } = up(args);
  expect(await ended).toBe(1);
  expect(errors.join('\n')).toMatch(message);
});
