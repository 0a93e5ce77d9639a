// The client of the warden, the first process of a container (images/warden): programs and the screen as streams, and a reset of the
// desktop. Everything shares one connection, because one exec per stream would cost the engine more than the desktop itself.

import type { Clock } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { messageOf } from '../../core/errors.ts';
import type { DockerHost } from './host.ts';
import { type ByteStream, bufferedListener, type ConnectionOptions, connectionError } from './streams.ts';

/** One letter, a channel, two bytes of length, and the bytes. */
export interface WardenFrame {
  readonly kind: string;
  readonly channel: number;
  readonly bytes: Uint8Array;
}

const HEADER_BYTES = 4;
const MAX_FRAME_BYTES = 0xffff;

/** Splits a long payload into several frames. An empty payload is one empty frame. */
export function encodeFrame(kind: string, channel: number, bytes = new Uint8Array(0)): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_FRAME_BYTES) {
    const piece = bytes.subarray(at, at + MAX_FRAME_BYTES);
    parts.push(Buffer.from([kind.charCodeAt(0), channel, piece.length >> 8, piece.length & 0xff]), piece);
  }
  return Buffer.concat(parts);
}

/** Accepts pieces of any size. */
export function frameDecoder(emit: (frame: WardenFrame) => void): (piece: Uint8Array) => void {
  let rest: Uint8Array = new Uint8Array(0);
  return piece => {
    let all = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (;;) {
      const [kind, channel, high, low] = all;
      if (kind === undefined || channel === undefined || high === undefined || low === undefined) break;
      const end = HEADER_BYTES + high * 256 + low;
      if (all.length < end) break;
      emit({ kind: String.fromCharCode(kind), channel, bytes: all.subarray(HEADER_BYTES, end) });
      all = all.subarray(end);
    }
    rest = all;
  };
}

/** A program and its arguments, each terminated by a zero. */
export const encodeArguments = (command: readonly string[]): Uint8Array<ArrayBuffer> =>
  Buffer.from(command.map(word => `${word}\0`).join(''), 'utf8');

/** A busy machine can be a hundred times slower than an idle one. */
const RESET_TIMEOUT_MS = 15_000;
/** Channel 0 is the warden itself. */
const CHANNELS = 256;

interface Channel {
  readonly stream: ByteStream;
  readonly push: (bytes: Uint8Array) => void;
  readonly resolveClosed: (code: number | undefined) => void;
}

export class Warden {
  readonly #stream: ByteStream;
  readonly #options: ConnectionOptions;
  readonly #channels = new Map<number, Channel>();
  #lastChannel = 0;
  #isClosed = false;
  /** Receives what the reset could not undo. */
  #onReset: ((left: string) => void) | undefined;

