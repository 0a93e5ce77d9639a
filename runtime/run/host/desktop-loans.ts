// Lends training desktops to people: a desktop leaves its episode, does what the daemon requests, and returns to the training.
//
// Laws: an interrupted episode is played again by another desktop, so nothing of it trains twice. A desktop that nobody uses for a while
// returns by itself, and its borrower learns it at once.

import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { BoundaryError, failureOf } from '../../core/failure.ts';
import type { DesktopId } from '../../core/ids.ts';
import type { LoanCall, LoanReply, LoanRequest, LoanValues } from '../../core/loan.ts';
import type { Instance, Task } from '../../core/task.ts';
import type { DesktopUse } from '../../environments/pool.ts';
import type { Taken } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import type { HandOvers } from '../../rollout/hand-overs.ts';
import { Loan } from './loan.ts';

export interface LendingOptions {
  readonly fabric: Pick<Fabric, 'loans' | 'loaned'>;
  readonly handOvers: Pick<HandOvers, 'take' | 'isPlaying'>;
  /** The use of each desktop. */
  readonly uses: () => readonly DesktopUse[];
  readonly idOf: (index: number) => DesktopId;
  readonly taskOf: (instance: Instance) => Task;
  /** A person acts on a desktop. */
  readonly acted?: () => void;
  readonly clock: Clock;
}

/** While the trainer catches up, the next order may take seconds. */
const NO_EPISODE_MS = 5000;
/** The calls of a hand. */
const ACTS: readonly LoanCall['kind'][] = ['act', 'clickAgain'];
/** The page that shows a desktop renews its loan several times a minute. */
const UNUSED_MS = 5 * 60_000;
const UNUSED = `nobody used it for ${UNUSED_MS / 60_000} minutes`;

export class Lending {
  readonly #options: LendingOptions;
  readonly #loans = new Map<string, Loan>();
  /** Loans whose desktop still plays. */
  readonly #wanted = new Map<string, AbortController>();

  constructor(options: LendingOptions) {
    this.#options = options;
  }

  /** A person holds this desktop. */
  isHeld(desktop: DesktopId): boolean {
    return this.#loanOf(desktop) !== undefined;
  }

  /** Until the signal is aborted. Then the owner of the desktops closes them. */
  async run(signal: AbortSignal): Promise<void> {
    const taker = this.#options.fabric.loans.taker();
    try {
      for (;;) {
        const taken = await taker.take(signal);
        // A closed channel ends this loop as well.
        this.#answer(taken, signal).catch(() => undefined);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await taker.close();
    }
  }

  async #answer({ item, attempt, acknowledge }: Taken<LoanRequest>, stop: AbortSignal): Promise<void> {
    this.#options.fabric.loaned.publish(await this.#replyTo(item, attempt, stop));
    await acknowledge();
  }

  async #replyTo(request: LoanRequest, attempt: number, stop: AbortSignal): Promise<LoanReply> {
    try {
      if (attempt > 1) throw lost(request.loan, 'the process of the desktops was started again');
      return { request: request.id, value: await this.#perform(request, stop) };
    } catch (error) {
      return { request: request.id, failure: failureOf(error, 'environment', request.loan) };
    }
  }

