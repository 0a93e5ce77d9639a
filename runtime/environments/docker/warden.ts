// The first process of a desktop's container, as who uses the desktop talks to it: programs and the screen as streams, and everything
// anew. All of it goes over one connection, where a process of its own for each would cost the engine more than the desktop itself.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import { type ByteStream, bufferedListener } from './streams.ts';
import { encodeArguments, encodeFrame, frameDecoder, type WardenFrame } from './warden-frames.ts';

export interface WardenOptions {
  /** The desktop, in errors. */
  readonly thing: string;
  readonly clock: Clock;
}

/** Milliseconds: a busy machine takes seconds for what takes a tenth of one when it is idle. */
const PATIENCE = 15_000;
/** 0 is the warden's own. */
const CHANNELS = 256;

interface Channel {
  readonly stream: ByteStream;
  readonly hear: (bytes: Uint8Array) => void;
  readonly over: (code: number | undefined) => void;
}

export class Warden {
  readonly #stream: ByteStream;
  readonly #options: WardenOptions;
  readonly #channels = new Map<number, Channel>();
  #last = 0;
  #isOver = false;
  /** Told what is left once everything is new. */
  #anew: ((left: string) => void) | undefined;

  constructor(stream: ByteStream, options: WardenOptions) {
    this.#stream = stream;
    this.#options = options;
    stream.onData(frameDecoder(frame => this.#hear(frame)));
    void stream.closed.then(() => {
      this.#isOver = true;
      this.#closeAll();
    });
  }

  /** Once the connection is gone. */
  get closed(): Promise<unknown> {
    return this.#stream.closed;
  }

  run(command: readonly string[]): ByteStream {
    return this.#opened('r', encodeArguments(command));
  }

  /** The desktop's screen; it is waited for while the desktop starts. */
  screen(): ByteStream {
    return this.#opened('s');
  }

  /**
   * Ends all that runs, empties all that can be written, and starts the session: a desktop as in a new container. Rejects where that
   * cannot be shown to be so; then only another container will do.
   */
  async reset(): Promise<void> {
    const { clock } = this.#options;
    const waiting = new AbortController();
    try {
      const left = await new Promise<string>((resolve, reject) => {
        this.#anew = resolve;
        void this.closed.then(() => reject(this.#failure('its container was gone when it was made new')));
        clock.sleep(PATIENCE, waiting.signal).then(
          () => reject(this.#failure(`it was not made new within ${PATIENCE / 1000} s`)),
          () => undefined,
        );
        this.#closeAll();
        this.#stream.write(encodeFrame('a', 0));
      });
      if (left !== '')
        throw this.#failure(`what was done in it cannot be undone: ${left.replace(/; $/, '')}`);
    } finally {
      this.#anew = undefined;
      waiting.abort();
    }
  }

  close(): void {
    this.#stream.close();
  }

  #opened(kind: string, bytes?: Uint8Array): ByteStream {
    const number = this.#free();
    const { tell, onData } = bufferedListener();
    let over: (code: number | undefined) => void = () => undefined;
    const closed = new Promise<number | undefined>(resolve => {
      over = resolve;
    });
    const isOpen = () => this.#channels.get(number)?.stream === stream;
    const say = (said: string, data?: Uint8Array) => {
      if (isOpen()) this.#stream.write(encodeFrame(said, number, data));
    };
    const stream: ByteStream = {
      write: data => say('d', data),
      onData,
      closed,
      end: () => say('e'),
      close: () => {
        say('c');
        this.#end(number, stream, undefined);
      },
    };
    this.#channels.set(number, { stream, hear: tell, over });
    if (this.#isOver) this.#closeAll();
    else this.#stream.write(encodeFrame(kind, number, bytes));
    return stream;
  }

  /** Another one each time, so that what is said late is not taken for what another said. */
  #free(): number {
    for (let tried = 1; tried < CHANNELS; tried++) {
      this.#last = (this.#last % (CHANNELS - 1)) + 1;
      if (!this.#channels.has(this.#last)) return this.#last;
    }
    throw this.#failure(`${CHANNELS - 1} programs run in it at once, and no more can`);
  }

  #hear({ kind, channel, bytes }: WardenFrame): void {
    const found = this.#channels.get(channel);
    if (kind === 'a') this.#anew?.(Buffer.from(bytes).toString('utf8'));
    else if (kind === 'd') found?.hear(bytes);
    else if (kind === 'x' && found !== undefined)
      this.#end(channel, found.stream, Number(Buffer.from(bytes).toString('latin1')));
  }

  #end(number: number, stream: ByteStream, code: number | undefined): void {
    const found = this.#channels.get(number);
    if (found?.stream !== stream) return;
    this.#channels.delete(number);
    found.over(code);
  }

  #closeAll(): void {
    for (const [number, { stream }] of this.#channels) this.#end(number, stream, undefined);
  }

  #failure(message: string): BoundaryError {
    return new BoundaryError({ boundary: 'environment', thing: this.#options.thing, message });
  }
}
