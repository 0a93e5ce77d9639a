import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer as createSilent } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { type EngineAddress, parseAddress } from '../../../runtime/environments/docker/address.ts';
import { type DockerHost, type HostEvent, openHost } from '../../../runtime/environments/docker/host.ts';
import { sshArguments } from '../../../runtime/environments/docker/ssh.ts';
import { transportTo } from '../../../runtime/environments/docker/transport.ts';
import { bundled } from '../../bundle-entry.ts';
import { describeUnless, missingEngine } from './engine.ts';
import { localAddress, outputOf, SLOW, testSpec, until } from './test-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'dartboard-transport-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = process.env['PATH'];
/** Puts a fake ssh first in the PATH. */
const fakeSsh = (script: string) => {
  const file = join(folder, 'ssh');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  process.env['PATH'] = `${folder}:${path}`;
};
afterEach(() => {
  process.env['PATH'] = path;
});

const lab = parseAddress('ssh://ada@lab:2222');
const opened: DockerHost[] = [];
const open = async (address: EngineAddress) => {
  const host = await openHost(address, systemClock, 'lab');
  opened.push(host);
  return host;
};
afterEach(() => {
  for (const host of opened.splice(0)) host.close();
});

test('an agent is short when formatted, because dockerode formats it before each request', async () => {
  const local: EngineAddress = { kind: 'socket', path: join(folder, 'none') };
  for (const address of [local, lab, parseAddress('tcp://lab:2375')]) {
    const { agent } = await transportTo(address);
    expect(inspect({ agent }, { showHidden: true, depth: null }).length).toBeLessThan(40);
  }
});

describe('an engine by ssh', () => {
  test('ssh runs in batch mode, and cannot take the destination for an option', () => {
    if (lab.kind !== 'ssh') throw new Error('no ssh');
    const found = sshArguments(lab);
    expect(found).toContain('BatchMode=yes');
    expect(found.slice(-5)).toEqual(['-p', '2222', '--', 'ada@lab', 'docker system dial-stdio']);
  });

  test('the error output of ssh is in the error', async () => {
    fakeSsh("echo 'ada@lab: Permission denied (publickey).' >&2; exit 255");
    await expect((await open(lab)).list({})).rejects.toMatchObject({
      failure: {
        boundary: 'provider',
        thing: 'engine lab',
        message: expect.stringMatching(/^list containers: .*ada@lab.*Permission denied/),
      },
    });
  });

  test('an aborted request in the queue gets no connection', async () => {
    fakeSsh(`echo started >> ${join(folder, 'started')}; sleep 60`);
    const clock = new VirtualClock();
    const host = await openHost(lab, clock, 'lab');
    opened.push(host);
    const started = () => readFileSync(join(folder, 'started'), 'utf8').match(/started/g)?.length;
    const calls = [
      ...Array.from({ length: 4 }, () => host.remove('one')),
      ...Array.from({ length: 3 }, () => host.list({})),
    ].map(calls => expect(calls).rejects.toThrow('did not finish within'));
    await until(() => existsSync(join(folder, 'started')) && started() === 4);
    await clock.run(60_000);
    await Promise.all(calls);
    const next = host.list({}).catch(() => {});
    await until(() => (started() ?? 0) > 4);
    expect(started()).toBe(5);
    await clock.run(clock.now() + 10_000);
    await next;
  });

  test('a missing ssh is named in the error', async () => {
    process.env['PATH'] = folder;
    rmSync(join(folder, 'ssh'), { force: true });
    await expect((await open(lab)).list({})).rejects.toThrow(
      'cannot start the program ssh: spawn ssh ENOENT',
    );
  });

  test.skipIf(process.platform === 'win32')(
    'without a free file descriptor each request fails, and the process goes on',
    async () => {
      const entry = await bundled(new URL('ssh-no-descriptors.ts', import.meta.url));
      const limited = `ulimit -n 64; exec '${process.execPath}' '${entry.pathname}'`;
      const { stdout } = spawnSync('sh', ['-c', limited], { encoding: 'utf8' });
      const error = "Cannot open the pipes of the program 'ssh'. Check the limit of open files (ulimit -n).";
      expect(stdout.trim().split('\n')).toEqual([...Array(6).fill(error), 'went on']);
    },
  );
});

