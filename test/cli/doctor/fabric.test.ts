// The doctor's checks of the servers of NATS and of the store of blobs.

import { expect, test } from 'vitest';
import { blobStore, brokers } from '../../../runtime/cli/doctor/fabric.ts';
import type { BrokerReport } from '../../../runtime/fabric/nats/report.ts';

const REPORT: BrokerReport = { version: '2.9.10', roundTripMs: 0.42, storedBytes: 12e6, streams: [] };
const look = (server: string, report: Partial<BrokerReport> | Error) => ({
  server,
  report: async () => {
    if (report instanceof Error) throw report;
    return { ...REPORT, ...report };
  },
});
const stream = (fullness: number) => ({ name: 'dartboard-r-0-lessons', messages: 7, fullness });

test.each<[string, Parameters<typeof brokers>[0], string, RegExp]>([
  [
    'a server that answers',
    [look('a', { streams: [stream(0.1)] })],
    'ok',
    /a .*2\.9\.10, 0\.4 ms.* 12 MB, 1 .* 7 /,
  ],
  ['no server that answers', [look('a', new Error('refused.'))], 'problem', /^a: refused$/],
  ['one of two that answers', [look('a', {}), look('b', new Error('refused'))], 'warning', /b: refused$/],
  ['an old version', [look('a', { version: '2.9.3' })], 'problem', /2\.9\.3/],
  ['a newer version', [look('a', { version: '2.10.1' })], 'ok', /2\.10\.1/],
  ['a full stream', [look('a', { streams: [stream(0.95)] })], 'warning', /dartboard-r-0-lessons is 95 %/],
])('%s', async (_, looks, state, says) => {
  expect(await brokers(looks)).toMatchObject({ state, says: expect.stringMatching(says) });
});

test('a store of blobs that works, and one that refuses', async () => {
  expect(await blobStore('http://s3/runs', async () => undefined)).toMatchObject({
    ...{ state: 'ok', says: expect.stringContaining('http://s3/runs') },
  });
  const refused = new Error('It answered with status 403.');
  expect(await blobStore('http://s3/runs', () => Promise.reject(refused))).toMatchObject({
    ...{ state: 'problem', says: refused.message, remedy: expect.stringContaining('fabric.blobs') },
  });
});
