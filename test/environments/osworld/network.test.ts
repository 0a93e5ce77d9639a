// Downloads of files of tasks: their deadline, and the reason of a failure.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { networkOf } from '../../../runtime/environments/osworld/network.ts';
import { freePort } from '../../free-port.ts';

const ATTEMPTS = 3;

test('a download beyond its deadline is aborted, also at the server', async () => {
  let begun = 0;
  let aborted = 0;
  const server = createServer((_, response) => {
    begun += 1;
    response.once('close', () => {
      aborted += 1;
    });
    response.write('the first part');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const clock = new VirtualClock();
  const url = `http://127.0.0.1:${port}/file`;
  const failed = expect(networkOf(clock)(url)).rejects.toThrow(
    `cannot download ${url}: ${url} did not finish within 300 s.`,
  );
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await expect.poll(() => begun).toBe(attempt);
    await clock.run(clock.now() + 310_000);
  }
  await failed;
  await expect.poll(() => aborted).toBe(ATTEMPTS);
});

test('a refused connection is reported with its reason', async () => {
  const port = await freePort();
  // Pauses take no time, and deadlines never pass.
  const clock = {
    now: () => 0,
    sleep: (_ms: number, signal?: AbortSignal) =>
      signal === undefined ? Promise.resolve() : new Promise<void>(() => undefined),
  };
  await expect(networkOf(clock)(`http://127.0.0.1:${port}/file`)).rejects.toThrow(
    `file: connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
});
