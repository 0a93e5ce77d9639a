// Helpers of tests with a real engine.

import { defaultAddress, hostSettings } from '../../../runtime/environments/docker/address.ts';
import { type ContainerOptions, containerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import type { ByteStream } from '../../../runtime/environments/docker/streams.ts';

export const localAddress = defaultAddress(hostSettings());

/** Any image with a shell and Debian's base programs. */
export const TEST_IMAGE = 'debian:bookworm-slim';

/** A container that runs a program of the test image, by default one that only waits. */
export const testSpec = (options: Omit<ContainerOptions, 'image'>, command = ['sleep', '600']) => ({
  ...containerSpec({ ...options, image: TEST_IMAGE }),
  Cmd: command,
});

/** The timeout of set-up and clean-up in milliseconds: a busy engine needs seconds per container. */
export const SLOW = 60_000;

/** The output of a process so far. */
export function outputOf(stream: ByteStream): () => string {
  const pieces: Uint8Array[] = [];
  stream.onData(data => pieces.push(data));
  return () => Buffer.concat(pieces).toString('utf8');
}

export async function until(holds: () => boolean, milliseconds = 30_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not so after ${milliseconds} ms: ${holds}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
