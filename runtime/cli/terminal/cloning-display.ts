// The progress of cloning: a bar on a terminal, a line now and then in a file or a pipe.

import { type CloningLength, type CloningProgress, sharePast } from '../../cloning/cloning.ts';
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
  readonly #length: CloningLength;
  #lines = 0;

  constructor({ output, environment }: Printer, length: CloningLength) {
    this.#output = output;
    this.#length = length;
    if (hasDisplay(output, environment)) this.#live = new LiveDisplay(output, hasColour(output, environment));
  }

  show(totals: CloningProgress, isStopping: boolean): void {
    const text = cloningText(totals, this.#length);
    const share = sharePast(this.#length, totals);
    if (this.#live !== undefined) {
      const width = this.#live.size.columns - 1 - MARGIN;
      const lines = [
        [...filled(Math.min(1, share), BAR_COLUMNS), plain(`  ${text}`)],
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
    if (share < this.#lines / LINES) return;
    this.#lines += 1;
    this.#output.write(`${text}\n`);
  }

  end(): void {
    this.#live?.end();
  }
}

export const cloningText = ({ minutes, examples, loss }: CloningProgress, length: CloningLength): string =>
  [
    `${minutes.toFixed(1)}${'minutes' in length ? ` of ${length.minutes}` : ''} min`,
    `${count(examples)}${'examples' in length ? ` of ${count(length.examples)}` : ''} examples`,
    `${loss.toFixed(3)} nats per reply token`,
  ].join(' · ');
