// The daemon's side of a loan: sends requests to the host over the channels, and waits for their replies.

import type { Clock } from '../core/clock.ts';
import { BoundaryError, type Failure } from '../core/failure.ts';
import type { DesktopId } from '../core/ids.ts';
import type { LoanCall, LoanReply, LoanValues } from '../core/loan.ts';
import { ChannelClosed } from '../fabric/channels.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { desktopTitle } from '../protocol/desktop-title.ts';

export interface LoanOptions {
  readonly fabric: Pick<Fabric, 'loans' | 'loaned'>;
  /** Unique in the run. */
  readonly loan: string;
  readonly desktop: DesktopId;
  readonly who: string;
  readonly clock: Clock;
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class LoanCalls {
  readonly #options: LoanOptions;
  readonly #pending = new Map<string, PendingCall>();
  readonly #stop = new AbortController();
  #count = 0;
  #hasEnded = false;

  constructor(options: LoanOptions) {
    this.#options = options;
    void this.#listen();
  }

  /** Rejects with a BoundaryError: the failure of the host, no reply in time, or a run that has ended. Without a timeout it waits forever. */
  async call<C extends LoanCall>(call: C, timeoutMs?: number): Promise<LoanValues[C['kind']]> {
    const { fabric, loan, clock } = this.#options;
    if (this.#hasEnded) throw this.#failed(RUN_ENDED);
    const id = `${loan}.${++this.#count}`;
    const reply = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    const over = new AbortController();
    if (timeoutMs !== undefined)
      clock.sleep(timeoutMs, over.signal).then(
        () =>
          this.#pending
            .get(id)
            ?.reject(this.#failed(`it did not answer within ${timeoutMs / 1000} s. Try again.`)),
        // The reply came in time.
        () => undefined,
      );
    fabric.loans
      .put({ id, loan, call })
      .catch(error => this.#pending.get(id)?.reject(this.#explained(error)));
    try {
      return (await reply) as LoanValues[C['kind']];
    } finally {
      over.abort();
      this.#pending.delete(id);
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async #listen(): Promise<void> {
    for await (const { event } of this.#options.fabric.loaned.listen({ signal: this.#stop.signal }))
      this.#take(event);
    this.#hasEnded = true;
    for (const { reject } of this.#pending.values()) reject(this.#failed(RUN_ENDED));
  }

  #take(reply: LoanReply): void {
    const pending = this.#pending.get(reply.request);
    if ('failure' in reply) pending?.reject(this.#named(reply.failure));
    else pending?.resolve(reply.value);
  }

  #explained(error: Error): Error {
    return error instanceof ChannelClosed ? this.#failed(RUN_ENDED) : error;
  }

  #failed(message: string): BoundaryError {
    return this.#named({ boundary: 'environment', thing: this.#options.desktop, message });
  }

  /** With the title of the desktop, which people see. */
  #named(failure: Failure): BoundaryError {
    const { loan, desktop } = this.#options;
    const isOfDesktop = failure.thing === loan || failure.thing === desktop;
    return new BoundaryError(isOfDesktop ? { ...failure, thing: desktopTitle(desktop) } : failure);
  }
}

const RUN_ENDED = 'its run has ended, and the desktop with it. Start or resume a run.';
