// One desktop behind one address. When it ends, another one takes its place, and all requests report that the task is lost.
//
// A client may repeat a failed request: OSWorld's repeats each three times. Then a single error could go unnoticed, and the task would go on in a
// clean desktop. Therefore all requests fail after a loss until the clean state is requested. No other request shows that an episode begins:
// OSWorld sends /setup/* at the end of an episode, too, and reads the result afterwards.

import type { Clock } from '../core/clock.ts';
import { withDeadline } from '../core/deadline.ts';
import { messageOf } from '../core/errors.ts';
import { BoundaryError, failureOf } from '../core/failure.ts';
import { retry } from '../core/retry.ts';
import type { OpenMachine, ServedMachine, TakeDesktop, TakenDesktop } from './served-machine.ts';

export interface ServedDesktopOptions {
  readonly take: TakeDesktop;
  readonly clock: Clock;
  /** Reports that the desktop is lost or cannot start, and that it works again. */
  readonly report: (isHealthy: boolean, message: string) => void;
}

interface OpenedDesktop {
  readonly taken: TakenDesktop;
  readonly machine: OpenMachine;
}

/** The work of a client is lost. */
export class DesktopLost extends Error {
  override readonly name = 'DesktopLost';
}

/** An extension of OSWorld's API: restores the clean state. */
export const REVERT_PATH = '/dartboard/revert';

/** A client of OSWorld waits as long for its slowest reply. */
const START_TIMEOUT_MS = 90_000;

export class ServedDesktop {
  readonly #options: ServedDesktopOptions;
  readonly #stop = new AbortController();
  /** The desktop that serves requests; undefined while one starts or is reset. */
  #current: OpenedDesktop | undefined;
  #ready: Promise<OpenedDesktop>;
  #loss: string | undefined;
  /** Whether and why containers ended. Each is watched once, however often it is restored: a watch of a restored desktop would keep its screens. */
  readonly #ends = new WeakMap<TakenDesktop, { readonly why?: string }>();
  /** Ends the requests that run. */
  readonly #running = new Set<(error: DesktopLost) => void>();

  constructor(options: ServedDesktopOptions) {
    this.#options = options;
    this.#ready = silenced(this.#open());
  }

  /** Resolves when the first desktop serves requests. Rejects once the desktop is closed. */
  async ready(): Promise<void> {
    await this.#ready;
  }

  /** Rejects with DesktopLost when the desktop ended, and with the error of the work. */
  async use<Result>(work: (machine: ServedMachine) => Promise<Result>): Promise<Result> {
    return this.#run(await this.#working(), work);
  }

  /** A desktop may end, or be reset, while a request waits for it. */
  async #working(): Promise<OpenedDesktop> {
    for (;;) {
      this.#stop.signal.throwIfAborted();
      if (this.#loss !== undefined) throw lostError(this.#loss);
      const opened = await this.#started();
      if (opened === this.#current) return opened;
    }
  }

  async #run<Result>(
    opened: OpenedDesktop,
    work: (machine: ServedMachine) => Promise<Result>,
  ): Promise<Result> {
    let interrupt: (error: DesktopLost) => void = () => undefined;
    const interrupted = new Promise<never>((_, reject) => {
      interrupt = reject;
    });
    this.#running.add(interrupt);
    try {
      return await Promise.race([work(opened.machine), interrupted]);
    } catch (error) {
      if (!isInfrastructure(error)) throw error;
      const { message } = failureOf(error, 'environment', 'desktop');
      this.#lose(opened, message);
      throw lostError(message);
    } finally {
      this.#running.delete(interrupt);
    }
  }

  /** Restores the clean state, in a new desktop if the present one cannot be reset. */
  async revert(): Promise<void> {
    this.#loss = undefined;
    this.#ready = silenced(this.#reset(this.#ready));
    await this.#started();
  }

