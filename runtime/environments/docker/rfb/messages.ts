// The messages of the RFB protocol 3.8 that Dartboard's desktops use: a parser for the server's side, which accepts chunks of any size, and
// encoders for the client's side.

import type { Box, Point, Size } from '../../../core/screen.ts';

/**
 * Encodings that the client requests. Raw pixels are about 40 KB per step. Compressed ones are fewer, but both sides would pay for the
 * compression, and the connection is fast.
 */
export const ENCODING = {
  raw: 0,
  copy: 1,
  resized: -223,
  pointer: -239,
  fence: -312,
  continuous: -313,
} as const;

/** Flags of a fence. `request` demands a reply; the others set the order relative to other messages. */
export const FENCE = { before: 1, after: 2, next: 4, request: 0x8000_0000 } as const;

/** The only supported security type. The socket is inside the container. */
export const NO_SECURITY = 1;

/** Blue, green, red and an unused byte: the internal format of Xvnc, so that it converts nothing. */
const PIXEL_BYTES = 4;

/** Receives the server's messages in order. `bytes` are valid only during the call. */
export interface RfbListener {
  version(text: string): void;
  security(types: readonly number[]): void;
  /** The server refused the connection. */
  refused(reason: string): void;
  welcome(): void;
  start(size: Size): void;
  /** Pixels of one row, starting at (x, y). */
  row(x: number, y: number, width: number, bytes: Uint8Array, at: number): void;
  copy(to: Box, from: Point): void;
  resized(size: Size): void;
  /** The end of an update. `drawn` is true if it contained pixels. */
  updated(drawn: boolean): void;
  fence(flags: number, payload: Uint8Array): void;
  /** The server supports continuous updates, or has ended them. */
  continuous(): void;
}

/** The position of the requested bytes. */
interface Source {
  bytes: Uint8Array;
  at: number;
}

/** A generator that yields a number of bytes, and receives their position. */
type Reading<T = void> = Generator<number, T, Source>;

const OLD_VERSION = 'RFB 003.003\n';

/** Limits of valid messages. */
const MAX_PIECE_BYTES = 1 << 18;
const MAX_SIDE = 1 << 14;
/** Four times those of the largest desktop. */
const MAX_PIXELS = 4 * 1920 * 1080;
const MAX_REASON_BYTES = 4096;

/** Parses the server's messages from chunks of any size. */
export class RfbParser {
  readonly #reading: Reading<never>;
  readonly #source: Source;
  #need: number;
  #filled = 0;
  #partial = new Uint8Array(4096);

  constructor(listener: RfbListener) {
    this.#source = { bytes: this.#partial, at: 0 };
    this.#reading = conversation(listener);
    this.#need = this.#reading.next(this.#source).value;
  }

