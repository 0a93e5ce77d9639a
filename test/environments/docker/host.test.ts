import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { containerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import { watchEvents } from '../../../runtime/environments/docker/engine-events.ts';
import { engineRequest } from '../../../runtime/environments/docker/engine-request.ts';
import { type DockerHost, type HostEvent, openHost } from '../../../runtime/environments/docker/host.ts';
import { describeUnless, missingEngine } from './engine.ts';
import { answering } from './fake-engine.ts';
import { localAddress, outputOf, SLOW, TEST_IMAGE, testSpec, until } from './test-engine.ts';

const bytes = (text: string) => Buffer.from(text);

describeUnless(missingEngine, 'one engine', () => {
  const mark = `host-test-${randomBytes(4).toString('hex')}`;
  const labels = { dartboard: '1', 'dartboard.helper': mark };
  const spec = (name: string, command = ['sleep', '600']) =>
    testSpec({ name: `${mark}-${name}`, labels }, command);
  let host: DockerHost;
  let id: string;

  beforeAll(async () => {
    host = await openHost(localAddress, systemClock, 'here');
    id = await host.create(spec('main'));
  }, SLOW);

  afterAll(async () => {
    for (const { id } of await host.list(labels)) await host.remove(id);
    host.close();
  }, SLOW);

  test('reports facts', async () => {
    const facts = await host.facts();
    expect(facts.version).toMatch(/^\d+\./);
    expect(facts.processors).toBeGreaterThan(0);
    expect(facts.memory).toBeGreaterThan(2 ** 28);
  });

  test('lists images by tag', async () => {
    expect((await host.images(TEST_IMAGE)).map(({ tags }) => tags)).toEqual([
      expect.arrayContaining([TEST_IMAGE]),
    ]);
    expect(await host.images('dartboard-no-such:image')).toEqual([]);
    expect((await host.images()).length).toBeGreaterThan(0);
  });

  test('lists containers by labels, removes them, and ignores missing ones', async () => {
    const other = await host.create(spec('other'));
    const names = async () => (await host.list(labels)).map(({ name }) => name).sort();
    expect(await names()).toEqual([`${mark}-main`, `${mark}-other`]);
    await Promise.all([host.remove(other), host.remove(other)]);
    expect(await names()).toEqual([`${mark}-main`]);
    await host.remove(other);
    await host.remove('no-such-container');
  });

  test('a process receives input and its end, and returns output and exit code', async () => {
    const process = await host.exec(id, ['sh', '-c', 'cat; echo wrong >&2; exit 7']);
    const output = outputOf(process);
    process.write(bytes('one '));
    process.write(bytes('two'));
    process.end();
    expect(await process.closed).toBe(7);
    expect(output()).toBe('one two');
  });

  test('a million bytes pass both ways at once', async () => {
    const process = await host.exec(id, ['cat']);
    const pieces: Uint8Array[] = [];
    process.onData(data => pieces.push(data));
    const sent = randomBytes(1 << 20);
    process.write(sent);
    process.end();
    expect(await process.closed).toBe(0);
    expect(Buffer.concat(pieces).equals(sent)).toBe(true);
  });

  test('a process can run as another user', async () => {
    const who = async (user?: string) => {
      const process = await host.exec(id, ['id', '-u'], user);
      const output = outputOf(process);
      await process.closed;
      return output().trim();
    };
    expect(await who()).toBe('1000');
    expect(await who('4321')).toBe('4321');
  });

  test('a process ends with its container', async () => {
    const doomed = await host.create(spec('doomed'));
    const process = await host.exec(doomed, ['cat']);
    const output = outputOf(process);
    process.write(bytes('it runs'));
    await until(() => output() === 'it runs');
    await host.remove(doomed);
    expect([undefined, 137]).toContain(await process.closed);
    process.write(bytes('nobody hears this'));
  });

  test('a process in a missing container is a broken environment, with the engine in the error', async () => {
    await expect(host.exec('no-such-container', ['true'])).rejects.toMatchObject({
      failure: {
        boundary: 'environment',
        thing: 'engine here',
        message: expect.stringContaining('No such container'),
      },
    });
  });

  test('a missing image is an error with a remedy, and leaves no container', async () => {
    const missing = containerSpec({ name: `${mark}-missing`, image: 'dartboard-no-such:image', labels });
    await expect(host.create(missing)).rejects.toMatchObject({
      failure: { boundary: 'provider', message: expect.stringContaining("'dartboard docker build'") },
    });
    expect((await host.list(labels)).map(({ name }) => name)).not.toContain(`${mark}-missing`);
  });

  test('a duplicate name is refused, and its container stays', async () => {
    await expect(host.create(spec('main'))).rejects.toThrow('already in use');
    expect((await host.list(labels)).map(({ id }) => id)).toContain(id);
  });

  test('a container that cannot be started leaves nothing', async () => {
    const unstartable = spec('unstartable', ['/no/such/program']);
    await expect(host.create(unstartable)).rejects.toThrow('/no/such/program');
    expect((await host.list(labels)).map(({ name }) => name)).not.toContain(`${mark}-unstartable`);
  });

  test('events report the end of a container with its exit code, until the signal', async () => {
    const events: HostEvent[] = [];
    const stop = new AbortController();
    const over = host.events(event => events.push(event), stop.signal);
    await until(() => events.some(({ kind }) => kind === 'here'));
    const short = await host.create(spec('short', ['sh', '-c', 'sleep 0.3; exit 3']));
    const died = () => events.find(event => event.kind === 'died' && event.container === short);
    await until(() => died() !== undefined);
    expect(died()).toMatchObject({ why: 'it ended with exit code 3' });
    stop.abort();
    await over;
  });
});

test('a missing engine is an error with a remedy', async () => {
  const host = await openHost({ kind: 'socket', path: '/no/such/docker.sock' }, systemClock, 'nowhere');
  await expect(host.list({})).rejects.toMatchObject({
    failure: {
      boundary: 'provider',
      thing: 'engine nowhere',
      message: expect.stringMatching(
        /list containers: no engine answers .* Start it, or correct the address/,
      ),
    },
  });
  host.close();
});

test('an engine at a name with several addresses that refuse has the reason of the first one', async () => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:2375')]);
  const call = () => Promise.reject(Object.assign(refused, { code: 'ECONNREFUSED' }));
  await expect(engineRequest('here', systemClock)('list containers', 1000, call)).rejects.toMatchObject({
    failure: {
      boundary: 'provider',
      message: expect.stringContaining('no engine answers (connect ECONNREFUSED ::1:2375). Start it'),
    },
  });
});

