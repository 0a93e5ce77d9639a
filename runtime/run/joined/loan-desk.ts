// The daemon's side of loans of desktops that joined hosts have: each host fetches the requests for its desktops, and sends the replies.
//
// Laws: a request goes to the host of its desktop alone, and only this host can reply to it, once. If the host vanishes, its requests fail.

import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { LoanReply, LoanRequest } from '../../core/loan.ts';
import type { WorkQueue } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { desktopHost } from '../../protocol/desktop-title.ts';

export interface LoanDeskOptions {
  readonly fabric: Pick<Fabric, 'loans' | 'loaned'>;
  readonly clock: Clock;
}

/** Of one host, in order. A fetch names the last one that arrived; so none is lost and none arrives twice. */
export interface NumberedRequest {
  readonly number: number;
  readonly request: LoanRequest;
}

/** A fetch waits so long for the first request. */
export const FETCH_WAIT_MS = 20_000;
/** Each person waits for the reply to one call before the next, so a fetch rarely has more than a few. */
export const MAX_FETCHED = 1000;
/** A host that does not fetch for so long has vanished. */
const VANISHED_MS = 45_000;
const SWEEP_MS = 5000;

interface Mailbox {
  /** Not yet known to have arrived. */
  readonly sent: NumberedRequest[];
  /** Without a reply, by id. */
  readonly open: Map<string, LoanRequest>;
  /** Fetches that wait. */
  readonly waiting: Set<() => void>;
  count: number;
  fetchedMs: number;
}

export class LoanDesk {
  readonly #options: LoanDeskOptions;
  readonly #mailboxes = new Map<string, Mailbox>();
  /** Of loans that have begun. */
  readonly #hostOfLoan = new Map<string, string>();

  constructor(options: LoanDeskOptions) {
    this.#options = options;
  }

  /** The loans of all desktops of the run. The host on the machine of the daemon takes those of its own. */
  get loans(): WorkQueue<LoanRequest> {
    const { loans } = this.#options.fabric;
    return {
      put: async request => {
        if (!this.#take(request)) await loans.put(request);
      },
      taker: () => loans.taker(),
      depth: () => loans.depth(),
    };
  }

  /** The first requests after a number; resolves with none when there were none for a while. */
  async fetch(host: string, after: number, signal: AbortSignal): Promise<readonly NumberedRequest[]> {
    const { clock } = this.#options;
    const mailbox = this.#mailboxes.get(host) ?? newMailbox(after, clock.now());
    this.#mailboxes.set(host, mailbox);
    mailbox.fetchedMs = clock.now();
    const arrived = mailbox.sent.filter(({ number }) => number <= after).length;
    mailbox.sent.splice(0, arrived);
    if (mailbox.sent.length === 0) await this.#untilSent(mailbox, signal);
    mailbox.fetchedMs = clock.now();
    return mailbox.sent.slice(0, MAX_FETCHED);
  }

  /** The request of a reply, if the host may reply to it. */
  requestOf(host: string, id: string): LoanRequest | undefined {
    return this.#mailboxes.get(host)?.open.get(id);
  }

  reply(host: string, reply: LoanReply): void {
    if (this.#mailboxes.get(host)?.open.delete(reply.request) === true)
      this.#options.fabric.loaned.publish(reply);
  }

  /** Until the signal is aborted: fails the requests of hosts that have vanished. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      for (const [host, { fetchedMs, waiting }] of this.#mailboxes)
        if (waiting.size === 0 && clock.now() - fetchedMs > VANISHED_MS) this.forget(host);
      await sleepUnlessAborted(clock, SWEEP_MS, signal);
    }
  }

  /** Fails the requests of a host that has vanished or left, also if it joins again under its name. */
  forget(host: string): void {
    const open = this.#mailboxes.get(host)?.open.values() ?? [];
    this.#mailboxes.delete(host);
    for (const [loan, of] of this.#hostOfLoan) if (of === host) this.#hostOfLoan.delete(loan);
    for (const request of open)
      this.#fail(
        request,
        `the host '${host}' has vanished, and the desktop with it. Choose another desktop.`,
      );
  }

  /** False for a desktop of the daemon's machine. */
  #take(request: LoanRequest): boolean {
    const { loan, call } = request;
    const host = call.kind === 'borrow' ? desktopHost(call.desktop) : this.#hostOfLoan.get(loan);
    if (host === undefined) return false;
    const mailbox = this.#mailboxes.get(host);
    if (mailbox === undefined) {
      this.#fail(request, `the host '${host}' does not answer. Choose a desktop of another host.`);
      return true;
    }
    if (call.kind === 'borrow') this.#hostOfLoan.set(loan, host);
    if (call.kind === 'return') this.#hostOfLoan.delete(loan);
    mailbox.open.set(request.id, request);
    mailbox.sent.push({ number: ++mailbox.count, request });
    for (const wake of mailbox.waiting) wake();
    return true;
  }

  async #untilSent({ waiting }: Mailbox, signal: AbortSignal): Promise<void> {
    const sent = new AbortController();
    const wake = () => sent.abort();
    waiting.add(wake);
    await sleepUnlessAborted(this.#options.clock, FETCH_WAIT_MS, AbortSignal.any([sent.signal, signal]));
    waiting.delete(wake);
  }

  #fail({ id, loan }: LoanRequest, message: string): void {
    const { failure } = new BoundaryError({ boundary: 'environment', thing: loan, message });
    this.#options.fabric.loaned.publish({ request: id, failure });
  }
}

/** A host that has fetched from an earlier daemon goes on counting from there. */
const newMailbox = (count: number, fetchedMs: number): Mailbox => ({
  ...{ sent: [], open: new Map(), waiting: new Set(), count, fetchedMs },
});
