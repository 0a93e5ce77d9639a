// Blobs in a real S3-compatible store, and the faults of stores and of what is between.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { requestStore, StoreRefused } from '../../runtime/blobs/blob-transfer.ts';
import { type BlobHash, blobHash, MAX_BLOB_BYTES } from '../../runtime/blobs/blobs.ts';
import { S3Blobs, type S3BlobsOptions, tryS3Store } from '../../runtime/blobs/s3-blobs.ts';
import { s3KeysIn } from '../../runtime/blobs/s3-bucket.ts';
import { systemClock, wallTime } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { BUCKET, type S3Server, startS3Server } from '../s3-server.ts';
import { blobLaws } from './contract.ts';

const NONE: ReadonlySet<BlobHash> = new Set();
const MINUTE_MS = 60_000;
const bytes = Uint8Array.of(1, 2, 3);
const hash = blobHash(bytes);

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.stop());

let runs = 0;
/** Of a run of its own. */
async function opened(options: Partial<S3BlobsOptions> = {}) {
  const reports: boolean[] = [];
  const run = options.run ?? `run-${++runs}`;
  const blobs = await S3Blobs.open({
    ...{ endpoint: server.endpoint, bucket: BUCKET, keys: server.keys, run, epoch: '0badcafe', older: [] },
    ...{ maxBytes: 1e9, maxAgeMs: 10 * MINUTE_MS, clock: systemClock, wallTime },
    health: healthy => void reports.push(healthy),
    ...options,
  });
  onTestFinished(() => blobs.close().catch(() => undefined));
  const keys = () => server.objects().filter(key => key.includes(`/${run}/`));
  return { blobs, run, keys, reports };
}

/** As hosts do it. */
const transfer = (method: 'GET' | 'PUT', url: string, body?: Uint8Array) =>
  requestStore(
    { method, url, ...(body !== undefined && { body }) },
    { clock: systemClock, signal: new AbortController().signal },
  );

/** Of a link that must be there. */
const there = (link: string | undefined): string => {
  if (link === undefined) throw new Error('There is no link.');
  return link;
};

/** Time passes only when a test says so. The store compares signatures with its own clock. */
const clockOfNow = () => {
  const clock = new VirtualClock(Date.now());
  return { clock, pass: (ms: number) => clock.run(clock.now() + ms) };
};

blobLaws('S3', async () => (await opened()).blobs);

test('a blob is one object PREFIX/RUN/EPOCH/HASH, however often it is put', async () => {
  const { blobs, keys, run } = await opened({ prefix: 'mine' });
  for (let time = 0; time < 3; time += 1) await blobs.put(bytes);
  expect(keys()).toEqual([`mine/${run}/0badcafe/${hash}`]);
});

test('collection removes what was not used for too long, and keeps what must be kept', async () => {
  const { clock, pass } = clockOfNow();
  const { blobs, keys } = await opened({ clock });
  const [old, kept, read] = [await blobs.put(bytes), await blobs.put(Uint8Array.of(2)), Uint8Array.of(3)];
  await blobs.put(read);
  await pass(8 * MINUTE_MS);
  await blobs.get(blobHash(read));
  await pass(4 * MINUTE_MS);
  expect(await blobs.collect(new Set([kept]))).toBe(1);
  expect(await blobs.get(old)).toBeUndefined();
  expect(keys().map(key => key.split('/').at(-1))).toEqual(expect.arrayContaining([kept, blobHash(read)]));
  expect(keys()).toHaveLength(2);
  await blobs.put(bytes);
  expect(await blobs.get(old)).toBeDefined();
});

test('a blob that is collected while it is put again is there afterwards', async () => {
  const { blobs } = await opened({ maxBytes: 0 });
  for (let round = 0; round < 20; round += 1) {
    await blobs.put(bytes);
    const collecting = blobs.collect(NONE);
    await Promise.all([collecting, blobs.put(bytes)]);
    expect(await blobs.get(hash)).toBeDefined();
  }
});

