import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { blobHash, MAX_BLOB_BYTES } from '../../runtime/blobs/blobs.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { httpTransport } from '../../runtime/endpoints/http-transport.ts';
import { HostRequests } from '../../runtime/hosts/host-requests.ts';
import { RemoteBlobs } from '../../runtime/hosts/remote-blobs.ts';
import { passUntil } from '../pass-until.ts';

const bytes = Uint8Array.of(1, 2, 3);
const hash = blobHash(bytes);

/** Answers one request after another with the handlers; the last one stays. */
async function blobsFrom(
  ...handlers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]
) {
  let requests = 0;
  const server = createServer((request, response) => {
    const handler = handlers[Math.min(requests, handlers.length - 1)];
    requests += 1;
    handler?.(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const transport = httpTransport();
  onTestFinished(() => {
    transport.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const clock = new VirtualClock();
  const over = new AbortController();
  const url = `http://127.0.0.1:${port}`;
  const requester = new HostRequests({ url, token: 'token', transport, clock });
  return { blobs: new RemoteBlobs(requester, over.signal), clock, over, requests: () => requests };
}

const answer =
  (status: number, body: Uint8Array | string = '') =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status);
    response.end(body);
  };
const hangUp = (_: IncomingMessage, response: ServerResponse): void => void response.destroy();
const hangUpInBetween = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Length': '3' });
  response.write('a', () => response.destroy());
};

test('calls are repeated while the daemon is away, overloaded or slow', async () => {
  const faults = [hangUp, hangUpInBetween, answer(503), answer(408), answer(429), answer(500)];
  const { blobs, clock, requests } = await blobsFrom(...faults, answer(200, bytes));
  let found: Uint8Array | undefined;
  void blobs.get(hash).then(got => {
    found = got;
  });
  await passUntil(clock, () => found !== undefined);
  expect(Buffer.from(found ?? '').equals(bytes)).toBe(true);
  // One that takes too long on a slow machine is repeated, too.
  expect(requests()).toBeGreaterThan(faults.length);
});

test('other bytes than those of the hash are never returned', async () => {
  const { blobs } = await blobsFrom(answer(200, Uint8Array.of(1, 2, 4)));
  await expect(blobs.get(hash)).rejects.toThrow(/other bytes/);
});

test('a reply 404 of a proxy is no success of a put, and not the absence of a blob', async () => {
  const { blobs, clock, requests } = await blobsFrom(answer(404), answer(404, 'no route'), answer(200, '{}'));
  let isPut = false;
  void blobs.put(bytes).then(() => {
    isPut = true;
  });
  await passUntil(clock, () => isPut);
  expect(requests()).toBeGreaterThan(2);
  const found = await blobsFrom(answer(404), answer(200, bytes));
  let got: Uint8Array | undefined;
  void found.blobs.get(hash).then(blob => {
    got = blob;
  });
  await passUntil(found.clock, () => got !== undefined);
});

test('a page of a proxy is no success of a put', async () => {
  const { blobs, clock, requests } = await blobsFrom(
    answer(200, '<html>Back soon</html>'),
    answer(200, '{}'),
  );
  let isPut = false;
  void blobs.put(bytes).then(() => {
    isPut = true;
  });
  await passUntil(clock, () => isPut);
  expect(requests()).toBeGreaterThan(1);
});

test('a proxy that refuses bodies of this size delays a put, which reports the failure', async () => {
  const failures: string[] = [];
  const isReported = () => failures.some(message => message.includes('status 413'));
  const refused = answer(413, '<title>413 Request Entity Too Large</title>');
  const stored = answer(200, '{}');
  const { blobs, clock } = await blobsFrom((...call) => (isReported() ? stored : refused)(...call));
  let isPut = false;
  const failed = ({ message }: Error) => void failures.push(message);
  void blobs.put(bytes, failed).then(() => {
    isPut = true;
  });
  await passUntil(clock, () => isPut);
  expect(isReported()).toBe(true);
});

test('a get that is repeated reports the failure', async () => {
  const failures: string[] = [];
  const isReported = () => failures.some(message => message.includes('status 503'));
  const found = answer(200, bytes);
  const { blobs, clock } = await blobsFrom((...call) => (isReported() ? found : answer(503))(...call));
  let isFound = false;
  const failed = ({ message }: Error) => void failures.push(message);
  void blobs.get(hash, failed).then(() => {
    isFound = true;
  });
  await passUntil(clock, () => isFound);
  expect(isReported()).toBe(true);
});

test('a blob that the daemon does not have is absent', async () => {
  const { blobs } = await blobsFrom(answer(404, JSON.stringify({ error: 'There is no blob.' })));
  expect(await blobs.get(hash)).toBeUndefined();
});

test('a refusal is final, and its message is that of the daemon', async () => {
  const { blobs, requests } = await blobsFrom(answer(401, JSON.stringify({ error: 'Join again.' })));
  await expect(blobs.put(bytes)).rejects.toThrow('Join again.');
  expect(requests()).toBe(1);
});

test('a call that waits ends with the membership', async () => {
  const { blobs, over, requests } = await blobsFrom(hangUp);
  const waiting = blobs.put(bytes);
  const reason = new Error('over');
  await expect.poll(requests).toBeGreaterThan(0);
  over.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test('a request without an answer is repeated after its deadline', async () => {
  const { blobs, clock, requests } = await blobsFrom(() => undefined, answer(200, bytes));
  let isFound = false;
  void blobs.get(hash).then(() => {
    isFound = true;
  });
  await expect.poll(requests).toBe(1);
  await passUntil(clock, () => isFound);
});

test('a blob that is too large is refused without a request', async () => {
  const { blobs, requests } = await blobsFrom(answer(200, '{}'));
  await expect(blobs.put(new Uint8Array(MAX_BLOB_BYTES + 1))).rejects.toThrow(RangeError);
  expect(requests()).toBe(0);
});
