// A stream to a program whose output the test writes.

import type { ByteStream } from '../../../runtime/environments/docker/streams.ts';

/** `write` gets the input of the program. `emit` is its output, and `end` its exit. */
export function scriptedStream(write: (data: Uint8Array) => void) {
  let emit = (_: Uint8Array): void => undefined;
  let end = (_: number | undefined): void => undefined;
  const stream: ByteStream = {
    write,
    onData: listener => {
      emit = listener;
    },
    closed: new Promise(resolve => {
      end = resolve;
    }),
    end: () => undefined,
    close: () => end(undefined),
  };
  return { stream, emit: (data: Uint8Array) => emit(data), end: (code?: number) => end(code) };
}
