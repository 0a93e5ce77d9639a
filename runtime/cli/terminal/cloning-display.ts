// The progress of cloning: a bar on a terminal, a line now and then in a file or a pipe.

import type { ClonedTotals } from '../../cloning/tier-1.ts';
import { count } from '../../run/number-format.ts';
import { cut, filled, indented, plain } from './line.ts';
import { LiveDisplay } from './live.ts';
import { hasColour, hasDisplay, MARGIN, type Printer } from './output.ts';

const BAR_COLUMNS = 30;
/** Lines in all, where there is no terminal. The first comes at once. */
const LINES = 12;

export class CloningDisplay {
  readonly #output: Printer['output'];
  readonly #live: LiveDisplay | undefined;
  readonly #minutes: number;
  #lines = 0;

  constructor({ output, environment }: Printer, minutes: number) {
    this.#output = output;
    this.#minutes = minutes;
    if (hasDisplay(output, environment)) this.#live = new LiveDisplay(output, hasColour(output, environment));
  }

  show(totals: ClonedTotals, isStopping: boolean): void {
    const text = cloningText(totals, this.#minutes);
    if (this.#live !== undefined) {
      const width = this.#live.size.columns - 1 - MARGIN;
      const share = Math.min(1, totals.minutes / this.#minutes);
      const lines = [
        [...filled(share, BAR_COLUMNS), plain(`  ${text}`)],
        ...(isStopping ? [[plain('Stopping. The weights so far are kept.')]] : []),
      ];
      this.#live.show(
        indented(
          lines.map(line => cut(line, width)),
          MARGIN,
        ),
      );
      return;
    }
    if (totals.minutes < (this.#lines * this.#minutes) / LINES) return;
    this.#lines += 1;
    this.#output.write(`${text}\n`);
  }

  end(): void {
    this.#live?.end();
  }
}

export const cloningText = ({ minutes, examples, loss }: ClonedTotals, of: number): string =>
  `${minutes.toFixed(1)} of ${of} min · ${count(examples)} examples · ${loss.toFixed(3)} nats per reply token`;
