// The end of a run, for many who wait for answers at once: each leaves the moment it comes. A signal searches all its listeners
// whenever one is added or removed, which thousands of episodes would feel at every step; so it has only one here, and each episode
// enters itself once.

export class Stop {
  readonly signal: AbortSignal;
  readonly #episodes = new Set<EpisodeStop>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
    const leave = () => {
      for (const episode of this.#episodes) episode.leave();
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  /** For an episode, which waits for one answer at a time, until it says that it is `over`. */
  episode(): EpisodeStop {
    const episode = new EpisodeStop(this.signal, () => this.#episodes.delete(episode));
    this.#episodes.add(episode);
    return episode;
  }
}

export class EpisodeStop {
  readonly signal: AbortSignal;
  readonly over: () => void;
  /** Of the last answer that was waited for: where that has come, it does nothing any more. */
  #refuse: ((reason: unknown) => void) | undefined;

  constructor(signal: AbortSignal, over: () => void) {
    this.signal = signal;
    this.over = over;
  }

  /** The answer, or a rejection with the signal's reason if it is aborted first. */
  or<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#refuse = reject;
      if (this.signal.aborted) this.leave();
      answer.then(resolve, reject);
    });
  }

  leave(): void {
    this.#refuse?.(this.signal.reason);
  }
}
