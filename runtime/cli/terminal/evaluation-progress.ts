// The progress of an evaluation: a bar on a terminal, a line every few seconds in a file or a pipe.

import { total } from '../../collect/attempt-counts.ts';
import type { Clock } from '../../core/clock.ts';
import type { CollectionState } from '../../protocol/daemon/collection.ts';
import { count, oneLine } from '../../run/number-format.ts';
import { cut, faint, filled, indented, plain, type StyledLine } from './line.ts';
import { LiveDisplay } from './live.ts';
import { hasColour, hasDisplay, MARGIN, type Printer } from './output.ts';

const LINE_INTERVAL_MS = 5000;
const BAR_COLUMNS = 30;

export class EvaluationProgress {
  readonly #printer: Printer & { readonly clock: Clock };
  readonly #live: LiveDisplay | undefined;
  #printedAt: number;

  constructor(printer: Printer & { readonly clock: Clock }) {
    const { output, environment, clock } = printer;
    this.#printer = printer;
    this.#printedAt = clock.now();
    if (hasDisplay(output, environment)) this.#live = new LiveDisplay(output, hasColour(output, environment));
  }

  show(state: CollectionState, isStopping: boolean): void {
    const { clock, output } = this.#printer;
    if (this.#live !== undefined) {
      const width = this.#live.size.columns - 1 - MARGIN;
      this.#live.show(
        indented(
          progressFrame(state, isStopping).map(line => cut(line, width)),
          MARGIN,
        ),
      );
      return;
    }
    if (clock.now() - this.#printedAt < LINE_INTERVAL_MS || state.status !== 'playing') return;
    this.#printedAt = clock.now();
    output.write(`${progressText(state)}\n`);
  }

  /** Leaves the last frame. */
  end(): void {
    this.#live?.end();
  }
}

function progressFrame(state: CollectionState, isStopping: boolean): readonly StyledLine[] {
  const { tried, broken } = total(state.rows);
  const share = state.tries === 0 ? 1 : (tried + broken) / state.tries;
  const problem = state.problem === undefined ? [] : [[faint(oneLine(state.problem))]];
  const stopping = isStopping
    ? [[plain('Stopping. Finished episodes are stored; Ctrl-C again ends at once.')]]
    : [];
  return [
    [...filled(share, BAR_COLUMNS), plain(`  ${progressText({ ...state, problem: undefined })}`)],
    ...problem,
    ...stopping,
  ];
}

export function progressText({ rows, tries, problem }: CollectionState): string {
  const { tried, succeeded, broken } = total(rows);
  return [
    `${count(tried + broken)} of ${count(tries)} episodes`,
    `${count(succeeded)} solved`,
    ...(broken > 0 ? [`${count(broken)} broke`] : []),
    ...(problem === undefined ? [] : [oneLine(problem)]),
  ].join(' · ');
}
