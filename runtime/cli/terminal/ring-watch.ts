// Shows a run to whoever is there: a display that is drawn again and again on a terminal; lines now and then where the output goes
// to a file or another program.

import type { Clock } from '../../core/clock.ts';
import type { RunState } from '../../protocol/daemon/state.ts';
import { accent, faint, indented, type Line, painted, plain } from './line.ts';
import { Live } from './live.ts';
import { hasColour, hasDisplay, type Output } from './output.ts';
import { MARGIN, ringFrame } from './ring-frame.ts';
import { news, type Told } from './ring-report.ts';

/** Milliseconds between two drawings, where no news come: what is waited for gets older, and terminals are resized. */
const DRAW_EVERY = 500;
/** Of what is written where there is no terminal. */
const PAGE = 100;

export interface RingWatchOptions {
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The page that shows it too. */
  readonly address: string;
}

export class RingWatch {
  readonly #output: Output;
  readonly #clock: Clock;
  readonly #address: string;
  readonly #colour: boolean;
  readonly #live: Live | undefined;
  readonly #over = new AbortController();
  #state: RunState | undefined;
  #told: Told | undefined;
  #isStopping = false;

  constructor({ output, environment, clock, address }: RingWatchOptions) {
    this.#output = output;
    this.#clock = clock;
    this.#address = address;
    this.#colour = hasColour(output, environment);
    if (!hasDisplay(output, environment)) {
      this.say(`Open ${address} in a browser to watch it there.`);
      return;
    }
    // Where the display is too narrow for it, it stands above.
    if ((output.columns ?? 80) - 1 - MARGIN < address.length) this.say(address);
    this.#live = new Live(output, this.#colour);
    this.#draw();
    this.#drawOn().catch(() => undefined);
  }

  show(state: RunState): void {
    this.#state = state;
    if (this.#live !== undefined) {
      this.#draw();
      return;
    }
    const { lines, told } = news(state, this.#told);
    this.#told = told;
    if (lines.length > 0) this.say(...lines);
  }

  /** At once, since what is under way may take a while to come to its end. */
  stopping(): void {
    this.#isStopping = true;
    if (this.#live === undefined) this.say('Stopping with a checkpoint; Ctrl-C once more ends at once.');
    this.#draw();
  }

  /** Something that is not of the run's state, and worth a line of its own. */
  notice(text: string): void {
    if (this.#live === undefined || this.#over.signal.aborted) {
      this.say(text);
      return;
    }
    this.#live.above(indented([[plain(text)]], MARGIN));
    this.#draw();
  }

  /** Leaves the display as it is, and the cursor below it. */
  end(): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#live?.end();
  }

  say(...lines: readonly (string | Line)[]): void {
    const texts = lines.map(line => (typeof line === 'string' ? line : painted(line, this.#colour)));
    this.#output.write(texts.map(text => `${text}\n`).join(''));
  }

  get width(): number {
    return this.#live === undefined ? PAGE : this.#live.size.columns - 1;
  }

  /** Until it is over; then the clock rejects. */
  async #drawOn(): Promise<never> {
    for (;;) {
      await this.#clock.sleep(DRAW_EVERY, this.#over.signal);
      this.#draw();
    }
  }

  #draw(): void {
    if (this.#live === undefined || this.#over.signal.aborted) return;
    const [state, address, now] = [this.#state, this.#address, this.#clock.now()];
    this.#live.show(
      state === undefined
        ? indented(
            [
              [faint(address)],
              [],
              this.#isStopping
                ? [accent('stopping'), plain('   as soon as it has started')]
                : [accent('starting'), plain('   its processes come up')],
            ],
            MARGIN,
          )
        : ringFrame({ state, address, now, isStopping: this.#isStopping }, this.#live.size),
    );
  }
}
