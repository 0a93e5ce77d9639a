// A restart of `dartboard model serve` while a client asks: first its connections are reset, then refused, then served again.

import { resetConnections } from './resetting-port.ts';
import { type ServedPolicy, servePolicy } from './served-policy.ts';

export type ServedAddress = Pick<ServedPolicy, 'url' | 'key'>;

/** What the client got before the restart, and for the request that it sent during it. `ask` must send failed requests again. */
export async function askAcrossRestart<T>(
  ask: (address: ServedAddress) => Promise<T>,
): Promise<{ readonly before: T; readonly across: T }> {
  const first = await servePolicy();
  const { url, key } = first;
  const before = await ask({ url, key });
  await first.stop();
  const port = Number(new URL(url).port);
  const down = await resetConnections(port);
  const asked = ask({ url, key });
  // Its failure, if it gives up, is that of the whole function.
  asked.catch(() => undefined);
  await down.wasTried();
  await down.close();
  const second = await servePolicy({ port, key });
  try {
    return { before, across: await asked };
  } finally {
    await second.stop();
  }
}