test('a new epoch removes what older ones left, and its end what it made, but nothing of other runs and of copies', async () => {
  const other = await opened({ run: 'run' });
  await other.blobs.put(bytes);
  const { blobs, run } = await opened({ run: 'run.2' });
  await blobs.put(bytes);
  const copy = await opened({ run, epoch: '0badbeef' });
  await copy.blobs.put(bytes);
  const next = await opened({ run, epoch: '0badf00d', older: ['0badcafe'] });
  const ofCopy = [expect.stringContaining('/0badbeef/')];
  expect(next.keys()).toEqual(ofCopy);
  expect(await next.blobs.get(hash)).toBeUndefined();
  await next.blobs.put(bytes);
  await next.blobs.close();
  expect(next.keys()).toEqual(ofCopy);
  expect(other.keys()).toHaveLength(1);
});

describe('the address for one transfer', () => {
  test('lets a host put and get a blob without keys, and nothing else', async () => {
    const { blobs } = await opened();
    expect(await blobs.linkToGet(hash)).toBeUndefined();
    const put = there(await blobs.linkToPut(hash, bytes.length));
    await transfer('PUT', put, bytes);
    const get = there(await blobs.linkToGet(hash));
    expect(Buffer.from((await transfer('GET', get)) ?? []).equals(bytes)).toBe(true);
    expect(Buffer.from((await blobs.get(hash)) ?? []).equals(bytes)).toBe(true);
    for (const url of [put, get]) expect(url).not.toContain(server.keys.secretAccessKey);
    // Another method, another object, another length, no signature.
    const another = (url: string) => url.replace(hash, blobHash(Uint8Array.of(9)));
    for (const attempt of [
      () => transfer('PUT', get, bytes),
      () => transfer('GET', put),
      () => transfer('GET', another(get)),
      () => transfer('PUT', another(put), bytes),
      () => transfer('PUT', put, Uint8Array.of(1, 2, 3, 4)),
      () => transfer('GET', get.split('?')[0] ?? ''),
    ])
      await expect(attempt()).rejects.toBeInstanceOf(StoreRefused);
  });

  test('ends after a quarter of an hour', async () => {
    const { blobs } = await opened();
    await blobs.put(bytes);
    const link = there(await blobs.linkToGet(hash));
    const [, valid] = /X-Amz-Expires=(\d+)/.exec(link) ?? [];
    expect(Number(valid)).toBe(900);
    await transfer('GET', link);
    // A time that is not signed.
    await expect(transfer('GET', link.replace('Expires=900', 'Expires=90000'))).rejects.toThrow(StoreRefused);
  });

  test('is not given for a blob that the daemon has put or read, so that no host replaces it', async () => {
    const { blobs } = await opened();
    await blobs.put(bytes);
    expect(await blobs.linkToPut(hash, 3)).toBeUndefined();
    const own = Uint8Array.of(7);
    await transfer('PUT', there(await blobs.linkToPut(blobHash(own), 1)), own);
    expect(await blobs.linkToPut(blobHash(own), 1)).toBeDefined();
    await blobs.get(blobHash(own));
    expect(await blobs.linkToPut(blobHash(own), 1)).toBeUndefined();
  });

  test('that a host did not use leaves no blob, and other bytes than those of the hash are never found', async () => {
    const { blobs } = await opened();
    await blobs.linkToPut(hash, 3);
    expect(await blobs.get(hash)).toBeUndefined();
    await transfer('PUT', there(await blobs.linkToPut(hash, 3)), Uint8Array.of(3, 2, 1));
    expect(await blobs.get(hash)).toBeUndefined();
    await blobs.put(bytes);
    expect(Buffer.from((await blobs.get(hash)) ?? []).equals(bytes)).toBe(true);
  });
});

test('a blob that was damaged in the store is not found, and can be put again', async () => {
  const { blobs, keys } = await opened();
  await blobs.put(bytes);
  server.damage(keys()[0] ?? '', Uint8Array.of(1, 2, 4));
  expect(await blobs.get(hash)).toBeUndefined();
  await blobs.put(bytes);
  expect(await blobs.get(hash)).toBeDefined();
});

test('a blob that is too large is refused without a request', async () => {
  const { blobs, keys } = await opened();
  await expect(blobs.put(new Uint8Array(MAX_BLOB_BYTES + 1))).rejects.toThrow(RangeError);
  expect(keys()).toEqual([]);
});