describeUnless(missingEngine, 'a real engine', () => {
  const mark = `transport-test-${randomBytes(4).toString('hex')}`;
  const labels = { dartboard: '1', 'dartboard.helper': mark };
  let local: DockerHost;
  let id: string;

  beforeAll(async () => {
    local = await openHost(localAddress, systemClock, 'here');
    const name = `${mark}-main`;
    id = await local.create(testSpec({ name, labels }));
  }, SLOW);

  afterAll(async () => {
    for (const { id } of await local.list(labels)) await local.remove(id);
    local.close();
  }, SLOW);

  /** Checks data in both directions, the end of input, and the exit code. */
  const talks = async (host: DockerHost) => {
    const process = await host.exec(id, ['sh', '-c', 'cat; echo wrong >&2; exit 7']);
    const output = outputOf(process);
    const sent = randomBytes(100_000).toString('hex');
    process.write(Buffer.from(sent));
    process.end();
    expect(await process.closed).toBe(7);
    expect(output()).toBe(sent);
  };

  // Runs the remote command on this machine.
  const HERE = 'for last; do :; done; exec $last';
  const hasClient = spawnSync('docker', ['--version']).status === 0;

  describe.skipIf(!hasClient)('by ssh', () => {
    test('lists containers and streams to processes', async () => {
      fakeSsh(HERE);
      const host = await open(lab);
      expect(await host.list(labels)).toHaveLength(1);
      await talks(host);
    });

    test('opens many connections at once', async () => {
      fakeSsh(HERE);
      const host = await open(lab);
      const all = await Promise.all(Array.from({ length: 10 }, () => host.exec(id, ['echo', 'fine'])));
      const outputs = await Promise.all(
        all.map(async process => {
          const output = outputOf(process);
          await process.closed;
          return output();
        }),
      );
      expect(outputs).toEqual(Array.from({ length: 10 }, () => 'fine\n'));
    });

    test('a broken connection ends its process, and the events reconnect', async () => {
      fakeSsh(`echo $$ >> ${join(folder, 'pids')}; ${HERE}`);
      const host = await open(lab);
      const events: HostEvent['kind'][] = [];
      const stop = new AbortController();
      const over = host.events(({ kind }) => events.push(kind), stop.signal);
      const process_ = await host.exec(id, ['cat']);
      await until(() => events.includes('here'));
      for (const pid of readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n')) {
        try {
          process.kill(Number(pid), 'SIGKILL');
        } catch {
          // The connection had already ended.
        }
      }
      await process_.closed;
      await until(() => /here( lost)+ here/.test(events.join(' ')));
      stop.abort();
      await over;
    });
  });

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)(
    'by TLS with certificates on both sides',
    async () => {
      const file = (name: string) => join(folder, `${name}.pem`);
      const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=lab'];
      const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', file('key'), '-out', file('cert')];
      execFileSync('openssl', [...request, ...names], { stdio: 'ignore' });
      writeFileSync(file('ca'), readFileSync(file('cert')));
      const [key, cert] = [readFileSync(file('key')), readFileSync(file('cert'))];
      if (localAddress.kind !== 'socket') return;
      const engine = localAddress.path;
      const certificates = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true };
      const server = createServer({ ...certificates, allowHalfOpen: true }, incoming => {
        const outgoing = connect({ path: engine, allowHalfOpen: true });
        incoming.on('error', () => outgoing.destroy());
        outgoing.on('error', () => incoming.destroy());
        incoming.pipe(outgoing).pipe(incoming);
      });
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await talks(await open(parseAddress(`tcp://127.0.0.1:${port}`, folder)));
      await expect((await open(parseAddress(`tcp://127.0.0.1:${port}`))).list({})).rejects.toThrow(
        'list containers',
      );
      server.close();
    },
  );
});

test('missing certificates are an error before any connection', async () => {
  await expect(openHost(parseAddress('tcp://lab', '/no/such/folder'), systemClock)).rejects.toThrow(
    "The certificates in '/no/such/folder' cannot be read",
  );
});

test('an engine that does not answer is an error with its name', async () => {
  const silent = createSilent();
  await new Promise<void>(resolve => silent.listen(join(folder, 'silent.sock'), resolve));
  const clock = new VirtualClock();
  const host = await openHost({ kind: 'socket', path: join(folder, 'silent.sock') }, clock, 'lab');
  opened.push(host);
  const refused = expect(host.list({})).rejects.toMatchObject({
    failure: {
      boundary: 'provider',
      thing: 'engine lab',
      message: expect.stringContaining('list containers did not finish within 10 s'),
    },
  });
  await clock.run(10_000);
  await refused;
  silent.close();
});
