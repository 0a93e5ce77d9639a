import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { containerSpec, DEFAULT_LIMITS } from '../../../runtime/environments/docker/container-spec.ts';
import { type DockerHost, type HostEvent, openHost } from '../../../runtime/environments/docker/host.ts';
import { describeUnless, missingEngine } from './engine.ts';
import { localAddress, outputOf, SLOW, testSpec, until } from './test-engine.ts';

describe('the options of a container', () => {
  const spec = containerSpec({ name: 'one', image: 'image', labels: { dartboard: '1' } });

  test('has no unneeded rights', () => {
    expect(spec).toMatchObject({
      User: '1000:1000',
      HostConfig: {
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        ReadonlyRootfs: true,
        NetworkMode: 'none',
        IpcMode: 'private',
        Init: false,
        AutoRemove: true,
        LogConfig: { Type: 'none' },
      },
    });
  });

  test('has the requested screen, by default that of its image', () => {
    const options = { name: 'one', image: 'image', labels: {} };
    expect(containerSpec({ ...options, screen: '1280x720' }).Env).toEqual(['DARTBOARD_SCREEN=1280x720']);
    expect(containerSpec(options).Env).toBeUndefined();
  });

  test('has the requested limits and no swap', () => {
    const { HostConfig } = containerSpec({
      ...{ name: 'one', image: 'image', labels: {} },
      limits: { ...DEFAULT_LIMITS, memory: 256, processors: 0.5, processes: 50 },
    });
    expect(HostConfig).toMatchObject({ Memory: 2 ** 28, MemorySwap: 2 ** 28, NanoCpus: 5e8, PidsLimit: 50 });
  });
});

describeUnless(missingEngine, 'from inside a container', () => {
  const mark = `container-test-${randomBytes(4).toString('hex')}`;
  const labels = { dartboard: '1', 'dartboard.helper': mark };
  const limits = { ...DEFAULT_LIMITS, memory: 64, processes: 40 };
  const create = (name: string) => host.create(testSpec({ name: `${mark}-${name}`, labels, limits }));
  /** The output and the exit code of a shell command. */
  const runLine = async (line: string, container = id) => {
    const process = await host.exec(container, ['sh', '-c', `{ ${line}\n} 2>&1`]);
    const output = outputOf(process);
    process.end();
    return { code: await process.closed, text: output().trim() };
  };
  let host: DockerHost;
  let id: string;

  beforeAll(async () => {
    host = await openHost(localAddress, systemClock, 'here');
    id = await create('main');
  }, SLOW);

  afterAll(async () => {
    for (const { id } of await host.list(labels)) await host.remove(id);
    host.close();
  }, SLOW);

  test('there are no capabilities, and no way to get one', async () => {
    const { text } = await runLine("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr '\\t' ' '");
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(text).toContain(`${set}: 0000000000000000`);
    expect(text).toContain('NoNewPrivs: 1');
    expect(text).toContain('Seccomp: 2');
  });

  test('the user is unprivileged and cannot become root', async () => {
    expect((await runLine('id -u; id -g')).text).toBe('1000\n1000');
    expect((await runLine('su -c true')).code).not.toBe(0);
  });

  test('only home, /tmp and shared memory are writable, up to their limits', async () => {
    for (const path of ['/x', '/usr/bin/x', '/etc/x', '/var/tmp/x', '/opt/x'])
      expect((await runLine(`: > ${path}`)).text).toMatch(
        /Read-only file system|Permission denied|cannot create/,
      );
    for (const path of ['/tmp/x', '/home/desktop/x', '/dev/shm/x'])
      expect(await runLine(`echo fine > ${path} && cat ${path}`)).toMatchObject({ code: 0, text: 'fine' });
    const { text } = await runLine(
      'df -m /tmp /home/desktop | tail -n 2 | while read -r _ size _; do echo $size; done',
    );
    expect(text).toBe('128\n128');
  });

  test('there is only the loopback network', async () => {
    const { text } = await runLine('ls /sys/class/net');
    expect(text.split(/\s+/).filter(name => !/^(lo|tunl0|sit0|ip6tnl0|gre.*|erspan.*)$/.test(name))).toEqual(
      [],
    );
    expect((await runLine('cat /proc/net/route | tail -n +2')).text).toBe('');
    const connect = (to: string) => runLine(`timeout 2 bash -c ': > /dev/tcp/${to}'`);
    expect((await connect('172.17.0.1/22')).text).toMatch(/unreachable|refused|invalid/i);
    expect((await connect('1.1.1.1/53')).text).toMatch(/unreachable/i);
  });

  test('neither the host nor another desktop is visible', async () => {
    const other = await create('other');
    await runLine('echo secret > /tmp/secret; sleep 61 & sleep 0.2', other);
    expect((await runLine('ls /tmp /home/desktop /dev/shm')).text).not.toContain('secret');
    expect((await runLine('cat /proc/[0-9]*/cmdline | tr "\\0" " "')).text).not.toContain('sleep 61');
    expect((await runLine('ls /var/run/docker.sock /run/docker.sock')).code).not.toBe(0);
    // A pid namespace: only a few processes are visible.
    expect(Number((await runLine('ls -d /proc/[0-9]* | wc -l')).text)).toBeLessThan(10);
    await host.remove(other);
  });

  test('a fork bomb stays within the limit, and the container survives', async () => {
    const bombed = await create('bombed');
    const { text } = await runLine('i=0; while [ $i -lt 100 ]; do sleep 3 & i=$((i+1)); done; wait', bombed);
    expect(text).toMatch(/Cannot fork|Resource temporarily unavailable/);
    const list = await host.list({ ...labels });
    expect(list.find(({ id }) => id === bombed)?.isRunning).toBe(true);
    await host.remove(bombed);
  });

  test('a process beyond the memory limit is killed and reported', async () => {
    const events: HostEvent[] = [];
    const stop = new AbortController();
    const over = host.events(event => events.push(event), stop.signal);
    await until(() => events.some(({ kind }) => kind === 'here'));
    const hungry = await create('hungry');
    const { code } = await runLine('head -c 200000000 /dev/zero | tail -c 150000000 > /dev/null', hungry);
    expect(code).toBe(137);
    await until(() => events.some(event => event.kind === 'died' && event.container === hungry));
    expect(events.find(event => event.kind === 'died' && event.container === hungry)).toMatchObject({
      why: 'it ran out of memory',
    });
    stop.abort();
    await over;
  });
});
