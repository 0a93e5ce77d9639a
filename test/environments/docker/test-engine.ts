// What tests with a real engine share.

import { defaultAddress, hostSettings } from '../../../runtime/environments/docker/address.ts';
import type { ByteStream } from '../../../runtime/environments/docker/streams.ts';

export const localAddress = defaultAddress(hostSettings());

/** Any image with a shell and the programs of Debian's base does. */
export const TEST_IMAGE = 'debian:bookworm-slim';

/** Milliseconds for what comes before and after tests: an engine on a busy machine takes seconds for each container. */
export const SLOW = 60_000;

/** All that a process has said so far. */
export function heard(stream: ByteStream): () => string {
  const pieces: Uint8Array[] = [];
  stream.onData(data => pieces.push(data));
  return () => Buffer.concat(pieces).toString('utf8');
}

export async function until(isSo: () => boolean, milliseconds = 30_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`not so after ${milliseconds} ms: ${isSo}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
