// A Docker engine behind a real ssh server: an sshd of this test on a port of this machine, with keys of its own, and the program ssh.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { parseAddress } from '../../../runtime/environments/docker/address.ts';
import { openHost } from '../../../runtime/environments/docker/host.ts';
import { freePort } from '../../free-port.ts';
import { temporaryFolder } from '../../temporary.ts';
import { describeUnless, missingEngine } from './engine.ts';
import { answering } from './fake-engine.ts';
import { localAddress, outputOf, SLOW, testSpec, until } from './test-engine.ts';

const SSHD = '/usr/sbin/sshd';
const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined;
const missing =
  existsSync(SSHD) && !isMissing('ssh') && !isMissing('docker')
    ? undefined
    : "It needs sshd, ssh and the client of Docker: 'apt-get install openssh-server openssh-client docker.io' as root on Debian.";

function makeKey(file: string): string {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  return file;
}

/** A server whose sessions find the engine at this socket, and a program ssh that knows it. */
async function sshTo(socket: string) {
  const folder = temporaryFolder('sshd');
  const [hostKey, userKey] = [makeKey(join(folder, 'host')), makeKey(join(folder, 'user'))];
  const port = await freePort();
  // Only a server of root needs it.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const file = (name: string, ...lines: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const serverConfig = file(
    'sshd_config',
    ...['ListenAddress 127.0.0.1', `Port ${port}`, `HostKey ${hostKey}`, `AuthorizedKeysFile ${userKey}.pub`],
    ...['PidFile none', 'UsePAM no', 'PasswordAuthentication no', 'PermitRootLogin prohibit-password'],
    // The folder of temporary files belongs to everybody.
    'StrictModes no',
    `SetEnv DOCKER_HOST=unix://${socket} PATH=${process.env['PATH']}`,
  );
  const knownHosts = file('known_hosts');
  const clientConfig = file(
    'ssh_config',
    ...[`IdentityFile ${userKey}`, 'IdentitiesOnly yes', `UserKnownHostsFile ${knownHosts}`],
    ...['GlobalKnownHostsFile none', 'StrictHostKeyChecking yes'],
  );
  const publicKey = execFileSync('cut', ['-d', ' ', '-f', '1,2', `${hostKey}.pub`], { encoding: 'utf8' });
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${publicKey}`);
  const real = execFileSync('sh', ['-c', 'command -v ssh'], { encoding: 'utf8' }).trim();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec ${real} -F ${clientConfig} "$@"\n`);
  chmodSync(join(bin, 'ssh'), 0o755);
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());

  const server = spawn(SSHD, ['-D', '-e', '-f', serverConfig], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'close');
  let said = '';
  server.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const stop = async () => {
    server.kill('SIGKILL');
    await ended;
  };
  onTestFinished(stop);
  await until(() => {
    if (server.exitCode !== null) throw new Error(`sshd ended: ${said}`);
    return said.includes('Server listening');
  }, SLOW);
  // No deadline passes: a login takes long on a busy machine.
  const address = parseAddress(`ssh://${userInfo().username}@127.0.0.1:${port}`);
  const host = await openHost(address, new VirtualClock(), 'lab');
  onTestFinished(() => host.close());
  return { host, knownHosts, userKey, stop };
}

describeUnless(missing, 'an engine behind a real ssh server', () => {
  const answers = { 'GET /containers/json': () => [] };

  test('is asked through the login of the user', async () => {
    const engine = await answering(answers);
    const { host } = await sshTo(engine.path);
    expect(await host.list({})).toEqual([]);
    expect(engine.received).toContain('GET /containers/json');
  });

  test('is not asked if the server is unknown, or does not know the user, or is gone', async () => {
    const engine = await answering(answers);
    const refused = (why: RegExp) => ({
      failure: { thing: 'engine lab', message: expect.stringMatching(why) },
    });
    const unknown = await sshTo(engine.path);
    writeFileSync(unknown.knownHosts, '');
    await expect(unknown.host.list({})).rejects.toMatchObject(refused(/Host key verification failed/));
    const stranger = await sshTo(engine.path);
    writeFileSync(`${stranger.userKey}.pub`, '');
    await expect(stranger.host.list({})).rejects.toMatchObject(refused(/Permission denied/));
    const gone = await sshTo(engine.path);
    await gone.stop();
    await expect(gone.host.list({})).rejects.toMatchObject(refused(/Connection refused/));
    expect(engine.received).toEqual([]);
  });

  describe.skipIf(missingEngine !== undefined || localAddress.kind !== 'socket')('that is real', () => {
    test('runs containers, streams both ways, and opens ten connections at once', async () => {
      const { host } = await sshTo(localAddress.kind === 'socket' ? localAddress.path : '');
      const mark = `ssh-test-${randomBytes(4).toString('hex')}`;
      const id = await host.create(testSpec({ name: mark, labels: { 'dartboard.helper': mark } }));
      onTestFinished(() => host.remove(id));
      const talk = await host.exec(id, ['sh', '-c', 'cat; echo wrong >&2; exit 7']);
      const output = outputOf(talk);
      const sent = randomBytes(100_000).toString('hex');
      talk.write(Buffer.from(sent));
      talk.end();
      expect(await talk.closed).toBe(7);
      expect(output()).toBe(sent);
      const outputs = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const echo = await host.exec(id, ['echo', String(index)]);
          const text = outputOf(echo);
          await echo.closed;
          return text();
        }),
      );
      expect(outputs).toEqual(Array.from({ length: 10 }, (_, index) => `${index}\n`));
    });
  });
});
