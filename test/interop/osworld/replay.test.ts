// The recorded requests of OSWorld's client, sent to a Docker desktop: the replies have the recorded shapes. Needs no Python.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeUnless } from '../../environments/docker/engine.ts';
import { missingDesktops } from '../../environments/docker/real-desktops.ts';
import { type RealServer, realServer } from '../../guest-server/real/real-server.ts';
import { CLIENT, type RecordedCall, readSession, shapeOfReply } from './client.ts';

async function replay(address: string, { method, path, type, body }: RecordedCall) {
  const reply = await fetch(`${address}${path}`, {
    method,
    ...(method !== 'GET' && {
      body: Buffer.from(body),
      headers: type === '' ? {} : { 'content-type': type },
    }),
  });
  const bytes = new Uint8Array(await reply.arrayBuffer());
  return shapeOfReply(reply.status, reply.headers.get('content-type') ?? '', bytes);
}

test('the recording is of the pinned version', () => {
  expect(readSession().client).toBe(CLIENT);
});

describeUnless(missingDesktops, "the recorded session of OSWorld's client", () => {
  let server: RealServer;

  beforeAll(async () => {
    server = await realServer();
  });
  afterAll(() => server?.close());

  test('has replies of the recorded shapes', async () => {
    const [address = ''] = server.addresses;
    for (const [index, call] of readSession().calls.entries())
      expect(await replay(address, call), `request ${index}: ${call.path} ${call.body}`).toEqual(call.reply);
  });
});