  #perform({ loan, call }: LoanRequest, stop: AbortSignal): Promise<unknown> {
    if (call.kind === 'borrow') return this.#lend(loan, call, stop);
    if (call.kind === 'return') return this.#return(loan);
    const lent = this.#loans.get(loan);
    if (ACTS.includes(call.kind)) this.#options.acted?.();
    if (lent !== undefined) return lent.perform(call);
    throw lost(loan, `${UNUSED}, or its process was started again`);
  }

  async #lend(
    name: string,
    { desktop, who }: Extract<LoanCall, { kind: 'borrow' }>,
    stop: AbortSignal,
  ): Promise<LoanValues['borrow']> {
    this.#requireLendable(desktop);
    const wanted = new AbortController();
    this.#wanted.set(name, wanted);
    try {
      void this.#refuseUnlessPlaying(desktop, wanted);
      const handed = await this.#options.handOvers.take(desktop, AbortSignal.any([stop, wanted.signal]));
      // It may have been withdrawn since.
      if (wanted.signal.aborted) handed.lease.release();
      wanted.signal.throwIfAborted();
      const loan = new Loan(handed, { ...this.#options, who });
      this.#loans.set(name, loan);
      void this.#untilUnused(name, loan, stop);
      return loan.lent;
    } finally {
      this.#wanted.delete(name);
      wanted.abort();
    }
  }

  #requireLendable(desktop: DesktopId): void {
    const use = this.#useOf(desktop);
    if (use === undefined || use === 'starting' || use === 'broken' || this.isHeld(desktop))
      throw this.#refusal(desktop);
  }

  /** The reason why no episode is played on it. */
  #refusal(desktop: DesktopId): BoundaryError {
    const { uses, idOf } = this.#options;
    const use = this.#useOf(desktop);
    const holder = this.#loanOf(desktop)?.who;
    if (use === undefined)
      return refusal(
        desktop,
        `the run has no such desktop. Choose one from ${idOf(0)} to ${idOf(uses().length - 1)}.`,
      );
    if (holder === undefined) return refusal(desktop, NOT_PLAYING[use]);
    return refusal(desktop, `${holder} holds it. Choose another desktop, or wait until it is given back.`);
  }

  /** Withdraws the wish for a desktop on which no episode is played. One that plays may take long until its call has ended. */
  async #refuseUnlessPlaying(desktop: DesktopId, wanted: AbortController): Promise<void> {
    const { clock, handOvers } = this.#options;
    do await sleepUnlessAborted(clock, NO_EPISODE_MS, wanted.signal);
    while (!wanted.signal.aborted && handOvers.isPlaying(desktop));
    wanted.abort(this.#refusal(desktop));
  }

  /** `why`: the reason if the borrower did not ask for it. */
  async #return(name: string, why?: BoundaryError): Promise<undefined> {
    this.#wanted.get(name)?.abort(refusal(name, 'it was no longer wanted. Take it over again.'));
    const loan = this.#loans.get(name);
    this.#loans.delete(name);
    await loan?.end(why);
  }

  async #untilUnused(name: string, loan: Loan, stop: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const over = AbortSignal.any([loan.over, stop]);
    let rest = UNUSED_MS;
    while (rest > 0 && !over.aborted) {
      await sleepUnlessAborted(clock, rest, over);
      rest = loan.usedAt + UNUSED_MS - clock.now();
    }
    if (!over.aborted) await this.#return(name, lost(name, UNUSED));
  }

  #useOf(desktop: DesktopId): DesktopUse | undefined {
    const { uses, idOf } = this.#options;
    return uses().find((_, index) => desktop === idOf(index));
  }

  #loanOf(desktop: DesktopId): Loan | undefined {
    return [...this.#loans.values()].find(loan => loan.desktop === desktop);
  }
}

const refusal = (thing: string, message: string) =>
  new BoundaryError({ boundary: 'environment', thing, message });

const lost = (loan: string, why: string) => refusal(loan, `it has returned to the training: ${why}.`);

/** For each use: the reason why no person can take the desktop over, and the remedy. */
const NOT_PLAYING: Readonly<Record<DesktopUse, string>> = {
  starting: 'it is starting. Wait until it plays, or choose another desktop.',
  broken: 'it is broken and is being replaced. Wait until it plays, or choose another desktop.',
  idle: 'it plays no episode, because the run is paused or has no order for it. Continue the run, or choose a desktop that plays.',
  stepping: 'a scripted solution is being shown on it. Wait until it plays, or choose another desktop.',
  waiting: 'a scripted solution is being shown on it. Wait until it plays, or choose another desktop.',
};
