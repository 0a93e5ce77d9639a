// Asks how the desktops look, again and again while somebody looks: what is not asked for, nobody draws. One question at a time, so
// that who is slow is shown less, and never something old.

import type { DaemonLink, ReplyWithBytes } from '../shared/link/link.ts';

type Answered = ReplyWithBytes<'desktops.look'>;

interface Options {
  readonly link: () => DaemonLink;
  /** What to ask for next; `desktop` where one is looked at closely. */
  readonly asked: () => { readonly after: number; readonly desktop?: string };
  /** The next question waits for it. */
  readonly found: (answer: Answered) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Milliseconds between two questions; and where nothing trains, so that a training that begins is seen soon. */
const EVERY = 250;
const WITHOUT_RUN = 1000;

export class Looking {
  readonly #options: Options;
  #isOn = false;
  /** Of the question that counts: answers to others come too late. */
  #round = 0;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  turn(isOn: boolean): void {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.again();
  }

  /** Something else is looked at now. */
  again(): void {
    clearTimeout(this.#next);
    this.#round += 1;
    if (this.#isOn) void this.#ask(this.#round);
  }

  async #ask(round: number): Promise<void> {
    const { link, asked, found, failed } = this.#options;
    const since = performance.now();
    try {
      const answer = await link().requestBytes('desktops.look', asked());
      if (round !== this.#round) return;
      await found(answer);
      if (round !== this.#round) return;
      const pace = answer.result.run === undefined ? WITHOUT_RUN : EVERY;
      const rest = Math.max(0, pace - (performance.now() - since));
      this.#next = setTimeout(() => void this.#ask(round), rest);
    } catch (error) {
      // Asked again when there is a connection again, or when somebody says so.
      if (round === this.#round) failed(error);
    }
  }
}
