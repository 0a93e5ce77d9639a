// A simulated Xvnc: its messages as bytes, and a server in memory.

import type { Box, Size } from '../../../../runtime/core/screen.ts';
import { ENCODING } from '../../../../runtime/environments/docker/rfb/messages.ts';
import type { ByteStream } from '../../../../runtime/environments/docker/streams.ts';

export const u16 = (value: number): number[] => [(value >> 8) & 255, value & 255];
export const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];

export const GREETING = Buffer.from('RFB 003.008\n');

/** The handshake from the security types to the size of the screen. */
export const beginning = ({ width, height }: Size): number[] => [
  ...[2, 1, 16],
  ...u32(0),
  ...u16(width),
  ...u16(height),
  ...Array.from({ length: 16 }, () => 0),
  ...u32(4),
  ...Buffer.from('Xvnc'),
];

export interface Rectangle {
  readonly box: Box;
  readonly encoding: number;
  readonly bytes: readonly number[];
}

export const update = (...rectangles: readonly Rectangle[]): number[] => [
  ...[0, 0],
  ...u16(rectangles.length),
  ...rectangles.flatMap(({ box, encoding, bytes }) => [
    ...[box.x, box.y, box.width, box.height].flatMap(u16),
    ...u32(encoding >>> 0),
    ...bytes,
  ]),
];

/** A box of one colour, 0xRRGGBB. */
export const painted = (box: Box, colour: number): Rectangle => ({
  box,
  encoding: ENCODING.raw,
  bytes: Array.from({ length: box.width * box.height }, () => pixel(colour)).flat(),
});

export const pixel = (colour: number): number[] => [colour & 255, (colour >> 8) & 255, colour >> 16, 0];

export const fence = (flags: number, payload: readonly number[]): number[] => [
  ...[248, 0, 0, 0],
  ...u32(flags),
  payload.length,
  ...payload,
];

/** Splits bytes into pieces of these lengths, repeatedly. */
export function pieces(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const length = Math.max(1, lengths[index % Math.max(1, lengths.length)] ?? bytes.length);
    cut.push(bytes.slice(at, at + length));
    at += length;
  }
  return cut;
}

/** Answers like Xvnc over a stream in memory. The screen has one colour, with painted boxes. */
export class Server implements ByteStream {
  /** The messages of the client, without constant bytes. */
  readonly received: string[] = [];
  readonly closed: Promise<number | undefined>;
  /** False: it does not answer. */
  isAwake = true;
  /** Appended to the next fence reply, in the same chunk. */
  behindFence: readonly number[] = [];
  readonly #size: Size;
  readonly #end: { resolve: (code: number | undefined) => void };
  #hear: (data: Uint8Array) => void = () => {};
  #left = Buffer.alloc(0);
  #greeted = 0;

  constructor(size: Size) {
    this.#size = size;
    let resolve: (code: number | undefined) => void = () => {};
    this.closed = new Promise(done => {
      resolve = done;
    });
    this.#end = { resolve };
  }

  onData(listener: (data: Uint8Array) => void): void {
    this.#hear = listener;
    this.send(GREETING);
  }

  send(bytes: Iterable<number>): void {
    queueMicrotask(() => this.#hear(Uint8Array.from(bytes)));
  }

  paint(box: Box, colour: number): void {
    this.send(update(painted(box, colour)));
  }

  write(data: Uint8Array): void {
    this.#left = Buffer.concat([this.#left, data]);
    for (let length = this.#length(); length > 0 && length <= this.#left.length; length = this.#length()) {
      const message = this.#left.subarray(0, length);
      this.#left = this.#left.subarray(length);
      if (this.isAwake) this.#answer(message);
    }
  }

  end(): void {}

  close(): void {
    this.die(undefined);
  }

  die(code: number | undefined): void {
    this.#end.resolve(code);
  }

  /** The length of the first message; 0 while it is unknown. */
  #length(): number {
    if (this.#greeted < 3) return [12, 1, 1][this.#greeted] ?? 0;
    const bytes = this.#left;
    const kind = bytes[0];
    if (kind === 2) return bytes.length < 4 ? 0 : 4 + 4 * bytes.readUInt16BE(2);
    if (kind === 248) return bytes.length < 9 ? 0 : 9 + (bytes[8] ?? 0);
    return { 0: 20, 3: 10, 4: 8, 5: 6, 150: 10 }[kind ?? -1] ?? 0;
  }

  #answer(message: Buffer): void {
    if (this.#greeted < 3) {
      this.#greeted += 1;
      // The handshake continues with each answer of the client.
      const whole = beginning(this.#size);
      const parts = [whole.slice(0, 3), whole.slice(3, 7), whole.slice(7)];
      this.send(parts[this.#greeted - 1] ?? []);
      return;
    }
    const kind = message[0];
    if (kind === 2) this.send([150]);
    if (kind === 3 && message[1] === 0) this.#show(message);
    if (kind === 248 && message[4] === 0x80) {
      this.send([...fence(1, [...message.subarray(9)]), ...this.behindFence]);
      this.behindFence = [];
    } else if (kind === 248) this.received.push('answered a fence');
    if (kind === 4) this.received.push(`key ${message[1]} ${message.readUInt32BE(4).toString(16)}`);
    if (kind === 5)
      this.received.push(`pointer ${message.readUInt16BE(2)},${message.readUInt16BE(4)} ${message[1]}`);
  }

  #show(request: Buffer): void {
    const [x, y] = [request.readUInt16BE(2), request.readUInt16BE(4)];
    const [width, height] = [request.readUInt16BE(6), request.readUInt16BE(8)];
    this.send(update(painted({ x, y, width, height }, 0x808080)));
  }
}
