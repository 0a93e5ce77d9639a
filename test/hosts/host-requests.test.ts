// The replies that a joined host accepts as those of the daemon.

import { expect, test } from 'vitest';
import * as z from 'zod';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import {
  ForeignReply,
  type HostRequest,
  HostRequestRefused,
  HostRequests,
  parsedReply,
} from '../../runtime/hosts/host-requests.ts';

const PAGE = '<title>Sign in</title>';

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

test.each([400, 403, 409])('the status %d is a refusal', async status => {
  await expect(answering(status)).rejects.toBeInstanceOf(HostRequestRefused);
});

test.each([404, 408, 429, 500, 502])('the status %d is worth a repetition', async status => {
  await expect(answering(status)).rejects.toBeInstanceOf(ForeignReply);
});

test('a 404 of the daemon is an answer only for what may be missing, and that of a proxy never is', async () => {
  const reason = JSON.stringify({ error: 'There is no such blob.' });
  expect(await answering(404, reason, { mayBeMissing: true })).toBe(404);
  await expect(answering(404, reason)).rejects.toBeInstanceOf(HostRequestRefused);
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