  /** Throws if the data is not RFB. The parser is unusable after that. */
  push(chunk: Uint8Array): void {
    let at = 0;
    for (;;) {
      const need = this.#need;
      if (this.#filled === 0 && chunk.length - at >= need) {
        this.#source.bytes = chunk;
        this.#source.at = at;
        at += need;
      } else {
        const taken = Math.min(need - this.#filled, chunk.length - at);
        this.#append(chunk, at, taken);
        at += taken;
        if (this.#filled < need) return;
        this.#source.bytes = this.#partial;
        this.#source.at = 0;
        this.#filled = 0;
      }
      this.#need = this.#reading.next(this.#source).value;
    }
  }

  #append(chunk: Uint8Array, at: number, length: number): void {
    if (this.#need > this.#partial.length) {
      const grown = new Uint8Array(this.#need);
      grown.set(this.#partial.subarray(0, this.#filled));
      this.#partial = grown;
    }
    this.#partial.set(chunk.subarray(at, at + length), this.#filled);
    this.#filled += length;
  }
}

function* conversation(listener: RfbListener): Reading<never> {
  const version = text(yield 12, 12);
  listener.version(version);
  // Xvnc answers a blocked client in RFB 3.3. Its security type has four bytes.
  const types = version === OLD_VERSION ? word(yield 4) : byte(yield 1);
  if (types === 0) {
    listener.refused(yield* reason());
    throw new Error('the server refused the connection');
  }
  if (version === OLD_VERSION) throw new Error('the server has only RFB 3.3, and the client needs 3.8');
  const { bytes, at } = yield types;
  listener.security([...bytes.subarray(at, at + types)]);
  if (word(yield 4) !== 0) {
    listener.refused(yield* reason());
    throw new Error('the server refused the connection');
  }
  listener.welcome();
  const init = yield 24;
  const size = sized(half(init, 0), half(init, 2));
  yield* skip(word(init, 20));
  listener.start(size);
  for (;;) yield* message(listener);
}

function* reason(): Reading<string> {
  const length = word(yield 4);
  if (length > MAX_REASON_BYTES)
    throw new Error(`a refusal with a reason of ${length} bytes is not valid RFB`);
  return text(yield length, length);
}

function* message(listener: RfbListener): Reading {
  const kind = byte(yield 1);
  switch (kind) {
    case 0:
      return yield* update(listener);
    case 1: {
      const count = half(yield 5, 3);
      return yield* skip(count * 6);
    }
    case 2:
      return;
    case 3:
      return yield* skip(word(yield 7, 3));
    case 150:
      return listener.continuous();
    case 248: {
      const head = yield 8;
      const [flags, length] = [word(head, 3), byte(head, 7)];
      const { bytes, at } = yield length;
      return listener.fence(flags, bytes.subarray(at, at + length));
    }
    default:
      throw new Error(`the server sent an unknown message of type ${kind}`);
  }
}

function* update(listener: RfbListener): Reading {
  const count = half(yield 3, 1);
  let drawn = false;
  for (let index = 0; index < count; index++) {
    const head = yield 12;
    const box = { x: half(head, 0), y: half(head, 2), width: half(head, 4), height: half(head, 6) };
    drawn = (yield* rectangle(listener, box, word(head, 8) | 0)) || drawn;
  }
  listener.updated(drawn);
}

/** Returns true if the rectangle contained pixels. */
function* rectangle(listener: RfbListener, box: Box, encoding: number): Reading<boolean> {
  const { x, y, width, height } = box;
  switch (encoding) {
    case ENCODING.raw:
      // Without pixels, rows would cost time and no bytes.
      if (width === 0) return false;
      for (let row = 0; row < height; row++) {
        const { bytes, at } = yield width * PIXEL_BYTES;
        listener.row(x, y + row, width, bytes, at);
      }
      return true;
    case ENCODING.copy: {
      const head = yield 4;
      listener.copy(box, { x: half(head, 0), y: half(head, 2) });
      return true;
    }
    case ENCODING.pointer:
      yield* skip(width * height * PIXEL_BYTES + Math.ceil(width / 8) * height);
      return false;
    case ENCODING.resized:
      listener.resized(sized(width, height));
      return true;
    default:
      throw new Error(`the server sent the encoding ${encoding}, which the client did not request`);
  }
}

function* skip(length: number): Reading {
  if (length > MAX_SIDE * MAX_SIDE) throw new Error(`${length} bytes in one piece are not valid RFB`);
  for (let left = length; left > 0; left -= MAX_PIECE_BYTES) yield Math.min(left, MAX_PIECE_BYTES);
}

function sized(width: number, height: number): Size {
  const isValid = width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE;
  if (isValid && width * height <= MAX_PIXELS) return { width, height };
  throw new Error(`a screen of ${width}x${height} pixels is not valid`);
}

function byte({ bytes, at }: Source, offset = 0): number {
  const value = bytes[at + offset];
  if (value === undefined) throw new RangeError(`no byte at ${at + offset} of ${bytes.length}`);
  return value;
}

const half = (source: Source, offset = 0): number => (byte(source, offset) << 8) | byte(source, offset + 1);

const word = (source: Source, offset = 0): number =>
  half(source, offset) * 0x1_0000 + half(source, offset + 2);

const text = ({ bytes, at }: Source, length: number): string =>
  new TextDecoder().decode(bytes.subarray(at, at + length));

/** The client's messages. */
export const encode = {
  version: (): Uint8Array => new TextEncoder().encode('RFB 003.008\n'),

  security: (type: number): Uint8Array => Uint8Array.of(type),

  /** Shared: other clients may connect, too. */
  init: (): Uint8Array => Uint8Array.of(1),

  pixelFormat: (): Uint8Array =>
    Uint8Array.of(
      ...[0, 0, 0, 0],
      ...[32, 24, 0, 1],
      ...[0, 255, 0, 255, 0, 255],
      ...[16, 8, 0],
      ...[0, 0, 0],
    ),

  encodings: (encodings: readonly number[]): Uint8Array =>
    Uint8Array.of(2, 0, ...halves(encodings.length), ...encodings.flatMap(words)),

  request: ({ x, y, width, height }: Box, changesOnly: boolean): Uint8Array =>
    Uint8Array.of(3, changesOnly ? 1 : 0, ...[x, y, width, height].flatMap(halves)),

  key: (keysym: number, down: boolean): Uint8Array => Uint8Array.of(4, down ? 1 : 0, 0, 0, ...words(keysym)),

  /** Bit 0 of `buttons` is the left one. */
  pointer: ({ x, y }: Point, buttons: number): Uint8Array =>
    Uint8Array.of(5, buttons, ...halves(x), ...halves(y)),

  continuous: (on: boolean, { x, y, width, height }: Box): Uint8Array =>
    Uint8Array.of(150, on ? 1 : 0, ...[x, y, width, height].flatMap(halves)),

  fence: (flags: number, payload: Uint8Array): Uint8Array =>
    Uint8Array.of(248, 0, 0, 0, ...words(flags), payload.length, ...payload),
};

const halves = (value: number): number[] => [(value >> 8) & 255, value & 255];

const words = (value: number): number[] => [...halves(value >>> 16), ...halves(value & 0xffff)];
