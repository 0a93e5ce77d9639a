// The client of the index thread. It restarts a thread that ended or stopped answering. A new thread updates its index from the files and
// journals, so no durable change is lost.

import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { systemClock } from '../../core/system-clock.ts';
import { isPeerLost } from '../../rpc/client.ts';
import type { OwnedClient } from '../../rpc/owned-client.ts';
import { openThread } from '../../rpc/thread.ts';
import { DURABLE_CHANGES, type IndexCalls } from './calls.ts';
import type { CaughtUp } from './catalogue.ts';
import type { IndexPlace } from './place.ts';
import type { TrajectoryIndex } from './queries.ts';

export class IndexGone extends Error {
  override readonly name = 'IndexGone';
}

/** Longest silence while the thread updates the index. It sends a heartbeat with each journal line, file and SQL index, and while it waits for a server. */
const STARTUP_TIMEOUT_MS = 60_000;
const CALL_DEADLINE_MS = 60_000;
/** Saving a large index takes a while. */
const CLOSE_TIMEOUT_MS = 60_000;

type Thread = Awaited<ReturnType<typeof open>>;

/** The data of the thread. */
export interface IndexHome {
  /** The folder of the runs. */
  readonly root: string;
  readonly place: IndexPlace;
}

const open = (entry: URL, home: IndexHome, clock: Clock) =>
  openThread<IndexCalls, CaughtUp>({
    name: 'index thread',
    entry,
    workerData: home,
    isEssential: true,
    clock,
    startupTimeoutMs: STARTUP_TIMEOUT_MS,
    closeTimeoutMs: CLOSE_TIMEOUT_MS,
  });

export class IndexThread {
  /** The result of updating the index at the start. */
  readonly caughtUp: CaughtUp;
  readonly index: TrajectoryIndex = {
    page: query => this.call('page', query),
    row: id => this.call('row', id),
    rows: ids => this.call('rows', ids),
    steps: query => this.call('steps', query),
    rates: query => this.call('rates', query),
    ratesOverTime: query => this.call('ratesOverTime', query),
    waiting: query => this.call('waiting', query),
    votes: query => this.call('votes', query),
    suggested: query => this.call('suggested', query),
    members: query => this.call('members', query),
    memberCounts: () => this.call('memberCounts', undefined),
    agents: () => this.call('agents', undefined),
    played: query => this.call('played', query),
    marks: id => this.call('marks', id),
    successes: query => this.call('successes', query),
    volume: () => this.call('volume', undefined),
    bytesByRun: () => this.call('bytesByRun', undefined),
    fleet: () => this.call('fleet', undefined),
    kept: () => this.call('kept', undefined),
  };
  readonly #open: () => Promise<Thread>;
  readonly #notice: (message: string) => void;
  #thread: Promise<Thread>;
  #isClosed = false;

  private constructor(thread: Thread, reopen: () => Promise<Thread>, notice: (message: string) => void) {
    this.caughtUp = thread.about;
    this.#thread = Promise.resolve(thread);
    this.#open = reopen;
    this.#notice = notice;
    this.#watch(thread);
  }

  /** `entry` is the bundled index-worker.ts. `notice` receives a message per restart. `clock` measures heartbeats. */
  static async start(
    entry: URL,
    home: IndexHome,
    notice: (message: string) => void,
    clock: Clock = systemClock,
  ): Promise<IndexThread> {
    const reopen = () => open(entry, home, clock);
    return new IndexThread(await reopen(), reopen, notice);
  }

  /** Repeats a query once if the thread ends before it answers. */
  async call<C extends keyof IndexCalls & string>(
    call: C,
    takes: IndexCalls[C]['takes'],
  ): Promise<IndexCalls[C]['gives']> {
    const before = this.#thread;
    try {
      return await this.#callThread((await before).client, call, takes);
    } catch (error) {
      if (!isPeerLost(error) || this.#isClosed) throw error;
      await this.#restart(before, error.message);
      if (DURABLE_CHANGES.includes(call)) return undefined as IndexCalls[C]['gives'];
      return await this.#callThread((await this.#thread).client, call, takes);
    }
  }

  /** Saves the index and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { client } = await this.#thread;
    try {
      await client.call('close', undefined, { deadlineMs: CLOSE_TIMEOUT_MS });
    } finally {
      await client.close();
    }
  }

  /** Restarts the thread also between calls. */
  #watch(thread: Thread): void {
    const current = this.#thread;
    void thread.ended.then(async reason => {
      if (this.#isClosed || this.#thread !== current) return;
      try {
        await this.#restart(current, reason);
      } catch {
        // The next call tries again and reports it.
      }
    });
  }

  #callThread<C extends keyof IndexCalls & string>(
    client: OwnedClient<IndexCalls>,
    call: C,
    takes: IndexCalls[C]['takes'],
  ): Promise<IndexCalls[C]['gives']> {
    return client.call(call, takes, { deadlineMs: CALL_DEADLINE_MS });
  }

  /** Calls that failed together share one restart. */
  async #restart(before: Promise<Thread>, reason: string): Promise<void> {
    if (this.#thread === before) {
      this.#notice(`${reason} It restarts; no trajectory is lost.`);
      this.#thread = this.#open();
    }
    try {
      this.#watch(await this.#thread);
    } catch (error) {
      throw new IndexGone(messageOf(error), { cause: error });
    }
  }
}