test('a store that is killed is reported once, and its blobs are there when it is back', async () => {
  const own = await startS3Server();
  onTestFinished(() => own.stop());
  const { blobs, reports } = await opened({ endpoint: own.endpoint });
  await blobs.put(bytes);
  await own.kill();
  for (const call of [() => blobs.get(hash), () => blobs.put(Uint8Array.of(5))])
    await expect(call()).rejects.toThrow(/does not answer.*fabric\.blobs\.endpoint/);
  expect(reports).toEqual([false]);
  await own.restart();
  expect(await blobs.get(hash)).toBeDefined();
  await blobs.put(Uint8Array.of(5));
  expect(reports).toEqual([false, true]);
});

test('what a store that is away does not remove is removed later, unless it was put again', async () => {
  const own = await startS3Server();
  onTestFinished(() => own.stop());
  const { blobs } = await opened({ endpoint: own.endpoint, maxBytes: 0 });
  await blobs.put(bytes);
  await blobs.put(Uint8Array.of(5));
  await own.kill();
  await expect(blobs.collect(NONE)).rejects.toThrow('does not answer');
  await own.restart();
  await blobs.put(bytes);
  const kept = new Set([hash]);
  expect(await blobs.collect(kept)).toBe(1);
  expect(own.objects().map(key => key.split('/').at(-1))).toEqual([hash]);
  expect(await blobs.collect(kept)).toBe(0);
});

type Handler = (incoming: IncomingMessage, reply: ServerResponse, pass: () => void) => void;

