// The RFB connection to a desktop's Xvnc: sends actions, receives the screen, and knows when the server has forwarded input and when all
// drawn pixels have arrived. settle.ts decides how long to wait for more.

import type { Action } from '../../../core/action.ts';
import { actionError } from '../../../core/action-error.ts';
import { sleepUnlessAborted } from '../../../core/clock.ts';
import { messageOf } from '../../../core/errors.ts';
import type { BoundaryError } from '../../../core/failure.ts';
import type { Pixels, Size } from '../../../core/screen.ts';
import { type InputBurst, type InputEvent, inputBursts } from '../input.ts';
import { DEFAULT_SCALE } from '../screen-size.ts';
import { DEFAULT_SETTLE, type SettleLimits, settledAt } from '../settle.ts';
import { type ByteStream, type ConnectionOptions, connectionError } from '../streams.ts';
import { clipboardMessage } from './clipboard.ts';
import { Framebuffer } from './framebuffer.ts';
import { ENCODING, encode, FENCE, NO_SECURITY, type RfbListener, RfbParser } from './messages.ts';

/** A machine on which many desktops start delays Xvnc for seconds. */
const REPLY_TIMEOUT_MS = 15_000;
/** One periodic check of all pending replies: a timer for each would cost more than the reply. */
const TIMEOUT_CHECK_MS = 1000;

/** A copy takes 16 bytes of data and the time of a whole screen: a chunk of thousands would block the process for seconds. In pixels. */
const MAX_COPIED_PER_CHUNK = 1 << 26;
/** The time to begin a row, as pixels that are copied meanwhile. */
const COPIED_ROW_COST = 256;

/** The number of a fence. */
const FENCE_BYTES = 4;

/** In the order of preference. */
const ENCODINGS = [
  ENCODING.copy,
  ENCODING.raw,
  ENCODING.resized,
  ENCODING.fence,
  ENCODING.continuous,
  // A client that could draw the pointer itself receives a screen without it.
  ENCODING.pointer,
] as const;

interface PendingReply {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: BoundaryError) => void;
}

export interface ScreenOptions extends ConnectionOptions {
  /** Desktop pixels per pixel of the agent, in each direction. */
  readonly scale?: number;
}

export class Rfb {
  readonly #stream: ByteStream;
  readonly #options: ScreenOptions;
  readonly #parser: RfbParser;
  /** Fences without a reply, by number. */
  readonly #fences = new Map<number, PendingReply>();
  /** Waits for the next update that contains the top left corner of the screen. */
  #corner: PendingReply[] = [];
  #hasCorner = false;
  #out: Uint8Array[] = [];
  #screen: Framebuffer | undefined;
  #isContinuous = false;
  /** By the present chunk: see MAX_COPIED_PER_CHUNK. */
  #copied = 0;
  #lastFence = 0;
  #actedAt: number;
  #changedAt: number | undefined;
  /** The longest response time since then. */
  #lag = 0;
  #changesBefore = 0;
  #isChecking = false;
  #failure: BoundaryError | undefined;
  readonly #ended = new AbortController();

  /** Resolves when the whole screen has arrived. The stream must begin with the server's greeting. */
  static async open(stream: ByteStream, options: ScreenOptions): Promise<Rfb> {
    const rfb = new Rfb(stream, options);
    await rfb.#wait(wait => rfb.#corner.push(wait));
    return rfb;
  }

