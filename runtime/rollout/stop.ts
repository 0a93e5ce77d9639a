// Stops thousands of waiting episodes through one listener. An AbortSignal searches all its listeners whenever one is added or removed, so
// one listener per episode and step would be slow.

export class Stop {
  readonly signal: AbortSignal;
  readonly #episodes = new Set<EpisodeStop>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
    const rejectAll = () => {
      for (const episode of this.#episodes) episode.reject();
    };
    signal.addEventListener('abort', rejectAll, { once: true });
  }

  /** The stop of an episode, which awaits one reply at a time and calls `over` at its end. */
  episode(): EpisodeStop {
    const episode = new EpisodeStop(this.signal, () => this.#episodes.delete(episode));
    this.#episodes.add(episode);
    return episode;
  }
}

export class EpisodeStop {
  readonly signal: AbortSignal;
  readonly over: () => void;
  /** Rejects the last awaited reply; does nothing if that has settled. */
  #reject: ((reason: unknown) => void) | undefined;

  constructor(signal: AbortSignal, over: () => void) {
    this.signal = signal;
    this.over = over;
  }

  /** The reply, or a rejection with the signal's reason if that comes first. */
  or<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.signal.aborted) this.reject();
      reply.then(resolve, reject);
    });
  }

  reject(): void {
    this.#reject?.(this.signal.reason);
  }
}
