// Stops thousands of waiting episodes through one listener. An AbortSignal searches all its listeners whenever one is added or removed, so
// one listener per episode and step would be slow.

export class Stop {
  readonly signal: AbortSignal;
  readonly #episodes = new Set<EpisodeStop>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
    const endAll = () => {
      for (const episode of this.#episodes) episode.end(signal.reason);
    };
    signal.addEventListener('abort', endAll, { once: true });
  }

  /** The stop of an episode, which awaits one reply at a time and calls `over` at its end. */
  episode(): EpisodeStop {
    const episode = new EpisodeStop(this.signal, () => this.#episodes.delete(episode));
    this.#episodes.add(episode);
    return episode;
  }
}

export class EpisodeStop {
  /** Of all episodes. */
  readonly run: AbortSignal;
  readonly over: () => void;
  readonly #end = new AbortController();
  /** As the signal says, but each step reads it several times, and a field is much faster. */
  #isEnded = false;
  /** Rejects the last awaited reply; does nothing if that has settled. */
  #reject: ((reason: unknown) => void) | undefined;

  constructor(run: AbortSignal, over: () => void) {
    this.run = run;
    this.over = over;
    if (run.aborted) this.end(run.reason);
  }

  /** Of this episode: aborted with all, or alone. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The reply, or a rejection with the signal's reason if that comes first. */
  or<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#isEnded) reject(this.signal.reason);
      reply.then(resolve, reject);
    });
  }

  throwIfEnded(): void {
    if (this.#isEnded) throw this.signal.reason;
  }

  /** Ends the episode before its next call of the desktop. */
  end(reason: unknown): void {
    this.#isEnded = true;
    this.#end.abort(reason);
    this.#reject?.(this.signal.reason);
  }
}
