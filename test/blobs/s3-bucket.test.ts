// Requests to an S3-compatible store: signed addresses, and the removal of several objects.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { S3Bucket, type S3BucketOptions } from '../../runtime/blobs/s3-bucket.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';

const NOW = Date.UTC(2026, 10, 26, 15, 0, 0);

const bucketOf = (options: Pick<S3BucketOptions, 'endpoint' | 'clock'> & Partial<S3BucketOptions>) =>
  new S3Bucket({
    ...{ bucket: 'runs', keys: { accessKeyId: 'a', secretAccessKey: 's' }, wallTime: () => NOW },
    ...{ signal: new AbortController().signal, ...options },
  });

test('an address has the time of the machine, also while the clock that never goes back is ahead of it', async () => {
  const bucket = bucketOf({ endpoint: 'https://s3.example', clock: new VirtualClock(NOW + 3_600_000) });
  const link = new URL(await bucket.link('GET', 'key'));
  expect(link.searchParams.get('X-Amz-Date')).toBe('20261126T150000Z');
});

const deleted = (key: string) => `<Deleted><Key>${key}</Key></Deleted>`;
const failed = (key: string) => `<Error><Key>${key}</Key><Code>InternalError</Code></Error>`;

/** A store that answers a request to remove several objects with the result of `answer` for their keys. */
async function storeWith(
  answer: (keys: readonly string[]) => { readonly status: number; readonly body: string },
) {
  const together: number[] = [];
  const single: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    if (method === 'DELETE') {
      single.push(new URL(url, 'http://store').pathname);
      return response.writeHead(204).end();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    const keys = [...content.toString().matchAll(/<Object><Key>([^<]+)<\/Key><\/Object>/g)].map(
      ([, key = '']) => key,
    );
    together.push(keys.length);
    const isWhole = headers['content-md5'] === createHash('md5').update(content).digest('base64');
    const isValid = isWhole && method === 'POST' && url.startsWith('/runs?delete=');
    const { status, body } = isValid ? answer(keys) : { status: 400, body: '' };
    return response.writeHead(status).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const bound = server.address();
  const endpoint = `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`;
  const reports: boolean[] = [];
  const health = (isUp: boolean) => void reports.push(isUp);
  return { bucket: bucketOf({ endpoint, clock: systemClock, health }), together, single, reports };
}

test('a thousand objects at most are removed with one request', async () => {
  const store = await storeWith(keys => ({ status: 200, body: keys.map(deleted).join('') }));
  await store.bucket.remove(Array.from({ length: 2001 }, (_, number) => `key-${number}`));
  expect(store.together).toEqual([1000, 1000]);
  expect(store.single).toEqual(['/runs/key-2000']);
});

test.each<[string, Parameters<typeof storeWith>[0], readonly string[]]>([
  ['refuses to remove several', () => ({ status: 501, body: '' }), ['/runs/one', '/runs/other']],
  ['answers with a page', () => ({ status: 200, body: 'Hello' }), ['/runs/one', '/runs/other']],
  [
    'removes only some',
    ([one = '', other = '']) => ({ status: 200, body: deleted(one) + failed(other) }),
    ['/runs/other'],
  ],
])('a store that %s gets a request for each other object, and still works', async (_, answer, left) => {
  const store = await storeWith(answer);
  await store.bucket.remove(['one', 'other']);
  expect(store.single.sort()).toEqual(left);
  expect(store.reports).toEqual([]);
});