test('a late request is aborted, also on the wire', async () => {
  const open = () => undefined;
  const engine = await answering({
    'GET /info': open,
    'GET /_ping': open,
    'GET /events': (_, response) => void response.writeHead(200).flushHeaders(),
    'DELETE /containers/hangs': open,
    'DELETE /containers/going': (_, response) => void response.writeHead(409).end('{}'),
    'POST /containers/going/wait': open,
  });
  const clock = new VirtualClock();
  const host = await openHost({ kind: 'socket', path: engine.path }, clock, 'slow');
  const stop = new AbortController();
  const events = host.events(() => {}, stop.signal);
  const late = [host.facts(), host.remove('hangs'), host.remove('going')].map(call =>
    expect(call).rejects.toThrow(/did not finish within/),
  );
  const questions = ['GET /info', 'DELETE /containers/hangs', 'POST /containers/going/wait'];
  await until(() => ['GET /events', ...questions].every(each => engine.received.includes(each)));
  await clock.run(5000);
  await until(() => engine.received.includes('GET /_ping'));
  await clock.run(60_000);
  await Promise.all(late);
  await until(() => ['GET /_ping', ...questions].every(each => engine.left.includes(each)));
  stop.abort();
  await events;
  host.close();
});

test('a stream of events that ends at once is opened again after longer and longer pauses', async () => {
  const clock = new VirtualClock();
  const opened: number[] = [];
  const open = async () => {
    opened.push(clock.now());
    const stream = new PassThrough();
    process.nextTick(() => stream.destroy());
    return stream;
  };
  const stop = new AbortController();
  const over = watchEvents({ open, ping: async () => undefined }, clock, () => undefined, stop.signal);
  await clock.run(6500);
  stop.abort();
  await over;
  expect(opened).toEqual([0, 200, 600, 1400, 3000, 6200]);
});

describe('the processor limit', () => {
  const created = async (CpuCfsQuota?: boolean) => {
    const bodies: unknown[] = [];
    const engine = await answering({
      'GET /info': () => ({ ServerVersion: '29', NCPU: 2, MemTotal: 1e9, CpuCfsQuota }),
      'POST /containers/create': body => {
        bodies.push(body);
        return { Id: 'made' };
      },
      'POST /containers/made/start': () => ({}),
    });
    const host = await openHost({ kind: 'socket', path: engine.path }, systemClock, 'here');
    const spec = containerSpec({ name: 'one', image: 'image', labels: {} });
    await host.create(spec);
    await host.create(spec);
    host.close();
    return { bodies, infos: engine.received.filter(each => each === 'GET /info').length };
  };

  test.each([
    [true, 1e9],
    [undefined, 1e9],
    [false, undefined],
  ])('is set if the engine supports it: %s', async (quota, share) => {
    const { bodies, infos } = await created(quota);
    expect(bodies).toHaveLength(2);
    for (const body of bodies)
      expect(body).toMatchObject({
        HostConfig: share
          ? { NanoCpus: share }
          : expect.not.objectContaining({ NanoCpus: expect.anything() }),
      });
    expect(infos).toBe(1);
  });
});
