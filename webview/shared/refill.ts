// Fills a panel that shows nothing: fetches again soon after a run has finished episodes.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';

interface Options {
  /** The last fetch found nothing. False until it has a reply: a fetch can take longer than the delay. */
  readonly isEmpty: () => boolean;
  readonly fetch: () => void;
}

/** A finished episode is stored by then. A run finishes several episodes per second. */
const REFILL_DELAY_MS = 2000;

export const finishedEpisodes = ({ data: { books } }: Pick<RunState, 'data'>): number =>
  books.submitted - books.running;

export class Refill {
  readonly #options: Options;
  /** The finished episodes of each run. */
  readonly #counts = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  stateChanged(state: Pick<RunState, 'run' | 'data'>): void {
    const { isEmpty, fetch } = this.#options;
    const count = finishedEpisodes(state);
    const hasGrown = count > (this.#counts.get(state.run) ?? 0);
    this.#counts.set(state.run, count);
    if (!hasGrown || this.#timer !== undefined || !isEmpty()) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (isEmpty()) fetch();
    }, REFILL_DELAY_MS);
  }
}
