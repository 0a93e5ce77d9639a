// Shows a run: a live display on a terminal, progress lines in a file or a pipe.

import type { Clock } from '../../core/clock.ts';
import type { RunState } from '../../protocol/daemon/state.ts';
import { hostLines } from './host-lines.ts';
import { accent, faint, indented, plain, renderLine, type StyledLine } from './line.ts';
import { LiveDisplay } from './live.ts';
import { browserHint, DEFAULT_COLUMNS, hasColour, hasDisplay, MARGIN, type Output } from './output.ts';
import { runFrame } from './run-frame.ts';
import { newLines, type ReportedState } from './run-report.ts';

/** Without a new state the display still redraws: waiting times grow, and terminals are resized. */
const REDRAW_INTERVAL_MS = 500;

export interface RunDisplayOptions {
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The address of the web page. */
  readonly address: string;
}

export class RunDisplay {
  readonly #output: Output;
  readonly #clock: Clock;
  readonly #address: string;
  readonly #colour: boolean;
  readonly #live: LiveDisplay | undefined;
  readonly #over = new AbortController();
  #state: RunState | undefined;
  #told: ReportedState | undefined;
  #isStopping = false;

  constructor({ output, environment, clock, address }: RunDisplayOptions) {
    this.#output = output;
    this.#clock = clock;
    this.#address = address;
    this.#colour = hasColour(output, environment);
    if (!hasDisplay(output, environment)) {
      this.say(browserHint(output, address));
      return;
    }
    this.#live = new LiveDisplay(output, this.#colour);
    // A narrow display has no room for the address.
    if (this.#live.size.columns - 1 - MARGIN < address.length) this.#live.above([[plain(address)]]);
    this.#draw();
    // The clock rejects when the display ends.
    this.#drawOn().catch(() => undefined);
  }

  show(state: RunState): void {
    const before = this.#state;
    this.#state = state;
    if (this.#live !== undefined) this.#draw();
    else {
      const { lines, told } = newLines(state, this.#told);
      this.#told = told;
      if (lines.length > 0) this.say(...lines);
    }
    for (const line of hostLines(before, state)) this.notice(line);
  }

  /** Shows the stop at once: the run may take a while to end. */
  stopping(): void {
    this.#isStopping = true;
    if (this.#live === undefined) this.say('Stopping with a checkpoint. Ctrl-C again ends at once.');
    this.#draw();
  }

  /** A message that is not part of the run's state. */
  notice(text: string): void {
    if (this.#live === undefined || this.#over.signal.aborted) {
      this.say(text);
      return;
    }
    this.#live.above(indented([[plain(text)]], MARGIN));
    this.#draw();
  }

  /** Leaves the last frame, and puts the cursor below it. */
  end(): void {
    this.#over.abort();
    this.#live?.end();
  }

  say(...lines: readonly (string | StyledLine)[]): void {
    const texts = lines.map(line => (typeof line === 'string' ? line : renderLine(line, this.#colour)));
    this.#output.write(texts.map(text => `${text}\n`).join(''));
  }

  get width(): number {
    return this.#live === undefined ? DEFAULT_COLUMNS : this.#live.size.columns - 1;
  }

  /** Redraws until the display ends; then the clock rejects. */
  async #drawOn(): Promise<never> {
    for (;;) {
      await this.#clock.sleep(REDRAW_INTERVAL_MS, this.#over.signal);
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
                ? [accent('stopping'), plain('   after its processes have started')]
                : [accent('starting'), plain('   starting its processes')],
            ],
            MARGIN,
          )
        : runFrame({ state, address, now, isStopping: this.#isStopping }, this.#live.size),
    );
  }
}
