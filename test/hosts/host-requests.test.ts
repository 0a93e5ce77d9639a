// The replies that a joined host accepts as those of the daemon.

import { expect, test } from 'vitest';
import * as z from 'zod';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import {
  DaemonFailed,
  ForeignReply,
  type HostRequest,
  HostRequestRefused,
  HostRequests,
  parsedReply,
  TemporaryRefusal,
} from '../../runtime/hosts/host-requests.ts';

const PAGE = '<title>Sign in</title>';
const REASON = JSON.stringify({ error: 'There is no such blob.' });

function answering(status: number, text = PAGE, more: Partial<HostRequest> = {}): Promise<number> {
  const requests = new HostRequests({
    ...{ url: 'https://daemon:7422', token: 'secret', clock: new VirtualClock() },
    transport: {
      sendForBytes: async () => ({ status, headers: {}, body: Buffer.from(text) }),
      close: () => undefined,
    },
  });
  const { signal } = new AbortController();
  return requests.once({ method: 'POST', path: '/v1/loans', signal, ...more }).then(reply => reply.status);
}

test.each([200, 202])('the status %d is an answer', async status => {
  expect(await answering(status)).toBe(status);
});

test.each([0, 301, 302, 304, 307])(
  'the status %d is no answer, and the request is worth a repetition',
  async status => {
    const error: unknown = await answering(status).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ForeignReply);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`^https://daemon:7422 answered POST /v1/loans with status ${status}, .*Check the address`),
      ),
    });
  },
);

test.each([400, 403, 404, 409, 413])(
  'the status %d with a reason is a refusal by the daemon',
  async status => {
    await expect(answering(status, REASON)).rejects.toBeInstanceOf(HostRequestRefused);
  },
);

test.each([429, 503])('the daemon cannot answer now with the status %d and a reason', async status => {
  await expect(answering(status, REASON)).rejects.toBeInstanceOf(TemporaryRefusal);
});

test.each([500, 507])('the daemon failed with the status %d and a reason', async status => {
  await expect(answering(status, REASON)).rejects.toBeInstanceOf(DaemonFailed);
});

test.each([
  ...[400, 401, 403, 404, 405, 409, 413].map(status => ({ status, isRefusal: true })),
  ...[408, 429, 500, 502].map(status => ({ status, isRefusal: false })),
])('a page with the status $status is worth a repetition', async ({ status, isRefusal }) => {
  const error: unknown = await answering(status).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ForeignReply);
  expect(error instanceof ForeignReply && error.isRefusal).toBe(isRefusal);
});

test('a 404 of the daemon is an answer only for what may be missing, and that of a proxy never is', async () => {
  expect(await answering(404, REASON, { mayBeMissing: true })).toBe(404);
  await expect(answering(404, REASON)).rejects.toBeInstanceOf(HostRequestRefused);
  await expect(answering(404, PAGE, { mayBeMissing: true })).rejects.toBeInstanceOf(ForeignReply);
});

test('a page is no message of the daemon, and JSON of another form is one of another version', () => {
  const read = (text: string) => () =>
    parsedReply({ status: 200, headers: {}, body: Buffer.from(text) }, z.strictObject({ run: z.string() }));
  expect(read('{"run":"run-1"}')()).toEqual({ run: 'run-1' });
  expect(read('<title>Sign in</title>')).toThrow(ForeignReply);
  expect(read('<title>Sign in</title>')).toThrow(/begins with "<title>Sign in.*Check the address/);
  expect(read('{"walk":1}')).toThrow(RangeError);
});
