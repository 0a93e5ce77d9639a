// One desktop in the hands of a person: performs the calls that the daemon requests, one after another.

import type { Clock } from '../../core/clock.ts';
import type { Lease } from '../../core/desktop.ts';
import type { DesktopId } from '../../core/ids.ts';
import type { LentDesktop, LentScreen, LoanCall } from '../../core/loan.ts';
import { copyPixels, type Pixels, type Screen } from '../../core/screen.ts';
import type { Instance, Task } from '../../core/task.ts';
import type { HandedDesktop } from '../../rollout/hand-overs.ts';

interface LoanOptions {
  readonly who: string;
  readonly taskOf: (instance: Instance) => Task;
  readonly clock: Pick<Clock, 'now'>;
}

type LentCall = Exclude<LoanCall, { kind: 'borrow' | 'return' }>;
/** The calls that the desktop performs. */
type DesktopCall = Exclude<LentCall, { kind: 'keep' | 'hold' }>;

export class Loan {
  readonly who: string;
  readonly lent: LentDesktop;
  readonly #lease: Lease;
  readonly #options: LoanOptions;
  readonly #over = new AbortController();
  #usedAt: number;
  /** Never rejects. */
  #calls: Promise<unknown> = Promise.resolve();
  #isBusy = false;
  /** The pixels that the borrower has. */
  #sent: Pixels;

  constructor({ lease, episode }: HandedDesktop, options: LoanOptions) {
    const { renderer, look, clickAgain } = lease.desktop;
    this.who = options.who;
    this.#lease = lease;
    this.#options = options;
    this.#usedAt = options.clock.now();
    this.#sent = copyPixels(episode.screen.pixels);
    this.lent = {
      ...(renderer !== undefined && { renderer }),
      ...{ canLook: look !== undefined, canClickAgain: clickAgain !== undefined },
      episode: { ...episode, screen: { ...episode.screen, pixels: this.#sent } },
    };
  }

  get desktop(): DesktopId {
    return this.#lease.desktop.id;
  }

  /** The desktop has returned. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** A call that runs is a use. */
  get usedAt(): number {
    return this.#isBusy ? this.#options.clock.now() : this.#usedAt;
  }

  /** Rejects with the failure of the desktop. */
  async perform(call: LentCall): Promise<unknown> {
    this.#usedAt = this.#options.clock.now();
    if (call.kind === 'keep') return undefined;
    if (call.kind === 'hold') return this.#untilOver();
    const done = this.#calls.then(() => this.#call(call));
    // Its caller gets the error.
    this.#calls = done.catch(() => undefined);
    return done;
  }

  /** Returns the desktop once its call has ended. `why`: the reason if the borrower did not ask for it. */
  async end(why?: Error): Promise<void> {
    this.#over.abort(why ?? RETURNED);
    await this.#calls;
    this.#lease.release();
  }

  /** Rejects with the reason if the desktop returned by itself. */
  async #untilOver(): Promise<undefined> {
    const { signal } = this.#over;
    if (!signal.aborted)
      await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
    if (signal.reason !== RETURNED) throw signal.reason;
    return undefined;
  }

  async #call(call: DesktopCall): Promise<unknown> {
    this.#isBusy = true;
    try {
      return await this.#onDesktop(call);
    } finally {
      this.#isBusy = false;
      this.#usedAt = this.#options.clock.now();
    }
  }

  async #onDesktop(call: DesktopCall): Promise<unknown> {
    const { desktop } = this.#lease;
    switch (call.kind) {
      case 'reset':
        return this.#shown(await desktop.reset(this.#options.taskOf(call.instance), call.instance.seed));
      case 'act':
        return this.#shown(await desktop.act(call.action));
      case 'look':
        return this.#shown(await desktop.look?.());
      case 'clickAgain':
        return this.#shown(await desktop.clickAgain?.(call.at, call.press));
      case 'query':
        return desktop.query(call.getter);
      case 'setup':
        await desktop.setup(call.step);
        return undefined;
      case 'judge':
        return desktop.judge(call.ending);
    }
  }

  /** The desktop may draw over its pixels, and most looks show nothing new. */
  #shown(screen: Screen | undefined): LentScreen {
    if (screen === undefined)
      throw new RangeError(`Desktop ${this.desktop} has no such call. Use the calls that its loan lists.`);
    const { pixels, ...others } = screen;
    if (samePixels(pixels, this.#sent)) return others;
    this.#sent = copyPixels(pixels);
    return { ...others, pixels: this.#sent };
  }
}

const RETURNED = new Error('The borrower returned the desktop.');

const samePixels = (one: Pixels, other: Pixels): boolean =>
  one.width === other.width && one.layout === other.layout && Buffer.compare(one.data, other.data) === 0;
