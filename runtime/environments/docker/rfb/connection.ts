// One conversation with a desktop's Xvnc: actions go in, the screen comes out. It says when input was passed on and when all that was
// drawn is here; how long to wait for more is told by `settle.ts`.

import type { Action } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import { BoundaryError } from '../../../core/failure.ts';
import type { Pixels, Size } from '../../../core/screen.ts';
import { actionError, type InputEvent, inputBursts } from '../input.ts';
import { DEFAULT_SETTLE, type SettleLimits, settledAt } from '../settle.ts';
import type { ByteStream } from '../streams.ts';
import { Framebuffer } from './framebuffer.ts';
import { ENCODING, encode, FENCE, NO_SECURITY, type RfbListener, RfbParser } from './messages.ts';

export interface RfbOptions {
  /** The desktop, in errors. */
  readonly thing: string;
  readonly clock: Clock;
  /** Whether the pointer is drawn into the screen; not unless said. */
  readonly pointer?: boolean;
}

/** How long Xvnc may take to answer, in milliseconds. A machine on which many desktops start keeps it waiting for seconds. */
const PATIENCE = 15_000;
/** How often somebody looks whether it takes longer. */
const LOOK = 1000;

/** In the order in which the server is asked for them. */
const ENCODINGS = [
  ENCODING.copy,
  ENCODING.raw,
  ENCODING.resized,
  ENCODING.fence,
  ENCODING.continuous,
] as const;

/** What is waited for, from which moment. */
interface Wait {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: BoundaryError) => void;
}

export class Rfb {
  readonly #stream: ByteStream;
  readonly #options: RfbOptions;
  readonly #parser: RfbParser;
  /** Fences on their way, by number. */
  readonly #fences = new Map<number, Wait>();
  /** Who waits for the next update that has the corner of the screen in it. */
  #corner: Wait[] = [];
  #hasCorner = false;
  #opening: Wait | undefined;
  #out: Uint8Array[] = [];
  #screen: Framebuffer | undefined;
  #isContinuous = false;
  #lastFence = 0;
  #acted: number;
  #changed: number | undefined;
  /** How long the server took to answer since then, at the longest. */
  #lag = 0;
  #changesBefore = 0;
  #changes = 0;
  #isWatched = false;
  #failure: BoundaryError | undefined;