  private constructor(stream: ByteStream, options: ScreenOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#actedAt = options.clock.now();
    this.#parser = new RfbParser(this.#listener());
    stream.onData(data => this.#receive(data));
    void stream.closed.then(code =>
      this.#fail(`the connection to its screen ended${code === undefined ? '' : ` (exit code ${code})`}`),
    );
  }

  /** The size of the screen that the policy sees. */
  get size(): Size {
    return this.#ready().scaled;
  }

  /** The received part of the screen: the same object until something changes. */
  frame(): Pixels {
    return this.#ready().frame();
  }

  /** Resolves when the server has forwarded the input. Its effect on the screen follows later. */
  async act(action: Action): Promise<void> {
    const error = actionError(action, this.size);
    if (error !== undefined) throw this.#error(error);
    await this.perform(inputBursts(action, this.#ready().scale));
  }

  /** Like `act`, for events in pixels of the desktop. */
  async perform(bursts: readonly InputBurst[]): Promise<void> {
    for (const { events, until } of bursts) {
      for (const event of events) this.#queue(bytesOf(event));
      await this.#forwarded();
      if (until === 'settled') await this.settled();
    }
    if (bursts.length === 0) await this.#forwarded();
  }

  /** Applications paste the text from now on. */
  async setClipboard(text: string): Promise<void> {
    this.#queue(clipboardMessage(text));
    await this.#forwarded();
  }

  /** The screen with everything that applications have drawn by now. */
  async drawn(): Promise<Pixels> {
    // Requests the corner, changed or not. The server sends it together with all pending updates. Updates that it sent before this
    // request arrive before the fence.
    await this.#wait(wait => {
      this.#queueFence({ ...wait, resolve: () => this.#corner.push(wait) });
      this.#queue(encode.request({ x: 0, y: 0, width: 1, height: 1 }, false));
    });
    return this.frame();
  }

  /** The screen once it has settled after the last action. */
  async settled(limits: SettleLimits = DEFAULT_SETTLE): Promise<Pixels> {
    const { clock } = this.#options;
    for (;;) {
      const left = this.#settledAt(limits) - clock.now();
      // A change during the sleep moves the end beyond it, so the sleep needs no interruption.
      if (left > 0) await clock.sleep(Math.min(left, limits.quiet));
      else {
        // On a busy machine pixels can be in transit or not drawn yet.
        const start = clock.now();
        const pixels = await this.drawn();
        this.#lag = Math.max(this.#lag, clock.now() - start);
        if (clock.now() >= this.#settledAt(limits)) return pixels;
      }
    }
  }

  /** Rejects pending calls. Can be called more than once. */
  close(): void {
    this.#fail('the connection to its screen was closed');
  }

  #settledAt(limits: SettleLimits): number {
    this.#ready();
    return settledAt({ acted: this.#actedAt, changed: this.#changedAt, lag: this.#lag }, limits);
  }

  /** A fence. Changes after its reply count as effects of the input; earlier ones cannot be. */
  async #forwarded(): Promise<void> {
    await this.#wait(wait =>
      this.#queueFence({
        ...wait,
        // Synchronously: a change can follow the fence in the same chunk.
        resolve: () => {
          this.#restart(this.#options.clock.now() - wait.since);
          wait.resolve();
        },
      }),
    );
  }

  #restart(lag: number): void {
    this.#actedAt = this.#options.clock.now();
    this.#changedAt = undefined;
    this.#lag = lag;
  }

  #listener(): RfbListener {
    return {
      version: text => {
        if (!/^RFB 003\.\d{3}\n$/.test(text))
          throw new Error(`${JSON.stringify(text)} is not an RFB greeting`);
        this.#queue(encode.version());
      },
      security: types => {
        if (!types.includes(NO_SECURITY))
          throw new Error("its Xvnc requires a password instead of '-SecurityTypes None'");
        this.#queue(encode.security(NO_SECURITY));
      },
      refused: reason =>
        this.#fail(
          `its Xvnc refused the connection: ${reason}`,
          'Start Xvnc with -UseBlacklist=0, or build the image again.',
        ),
      welcome: () => this.#queue(encode.init()),
      start: size => this.#onStart(size),
      row: (x, y, width, bytes, at) => {
        this.#hasCorner ||= x === 0 && y === 0;
        this.#ready().row(x, y, width, bytes, at);
      },
      copy: (to, from) => {
        this.#copied += (to.width + COPIED_ROW_COST) * to.height;
        if (this.#copied > MAX_COPIED_PER_CHUNK)
          throw new Error(`it copied ${to.width}x${to.height} pixels too often in one piece of data`);
        this.#ready().copy(to, from);
      },
      resized: size => {
        this.#screen = new Framebuffer(size, this.#options.scale ?? DEFAULT_SCALE);
        this.#changesBefore = -1;
        this.#follow();
      },
      updated: drawn => {
        if (drawn) this.#onUpdate();
      },
      fence: (flags, payload) => this.#onFence(flags, payload),
      continuous: () => {
        if (this.#isContinuous) return;
        this.#isContinuous = true;
        this.#follow();
      },
    };
  }

  #onStart(size: Size): void {
    this.#screen = new Framebuffer(size, this.#options.scale ?? DEFAULT_SCALE);
    this.#queue(encode.pixelFormat());
    this.#queue(encode.encodings(ENCODINGS));
    // The server draws the pointer until it first moves. The right edge has the fewest windows: over a button, it would highlight it.
    this.#queue(encode.pointer({ x: size.width - 1, y: size.height >> 1 }, 0));
    this.#queue(encode.request({ x: 0, y: 0, ...size }, false));
  }

  /** Requests all further changes. */
  #follow(): void {
    const box = { x: 0, y: 0, ...this.#ready().size };
    if (this.#isContinuous) this.#queue(encode.continuous(true, box));
    this.#queue(encode.request(box, false));
  }

  #onUpdate(): void {
    const { changes } = this.#ready();
    if (changes !== this.#changesBefore) {
      this.#changesBefore = changes;
      this.#changedAt = this.#options.clock.now();
    }
    if (!this.#isContinuous) this.#queue(encode.request({ x: 0, y: 0, ...this.#ready().size }, true));
    if (!this.#hasCorner) return;
    this.#hasCorner = false;
    for (const wait of this.#corner.splice(0)) wait.resolve();
  }

  #onFence(flags: number, payload: Uint8Array): void {
    if ((flags & FENCE.request) !== 0) {
      this.#queue(encode.fence(flags & (FENCE.before | FENCE.after | FENCE.next), payload));
      return;
    }
    if (payload.length !== FENCE_BYTES)
      throw new Error(`a fence of ${payload.length} bytes is no reply, which has ${FENCE_BYTES}`);
    const number = Buffer.from(payload).readUInt32BE();
    const wait = this.#fences.get(number);
    this.#fences.delete(number);
    wait?.resolve();
  }

  #queueFence(wait: PendingReply): void {
    this.#lastFence = (this.#lastFence + 1) >>> 0;
    const payload = Buffer.alloc(FENCE_BYTES);
    payload.writeUInt32BE(this.#lastFence);
    this.#fences.set(this.#lastFence, wait);
    this.#queue(encode.fence(FENCE.request | FENCE.before, payload));
  }

  #receive(data: Uint8Array): void {
    if (this.#failure !== undefined) return;
    this.#copied = 0;
    try {
      this.#parser.push(data);
    } catch (error) {
      this.#fail(`its screen sent invalid data: ${messageOf(error)}`);
    }
    // One write for all replies to a chunk.
    this.#flush();
  }

  #queue(bytes: Uint8Array): void {
    this.#out.push(bytes);
  }

  #flush(): void {
    if (this.#out.length === 0 || this.#failure !== undefined) return;
    const all = Buffer.concat(this.#out);
    this.#out = [];
    this.#stream.write(all);
  }

  /** Flushes the output, and waits until the registered event resolves it. */
  #wait(register: (wait: PendingReply) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      register({ since: this.#options.clock.now(), resolve, reject });
      this.#flush();
      void this.#checkTimeouts();
    });
  }

  get #pending(): readonly PendingReply[] {
    return [...this.#fences.values(), ...this.#corner];
  }

  async #checkTimeouts(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { clock } = this.#options;
    while (this.#failure === undefined && this.#pending.length > 0) {
      // A closed connection is not kept for the next check.
      await sleepUnlessAborted(clock, TIMEOUT_CHECK_MS, this.#ended.signal);
      if (this.#pending.some(({ since }) => clock.now() - since > REPLY_TIMEOUT_MS))
        this.#fail(`its screen did not answer within ${REPLY_TIMEOUT_MS / 1000} s`);
    }
    this.#isChecking = false;
  }

  #ready(): Framebuffer {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#screen === undefined) throw this.#error('its screen has not arrived yet');
    return this.#screen;
  }

  #fail(message: string, remedy = 'Reset the desktop, or check its image.'): void {
    if (this.#failure !== undefined) return;
    const failure = this.#error(`${message.replace(/\.$/, '')}. ${remedy}`);
    const waits = this.#pending;
    this.#failure = failure;
    this.#ended.abort();
    this.#fences.clear();
    this.#corner = [];
    for (const wait of waits) wait.reject(failure);
    this.#stream.close();
  }

  #error(message: string): BoundaryError {
    return connectionError(this.#options, message);
  }
}

const bytesOf = (event: InputEvent): Uint8Array =>
  event.kind === 'pointer' ? encode.pointer(event.at, event.buttons) : encode.key(event.keysym, event.down);
