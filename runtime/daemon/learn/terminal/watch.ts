// Shows a training to whoever is there: a display that is drawn again and again on a terminal; lines now and then where the output
// goes to a file or another program.

import type { Clock } from '../../../contracts/world.ts';
import { type Line, painted } from '../../terminal/line.ts';
import { Live } from '../../terminal/live.ts';
import { hasColour, hasDisplay, type Output } from '../../terminal/output.ts';
import type { Point } from '../../terminal/progress.ts';
import { type Doing, frame, type View } from './frame.ts';
import { progressLine } from './report.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Between two drawings, and between two lines. */
const DRAW_EVERY = 250;
const SAY_EVERY = 15;
/** Of what is written where there is no terminal. */
const PAGE = 100;

export class Watch {
  readonly #output: Output;
  readonly #clock: Clock;
  readonly #colour: boolean;
  readonly #live: Live | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #view: View;
  /** When the clock of the training began; undefined while it stands still. */
  #since: number | undefined;
  #saidAt = 0;
  #hasEnded = false;

  constructor(output: Output, environment: Environment, clock: Clock, view: View) {
    this.#output = output;
    this.#clock = clock;
    this.#colour = hasColour(output, environment);
    this.#view = view;
    if (!hasDisplay(output, environment)) {
      this.say(`Dartboard learns to use a desktop: ${view.about.join(', ')}`);
      return;
    }
    this.#live = new Live(output, this.#colour);
    this.#timer = setInterval(() => this.#draw(), DRAW_EVERY);
    this.#draw();
  }

  get view(): View {
    return this.#view;
  }

  doing(doing: Doing): void {
    this.#show({ doing });
  }

  /** From here on time passes, until `stands` is called. */
  runs(): void {
    this.#since = this.#clock.now();
  }

  stands(seconds: number): void {
    this.#since = undefined;
    this.#show({ seconds });
  }

  measured(point: Point): void {
    this.#show({ curve: [...this.#view.curve, point] });
  }

  counted(counts: View['counts'], seconds: number): void {
    this.#show({ counts });
    if (this.#live !== undefined || counts === undefined || seconds - this.#saidAt < SAY_EVERY) return;
    this.#saidAt = seconds - (seconds % SAY_EVERY);
    const { of, doing, curve } = this.#view;
    this.say(progressLine({ seconds, ...counts }, of, doing, curve.at(-1)));
  }

  /** Leaves the display as it is, and the cursor below it. */
  end(doing: 'done' | 'broken' = 'done'): void {
    if (this.#hasEnded) return;
    clearInterval(this.#timer);
    this.doing(doing);
    this.#live?.end();
    this.#hasEnded = true;
  }

  say(...lines: readonly (string | Line)[]): void {
    const texts = lines.map(line => (typeof line === 'string' ? line : painted(line, this.#colour)));
    this.#output.write(texts.map(text => `${text}\n`).join(''));
  }

  get width(): number {
    return this.#live === undefined ? PAGE : this.#live.size.columns - 1;
  }

  #show(news: Partial<View>): void {
    this.#view = { ...this.#view, ...news };
    this.#draw();
  }

  #draw(): void {
    if (this.#live === undefined || this.#hasEnded) return;
    const passed = this.#since === undefined ? this.#view.seconds : (this.#clock.now() - this.#since) / 1000;
    this.#live.show(frame({ ...this.#view, seconds: Math.min(passed, this.#view.of) }, this.#live.size));
  }
}