/** Between the daemon and the store. Answers with the handlers, one request after another; then it passes requests on. */
async function between(...handlers: readonly Handler[]) {
  const left = [...handlers];
  const state = { changes: (_: Buffer): Buffer | undefined => undefined, requests: 0 };
  const pass = (incoming: IncomingMessage, reply: ServerResponse) => {
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: server.port, method, path: url, headers }, from => {
      const chunks: Buffer[] = [];
      from.on('data', chunk => chunks.push(chunk));
      from.on('end', () => {
        const body = Buffer.concat(chunks);
        reply.writeHead(from.statusCode ?? 500, from.headers);
        reply.end(method === 'GET' ? (state.changes(body) ?? body) : body);
      });
    });
    incoming.pipe(onward);
  };
  const proxy = createServer((incoming, reply) => {
    state.requests += 1;
    const handler: Handler = left.shift() ?? pass;
    handler(incoming, reply, () => pass(incoming, reply));
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  // Signatures contain the host.
  const endpoint = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return { endpoint, state, next: (...more: readonly Handler[]) => void left.push(...more) };
}

const answer =
  (status: number, body = '') =>
  (incoming: IncomingMessage, reply: ServerResponse): void => {
    incoming.resume();
    reply.writeHead(status);
    reply.end(body);
  };
const hangUp = (_: IncomingMessage, reply: ServerResponse): void => void reply.destroy();
const code = (name: string) => `<?xml version="1.0"?><Error><Code>${name}</Code></Error>`;

test('a blob that is put again during its removal is there afterwards, also if another removal failed before', async () => {
  const proxy = await between();
  const { blobs, reports } = await opened({ endpoint: proxy.endpoint, maxBytes: 0 });
  await blobs.put(bytes);
  await blobs.put(Uint8Array.of(5));
  const held = new Promise<() => void>(resolve => {
    const removal: Handler = (incoming, reply, pass) =>
      incoming.url?.includes(hash) ? resolve(pass) : answer(403)(incoming, reply);
    // The first request is for both.
    proxy.next(answer(501), removal, removal);
  });
  let isOver = false;
  const collecting = blobs.collect(NONE).finally(() => {
    isOver = true;
  });
  const failure = expect(collecting).rejects.toThrow('403');
  const pass = await held;
  await expect.poll(() => reports).toEqual([false]);
  expect(isOver).toBe(false);
  const putting = blobs.put(bytes);
  pass();
  await putting;
  await failure;
  expect(await blobs.get(hash)).toBeDefined();
});

test('the end of a run deletes many objects with one request', async () => {
  const proxy = await between();
  const { blobs, keys } = await opened({ endpoint: proxy.endpoint });
  for (let number = 0; number < 40; number += 1) await blobs.put(Uint8Array.of(number));
  const before = proxy.state.requests;
  await blobs.close();
  expect(keys()).toEqual([]);
  // One more lists them.
  expect(proxy.state.requests - before).toBe(2);
});

test('calls are repeated while the store is overloaded or hangs up', async () => {
  const proxy = await between();
  const { blobs, reports } = await opened({ endpoint: proxy.endpoint });
  let number = 0;
  const coded = [answer(503, code('SlowDown')), answer(400, code('RequestTimeout'))];
  for (const fault of [...coded, answer(500), answer(429), hangUp]) {
    proxy.next(fault, fault);
    const put = await blobs.put(Uint8Array.of(++number));
    proxy.next(fault, fault);
    expect(await blobs.get(put)).toBeDefined();
  }
  expect(reports).toEqual([]);
});

test('bytes that change on their way are read again, and are never returned', async () => {
  const proxy = await between();
  const { blobs } = await opened({ endpoint: proxy.endpoint });
  await blobs.put(bytes);
  let wrong = 1;
  proxy.state.changes = () => (wrong-- > 0 ? Buffer.from([1, 2, 4]) : undefined);
  expect(Buffer.from((await blobs.get(hash)) ?? []).equals(bytes)).toBe(true);
  wrong = 1000;
  expect(await blobs.get(hash)).toBeUndefined();
});

test('a request without an answer is repeated after its deadline', async () => {
  const { clock, pass } = clockOfNow();
  const proxy = await between();
  const { blobs } = await opened({ endpoint: proxy.endpoint, clock });
  proxy.next(() => undefined);
  const before = proxy.state.requests;
  let isPut = false;
  const putting = blobs.put(bytes).then(() => {
    isPut = true;
  });
  await expect.poll(() => proxy.state.requests).toBe(before + 1);
  for (let seconds = 0; !isPut && seconds < 90; seconds += 1) {
    await pass(1000);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await putting;
});

test('closing ends a call that waits', async () => {
  const proxy = await between();
  const { blobs } = await opened({ endpoint: proxy.endpoint });
  proxy.next(() => undefined);
  const before = proxy.state.requests;
  const putting = blobs.put(bytes);
  await expect.poll(() => proxy.state.requests).toBe(before + 1);
  const closing = blobs.close();
  await expect(putting).rejects.toThrow(/run has ended/);
  await closing;
});

describe('a store that is not as the settings say is refused at the start, with what to do', () => {
  const place = () => ({
    ...{ endpoint: server.endpoint, bucket: BUCKET, keys: server.keys, clock: systemClock, wallTime },
  });
  const wrong = { accessKeyId: 'tests', secretAccessKey: 'another-secret-key' };

  test.each<[string, () => Parameters<typeof tryS3Store>[0], RegExp]>([
    ['no bucket', () => ({ ...place(), bucket: 'nobody-made-it' }), /NoSuchBucket.*fabric\.blobs\.bucket/],
    ['a wrong secret', () => ({ ...place(), keys: wrong }), /403.*AWS_SECRET_ACCESS_KEY/],
    [
      'an unknown key',
      () => ({ ...place(), keys: { ...wrong, accessKeyId: 'nobody' } }),
      /40[134].*AWS_ACCESS_KEY_ID/,
    ],
    ['another region', () => ({ ...place(), region: 'eu-central-1' }), /fabric\.blobs\.region/],
    ['nobody there', () => ({ ...place(), endpoint: 'http://127.0.0.1:9' }), /does not answer/],
  ])('%s', async (_, options, message) => {
    const refusal = await tryS3Store(options()).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(message);
    expect(refusal).not.toMatch(/X-Amz|another-secret/);
  });

  test('an expired key', async () => {
    const { endpoint } = await between(answer(400, code('ExpiredToken')));
    await expect(tryS3Store({ ...place(), endpoint })).rejects.toThrow(/ExpiredToken.*AWS_SESSION_TOKEN/);
  });

  test('and one that is works, and is left as it was', async () => {
    const before = server.objects().length;
    await tryS3Store(place());
    expect(server.objects()).toHaveLength(before);
  });

  test('a server of something else', async () => {
    const proxy = await between(answer(404, '<html></html>'), answer(200, 'Hello'), answer(200), answer(200));
    await expect(tryS3Store({ ...place(), endpoint: proxy.endpoint })).rejects.toThrow(/fabric\.blobs/);
  });
});

test('the keys are those of the environment, and an error names the missing variable', () => {
  const environment = { AWS_ACCESS_KEY_ID: ' a ', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' };
  expect(s3KeysIn(environment)).toEqual({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' });
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    expect(() => s3KeysIn({ ...environment, [name]: '' })).toThrow(name);
});