  /** Resolves when the whole screen is here. The stream must be new: it begins with the server's first word. */
  static async open(stream: ByteStream, options: RfbOptions): Promise<Rfb> {
    const rfb = new Rfb(stream, options);
    await rfb.#wait(wait => {
      rfb.#opening = wait;
    });
    return rfb;
  }

  private constructor(stream: ByteStream, options: RfbOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#acted = options.clock.now();
    this.#parser = new RfbParser(this.#listener());
    stream.onData(data => this.#hear(data));
    void stream.closed.then(code =>
      this.#break(`its screen is gone${code === undefined ? '' : ` (exit code ${code})`}`),
    );
  }

  /** Of the screen that the policy sees. */
  get size(): Size {
    return this.#here().scaled;
  }

  /** Grows whenever something on the screen becomes other than it was. */
  get changes(): number {
    return this.#changes;
  }

  /** What is on the screen, as far as it is here: the same object as long as nothing has changed. */
  frame(): Pixels {
    return this.#here().frame();
  }

  /** Performs it, once, and resolves when the server has passed it on. What it does to the screen comes later. */
  async act(action: Action): Promise<void> {
    const refused = actionError(action, this.size);
    if (refused !== undefined) throw this.#error(refused);
    const strokes = inputBursts(action);
    for (const { events, until } of strokes) {
      for (const event of events) this.#say(bytesOf(event));
      await this.#passedOn();
      if (until === 'settled') await this.settled();
    }
    if (strokes.length === 0) await this.#passedOn();
  }

  /** Resolves when the server has read all that was said before, and passed input on. */
  async fence(): Promise<void> {
    await this.#wait(wait => this.#sayFence(wait));
  }

  /** The screen with all that applications have drawn by now. */
  async drawn(): Promise<Pixels> {
    // The corner is asked for anew, whether it has changed or not. The server sends it with all that waits to be sent; what it sent
    // before it read this comes before the fence.
    await this.#wait(wait => {
      this.#sayFence({ ...wait, resolve: () => this.#corner.push(wait) });
      this.#say(encode.request({ x: 0, y: 0, width: 1, height: 1 }, false));
    });
    return this.frame();
  }

  /** The screen once it has settled after what was done last. */
  async settled(limits: SettleLimits = DEFAULT_SETTLE): Promise<Pixels> {
    const { clock } = this.#options;
    for (;;) {
      const left = this.#settledAt(limits) - clock.now();
      // A change that comes during the sleep moves the end to after it, so nothing need wake it.
      if (left > 0) await clock.sleep(Math.min(left, limits.quiet));
      else {
        // On a busy machine what was drawn in time may still be on its way, or not be drawn yet.
        const asked = clock.now();
        const pixels = await this.drawn();
        this.#lag = Math.max(this.#lag, clock.now() - asked);
        if (clock.now() >= this.#settledAt(limits)) return pixels;
      }
    }
  }

  /** May be called more than once. What is under way rejects. */
  close(): void {
    this.#break('it was closed');
  }

  #settledAt(limits: SettleLimits): number {
    this.#here();
    return settledAt({ acted: this.#acted, changed: this.#changed, lag: this.#lag }, limits);
  }

  /** As a fence, and from there on changes are taken for an effect of what was said: those told before it cannot be. */
  async #passedOn(): Promise<void> {
    await this.#wait(wait =>
      this.#sayFence({
        ...wait,
        // At once, and not when the promise is: a change may stand behind the fence in the same chunk.
        resolve: () => {
          this.#begin(this.#options.clock.now() - wait.since);
          wait.resolve();
        },
      }),
    );
  }

  #begin(lag: number): void {
    this.#acted = this.#options.clock.now();
    this.#changed = undefined;
    this.#lag = lag;
  }

  #listener(): RfbListener {
    return {
      version: text => {
        if (!/^RFB 003\.\d{3}\n$/.test(text)) throw new Error(`${JSON.stringify(text)} is no RFB`);
        this.#say(encode.version());
      },
      security: types => {
        if (!types.includes(NO_SECURITY))
          throw new Error(`its Xvnc asks for a password: start it with -SecurityTypes None`);
        this.#say(encode.security(NO_SECURITY));
      },
      refused: reason => this.#break(`its Xvnc refuses: ${reason}`),
      welcome: () => this.#say(encode.begin()),
      start: size => this.#start(size),
      row: (x, y, width, bytes, at) => {
        this.#hasCorner ||= x === 0 && y === 0;
        this.#here().row(x, y, width, bytes, at);
      },
      copy: (to, from) => this.#here().copy(to, from),
      resized: size => {
        this.#screen = new Framebuffer(size);
        this.#changesBefore = -1;
        this.#follow();
      },
      updated: drawn => {
        if (drawn) this.#updated();
      },
      fence: (flags, payload) => this.#heardFence(flags, payload),
      continuous: () => {
        if (this.#isContinuous) return;
        this.#isContinuous = true;
        this.#follow();
      },
    };
  }

  #start(size: Size): void {
    this.#screen = new Framebuffer(size);
    const { pointer = false } = this.#options;
    this.#say(encode.pixelFormat());
    // Who draws the pointer himself is sent its picture, and a screen without it.
    this.#say(encode.encodings(pointer ? ENCODINGS : [...ENCODINGS, ENCODING.pointer]));
    // Until somebody has moved the pointer the server draws it in any case. It goes where the fewest windows are: over a button, it
    // would light it up.
    this.#say(encode.pointer({ x: size.width - 1, y: size.height >> 1 }, 0));
    this.#say(encode.request({ x: 0, y: 0, ...size }, false));
  }

  /** Asks to be told of every change without asking again. */
  #follow(): void {
    const box = { x: 0, y: 0, ...this.#here().size };
    if (this.#isContinuous) this.#say(encode.continuous(true, box));
    this.#say(encode.request(box, false));
  }

  #updated(): void {
    const { changes } = this.#here();
    if (changes !== this.#changesBefore) {
      this.#changesBefore = changes;
      this.#changes += 1;
      this.#changed = this.#options.clock.now();
    }
    if (!this.#isContinuous) this.#say(encode.request({ x: 0, y: 0, ...this.#here().size }, true));
    if (!this.#hasCorner) return;
    this.#hasCorner = false;
    this.#opening?.resolve();
    this.#opening = undefined;
    for (const wait of this.#corner.splice(0)) wait.resolve();
  }

  #heardFence(flags: number, payload: Uint8Array): void {
    if ((flags & FENCE.request) !== 0) {
      this.#say(encode.fence(flags & (FENCE.before | FENCE.after | FENCE.next), payload));
      return;
    }
    const number = Buffer.from(payload).readUInt32BE();
    const wait = this.#fences.get(number);
    this.#fences.delete(number);
    wait?.resolve();
  }

  #sayFence(wait: Wait): void {
    this.#lastFence = (this.#lastFence + 1) >>> 0;
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(this.#lastFence);
    this.#fences.set(this.#lastFence, wait);
    this.#say(encode.fence(FENCE.request | FENCE.before, payload));
  }

  #hear(data: Uint8Array): void {
    if (this.#failure !== undefined) return;
    try {
      this.#parser.push(data);
    } catch (error) {
      this.#break(`its screen cannot be read: ${said(error)}`);
    }
    // All answers to one chunk go as one.
    this.#send();
  }

  #say(bytes: Uint8Array): void {
    this.#out.push(bytes);
  }

  #send(): void {
    if (this.#out.length === 0 || this.#failure !== undefined) return;
    const all = Buffer.concat(this.#out);
    this.#out = [];
    this.#stream.write(all);
  }

  /** Sends what was said, and waits for what `register` has the wait resolved by. */
  #wait(register: (wait: Wait) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      register({ since: this.#options.clock.now(), resolve, reject });
      this.#send();
      void this.#watch();
    });
  }

  get #waits(): readonly Wait[] {
    return [...this.#fences.values(), ...this.#corner, ...(this.#opening ? [this.#opening] : [])];
  }

  /** Looks now and then for what has waited too long: a timer for each would cost more than the wait. */
  async #watch(): Promise<void> {
    if (this.#isWatched) return;
    this.#isWatched = true;
    const { clock } = this.#options;
    while (this.#failure === undefined && this.#waits.length > 0) {
      await clock.sleep(LOOK);
      if (this.#waits.some(({ since }) => clock.now() - since > PATIENCE))
        this.#break(`its screen has not answered for ${PATIENCE / 1000} s`);
    }
    this.#isWatched = false;
  }

  #here(): Framebuffer {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#screen === undefined) throw this.#error('its screen is not there yet');
    return this.#screen;
  }

  #break(message: string): void {
    if (this.#failure !== undefined) return;
    const failure = this.#error(message);
    const waits = this.#waits;
    this.#failure = failure;
    this.#fences.clear();
    this.#corner = [];
    this.#opening = undefined;
    for (const wait of waits) wait.reject(failure);
    this.#stream.close();
  }

  #error(message: string): BoundaryError {
    return new BoundaryError({ boundary: 'environment', thing: this.#options.thing, message });
  }
}

const bytesOf = (event: InputEvent): Uint8Array =>
  event.kind === 'pointer' ? encode.pointer(event.at, event.buttons) : encode.key(event.keysym, event.down);

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
