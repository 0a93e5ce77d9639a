// Answers the calls to the index. After its database was lost, the index is opened again, and finds all changes since in the files and journals.

import type { Clock } from '../../core/clock.ts';
import { backoffMs } from '../../core/retry.ts';
import type { Handlers } from '../../rpc/server.ts';
import { DURABLE_CHANGES, type IndexCalls } from './calls.ts';
import type { Catalogue, CaughtUp } from './catalogue.ts';
import { DatabaseLost } from './database.ts';

interface Loss {
  readonly error: unknown;
  /** Openings in a row that failed. */
  readonly failures: number;
  /** No opening before this time: calls fail at once meanwhile. */
  readonly retryAt: number;
}

type CallName = keyof IndexCalls & string;
type Answers = Readonly<Record<CallName, (takes: never) => Promise<unknown>>>;

export class ReopenedIndex {
  /** The result of updating the index at its first opening. */
  readonly caughtUp: CaughtUp;
  /** The caller makes one call at a time. */
  readonly handlers: Handlers<IndexCalls>;
  readonly #open: () => Promise<Catalogue>;
  readonly #clock: Pick<Clock, 'now'>;
  #answers: Answers;
  #loss: Loss | undefined;

  private constructor(catalogue: Catalogue, open: () => Promise<Catalogue>, clock: Pick<Clock, 'now'>) {
    this.caughtUp = catalogue.caughtUp;
    this.#open = open;
    this.#clock = clock;
    this.#answers = answersOf(catalogue);
    const names = Object.keys(this.#answers) as CallName[];
    const handlers = names.map(name => [name, (takes: never) => this.#answer(name, takes)] as const);
    this.handlers = Object.fromEntries(handlers) as unknown as Handlers<IndexCalls>;
  }

  /** Rejects if the first opening fails. */
  static async open(open: () => Promise<Catalogue>, clock: Pick<Clock, 'now'>): Promise<ReopenedIndex> {
    return new ReopenedIndex(await open(), open, clock);
  }

  /** While the database is lost, a durable change needs no answer, and a query fails with the reason. */
  async #answer(name: CallName, takes: never): Promise<unknown> {
    const isChange = DURABLE_CHANGES.includes(name);
    if (this.#loss !== undefined) {
      if (name === 'close') return undefined;
      const isOpen = await this.#reopen().then(
        () => true,
        (error: unknown) => {
          if (isChange) return false;
          throw error;
        },
      );
      // An index that was just opened contains all durable changes.
      if (isChange || !isOpen) return undefined;
    }
    try {
      return await this.#answers[name](takes);
    } catch (error) {
      if (!(error instanceof DatabaseLost)) throw error;
      this.#loss = { error, failures: 0, retryAt: 0 };
      if (name === 'close') return undefined;
      if (isChange) throw error;
    }
    // The server may have been restarted, or have closed an idle connection.
    await this.#reopen();
    return await this.#answers[name](takes);
  }

  async #reopen(): Promise<void> {
    const { error: reason, failures = 0, retryAt = 0 } = this.#loss ?? {};
    if (this.#clock.now() < retryAt) throw reason;
    try {
      this.#answers = answersOf(await this.#open());
    } catch (error) {
      const count = failures + 1;
      this.#loss = { error, failures: count, retryAt: this.#clock.now() + backoffMs(count) };
      throw error;
    }
    this.#loss = undefined;
  }
}

function answersOf(catalogue: Catalogue): Answers {
  const changes: Omit<Handlers<IndexCalls>, keyof Catalogue['queries']> = {
    add: async ({ head, bytes }) => void (await catalogue.add(head, bytes)),
    forget: async ({ lines, end }) => void (await catalogue.forget(lines, end)),
    forgetRun: async ({ run }) => void (await catalogue.forgetRun(run)),
    mark: async ({ mark, end }) => void (await catalogue.mark(mark, end)),
    suggest: async ({ suggestion, end }) => void (await catalogue.suggest(suggestion, end)),
    close: async () => void (await catalogue.close()),
  };
  return { ...catalogue.queries, ...changes } as unknown as Answers;
}