  async close(): Promise<void> {
    this.#stop.abort(new DesktopLost('The server is stopping. Start it again.'));
    const opened = this.#current;
    this.#current = undefined;
    opened?.machine.close();
    await opened?.taken.remove();
    await this.#ready.then(
      late => late.taken.remove(),
      () => undefined, // It had not started.
    );
  }

  #started(): Promise<OpenedDesktop> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    const deadline = { what: 'The start of the desktop', ms: START_TIMEOUT_MS, clock, signal };
    return withDeadline(this.#ready, deadline).catch((error: unknown) => {
      if (error instanceof DesktopLost) throw error;
      throw new DesktopLost(
        `${messageOf(error)} Look at the output of the server, and send the request again.`,
      );
    });
  }

  async #reset(before: Promise<OpenedDesktop>): Promise<OpenedDesktop> {
    const { taken, machine } = await before;
    this.#current = undefined;
    this.#interrupt(new DesktopLost('The desktop was restored during the request. Send it again.'));
    machine.close();
    try {
      await taken.reset();
      return this.#serve({ taken, machine: await taken.open() });
    } catch {
      // The reason is of no use: any failed reset has the same remedy.
      await taken.remove();
      return this.#open();
    }
  }

  /** Repeats until a desktop serves, or the desktop is closed. */
  async #open(isReplacement = false): Promise<OpenedDesktop> {
    const { take, clock, report } = this.#options;
    const { signal } = this.#stop;
    let hasFailed = isReplacement;
    const failed = (error: Error, _failures: number, delayMs: number): void => {
      hasFailed = true;
      report(false, `did not start: ${error.message} The next attempt is in ${delayMs / 1000} s.`);
    };
    const opened = await retry(
      async () => {
        const taken = await take(signal);
        try {
          return { taken, machine: await taken.open() };
        } catch (error) {
          await taken.remove();
          throw error;
        }
      },
      { clock, signal, failed },
    );
    if (hasFailed) report(true, 'works again');
    return this.#serve(opened);
  }

  #serve(opened: OpenedDesktop): OpenedDesktop {
    if (this.#stop.signal.aborted) {
      opened.machine.close();
      void opened.taken.remove();
      throw this.#stop.signal.reason;
    }
    this.#current = opened;
    const { why } = this.#ends.get(opened.taken) ?? this.#watch(opened.taken);
    if (why !== undefined) this.#lose(opened, why);
    return opened;
  }

  #watch(taken: TakenDesktop): { readonly why?: string } {
    const end: { why?: string } = {};
    this.#ends.set(taken, end);
    void taken.died.then(reason => {
      end.why = `its container ended (${reason})`;
      const now = this.#current;
      if (now?.taken === taken) this.#lose(now, end.why);
    });
    return end;
  }

  #lose(opened: OpenedDesktop, why: string): void {
    if (this.#current !== opened) return;
    this.#current = undefined;
    this.#loss = why;
    this.#options.report(
      false,
      `${withoutStop(why)}. A new desktop takes its place. Requests fail until POST ${REVERT_PATH}.`,
    );
    this.#interrupt(lostError(why));
    opened.machine.close();
    void opened.taken.remove();
    this.#ready = silenced(this.#open(true));
  }

  #interrupt(error: DesktopLost): void {
    for (const interrupt of this.#running) interrupt(error);
  }
}

/** The requests that wait for it get its error. */
function silenced<Result>(ready: Promise<Result>): Promise<Result> {
  ready.catch(() => undefined);
  return ready;
}

/** Other errors are those of the client's command, or bugs. */
const isInfrastructure = (error: unknown): boolean =>
  error instanceof BoundaryError && error.failure.boundary !== 'task';

const lostError = (why: string): DesktopLost =>
  new DesktopLost(
    `The desktop ended: ${withoutStop(why)}. A new one takes its place. Begin the task again with POST ${REVERT_PATH}.`,
  );

const withoutStop = (text: string): string => text.replace(/\.$/, '');
