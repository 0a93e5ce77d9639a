// Byte streams of processes in containers. The engine multiplexes output and errors on one connection, with a header of 8 bytes before
// each piece. docker-modem's demuxStream is not used: it copies every piece and holds it back until it is complete.

import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { asError } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';

/** A stream to and from a process in a container. */
export interface ByteStream {
  write(data: Uint8Array): void;
  /** Calls the listener in order. Data that arrived before the listener comes first. */
  onData(listener: (data: Uint8Array) => void): void;
  /** Resolves with the exit code, if it is known. Never rejects. */
  readonly closed: Promise<number | undefined>;
  /** Closes the input; output is still received. */
  end(): void;
  close(): void;
}

/** Of each connection to a container. */
export interface ConnectionOptions {
  /** The desktop, for errors. */
  readonly thing: string;
  readonly clock: Clock;
}

export const connectionError = (
  { thing }: ConnectionOptions,
  message: string,
  cause?: unknown,
): BoundaryError => new BoundaryError({ boundary: 'environment', thing, message }, { cause });

/** The output of a process; its errors are dropped. `exitCode` is called once, after the process has closed the connection. */
export function processStream(connection: Duplex, exitCode: () => Promise<number | undefined>): ByteStream {
  const { push, onData } = bufferedListener();
  const read = demultiplexer((channel, data) => channel === 'output' && push(data));
  let isClosedHere = false;
  const closed = new Promise<number | undefined>(resolve => {
    connection.once('close', () => {
      if (isClosedHere) return resolve(undefined);
      exitCode().then(resolve, () => resolve(undefined));
    });
  });
  connection.on('error', () => undefined); // `closed` reports the loss; nobody needs the reason.
  connection.on('data', (piece: Buffer) => {
    try {
      read(piece);
    } catch (error) {
      connection.destroy(asError(error));
    }
  });
  return {
    write: data => {
      if (connection.writable) connection.write(data);
    },
    onData,
    closed,
    end: () => connection.end(),
    close: () => {
      isClosedHere = true;
      connection.destroy();
    },
  };
}

export type OutputChannel = 'output' | 'errors';

const HEADER_BYTES = 8;
const CHANNELS: Readonly<Record<number, OutputChannel>> = { 0: 'output', 1: 'output', 2: 'errors' };

/** Accepts pieces of any size and emits the payload of each channel at once. Throws if there is no header. */
export function demultiplexer(
  emit: (channel: OutputChannel, data: Uint8Array) => void,
): (piece: Uint8Array) => void {
  const header = Buffer.alloc(HEADER_BYTES);
  let filled = 0;
  let left = 0;
  let channel: OutputChannel = 'output';
  return piece => {
    let at = 0;
    while (at < piece.length) {
      if (left > 0) {
        const part = piece.subarray(at, at + left);
        at += part.length;
        left -= part.length;
        emit(channel, part);
        continue;
      }
      const part = piece.subarray(at, at + HEADER_BYTES - filled);
      header.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < HEADER_BYTES) return;
      filled = 0;
      channel = channelOf(header);
      left = header.readUInt32BE(4);
    }
  };
}

function channelOf(header: Buffer): OutputChannel {
  const channel = CHANNELS[header.readUInt8()];
  if (channel !== undefined) return channel;
  const hex = header.toString('hex');
  throw new RangeError(
    `'${hex}' is not a header of an engine's stream: a proxy before the engine changes it`,
  );
}

/** Passes data to one listener, and buffers what arrives before there is one. */
export function bufferedListener(): Pick<ByteStream, 'onData'> & {
  readonly push: (data: Uint8Array) => void;
} {
  const early: Uint8Array[] = [];
  let emit = (data: Uint8Array): void => void early.push(data);
  return {
    push: data => emit(data),
    onData: listener => {
      emit = listener;
      for (const data of early.splice(0)) listener(data);
    },
  };
}

/** Splits pieces into lines. A line beyond `maxBytes` is emitted as undefined. */
export function lineReader(
  maxBytes: number,
  emit: (line: string | undefined) => void,
): (piece: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let length = 0;
  return piece => {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      pieces.push(piece.subarray(from, end));
      length += end - from;
      emit(length > maxBytes ? undefined : Buffer.concat(pieces).toString('utf8'));
      pieces = [];
      length = 0;
      from = end + 1;
    }
    length += piece.length - from;
    if (length > maxBytes) pieces = [];
    else if (from < piece.length) pieces.push(piece.subarray(from));
  };
}