  constructor(stream: ByteStream, options: ConnectionOptions) {
    this.#stream = stream;
    this.#options = options;
    stream.onData(frameDecoder(frame => this.#receive(frame)));
    void stream.closed.then(() => {
      this.#isClosed = true;
      this.#closeAll();
    });
  }

  /** Resolves when the connection ends. */
  get closed(): Promise<unknown> {
    return this.#stream.closed;
  }

  run(command: readonly string[]): ByteStream {
    return this.#open('r', encodeArguments(command));
  }

  /** The screen of the desktop; the warden waits for it while the desktop starts. */
  screen(): ByteStream {
    return this.#open('s');
  }

  /** The first bytes of the screen. If it ends first, a text that begins with 'nothing'. */
  async greeting(): Promise<string> {
    const screen = this.screen();
    const greeting = await new Promise<string>(resolve => {
      screen.onData(data => resolve(Buffer.from(data).toString('latin1')));
      void screen.closed.then(code =>
        resolve(`nothing (${code === undefined ? 'it is gone' : `exit ${code}`})`),
      );
    });
    screen.close();
    return greeting;
  }

  /** Extends the lease: without frames the warden ends its container. Closing channel 0 has no other effect. */
  heartbeat(): void {
    if (!this.#isClosed) this.#stream.write(encodeFrame('c', 0));
  }

  /**
   * Kills all processes, empties all writable folders and restarts the session, as in a new container. Rejects if that is not certain;
   * then the container must be replaced.
   */
  async reset(): Promise<void> {
    try {
      const answer = new Promise<string>((resolve, reject) => {
        this.#onReset = resolve;
        void this.closed.then(() => reject(new Error('the container ended')));
      });
      this.#closeAll();
      this.#stream.write(encodeFrame('a', 0));
      const { clock } = this.#options;
      const left = await withDeadline(answer, { what: 'the reset', ms: RESET_TIMEOUT_MS, clock });
      if (left !== '') throw new Error(`it could not undo everything: ${left.replace(/; $/, '')}`);
    } catch (error) {
      throw connectionError(this.#options, `reset: ${messageOf(error)}`, error);
    } finally {
      this.#onReset = undefined;
    }
  }

  close(): void {
    this.#stream.close();
  }

  #open(kind: string, bytes?: Uint8Array<ArrayBuffer>): ByteStream {
    const number = this.#freeChannel();
    const { push, onData } = bufferedListener();
    let resolveClosed: Channel['resolveClosed'] = () => undefined;
    const closed = new Promise<number | undefined>(resolve => {
      resolveClosed = resolve;
    });
    const send = (frame: string, data?: Uint8Array) => {
      if (this.#channels.get(number)?.stream === stream)
        this.#stream.write(encodeFrame(frame, number, data && new Uint8Array(data)));
    };
    const stream: ByteStream = {
      write: data => send('d', data),
      onData,
      closed,
      end: () => send('e'),
      close: () => {
        send('c');
        this.#end(number, stream, undefined);
      },
    };
    this.#channels.set(number, { stream, push, resolveClosed });
    if (this.#isClosed) this.#closeAll();
    else this.#stream.write(encodeFrame(kind, number, bytes));
    return stream;
  }

  /** Uses the numbers in turn, so that late output of an ended program does not reach the next one. */
  #freeChannel(): number {
    for (let tries = 1; tries < CHANNELS; tries++) {
      this.#lastChannel = (this.#lastChannel % (CHANNELS - 1)) + 1;
      if (!this.#channels.has(this.#lastChannel)) return this.#lastChannel;
    }
    const message = `it runs ${CHANNELS - 1} programs, which is the maximum; reset it`;
    throw connectionError(this.#options, message);
  }

  #receive({ kind, channel, bytes }: WardenFrame): void {
    const found = this.#channels.get(channel);
    if (kind === 'a') this.#onReset?.(Buffer.from(bytes).toString('utf8'));
    else if (kind === 'd') found?.push(bytes);
    else if (kind === 'x' && found !== undefined)
      this.#end(channel, found.stream, Number(Buffer.from(bytes).toString('latin1')));
  }

  #end(number: number, stream: ByteStream, code: number | undefined): void {
    const found = this.#channels.get(number);
    if (found?.stream !== stream) return;
    this.#channels.delete(number);
    found.resolveClosed(code);
  }

  #closeAll(): void {
    for (const [number, { stream }] of this.#channels) this.#end(number, stream, undefined);
  }
}

/** True for what a screen says first. */
export const isScreen = (greeting: string): boolean => greeting.startsWith('RFB ');

/** Resolves once the screen of a new container answers. Whether its panel is painted can only be seen on the screen. */
export async function connectWarden(host: DockerHost, id: string, clock: Clock): Promise<Warden> {
  const options = { thing: `container ${id.slice(0, 12)}`, clock };
  const warden = new Warden(await host.attach(id), options);
  const greeting = await warden.greeting();
  if (isScreen(greeting)) return warden;
  warden.close();
  const message = `its screen answered ${greeting} instead of RFB; use an image with Dartboard's warden`;
  throw connectionError(options, message);
}
