// Carries the requests of people for desktops of a joined host from the daemon, and the replies back.

import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { failureOf } from '../../core/failure.ts';
import type { LoanReply } from '../../core/loan.ts';
import { retry } from '../../core/retry.ts';
import { runTogether } from '../../core/run-together.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { ValueCodec } from '../../fabric/nats/codec.ts';
import { HostRequestRefused, isRefusal } from '../../hosts/host-requests.ts';
import type { Membership } from '../../hosts/join.ts';
import { LOANED_PATH, LOANS_PATH, REFUSED, UNKNOWN } from '../../hosts/messages.ts';
import type { NumberedRequest } from './loan-desk.ts';
import { fetchedRequests } from './loan-schemas.ts';
import type { OpenLoans } from './open-loans.ts';
import { parsed } from './parsed-value.ts';

export interface LoanCarrierOptions {
  readonly fabric: Pick<Fabric, 'loans' | 'loaned'>;
  readonly membership: Pick<Membership, 'post'>;
  readonly clock: Clock;
  /** Follows what a person has. */
  readonly open?: OpenLoans;
}

const BACKOFF = { firstMs: 500, maxMs: 10_000 };
/** A person waits for each of them, so there are few. */
const MAX_UNREAD_REPLIES = 1000;

/** Until the signal is aborted. If the daemon knows the host no more or refuses it, nothing is carried: the membership ends by itself. */
export async function carryLoans(options: LoanCarrierOptions, signal: AbortSignal): Promise<void> {
  const carrier = new LoanCarrier(options);
  await runTogether(signal, [over => carrier.fetch(over), over => carrier.reply(over)]).catch(error => {
    if (!(signal.aborted || isOfMembership(error))) throw error;
  });
}

const isOfMembership = (error: unknown): boolean =>
  error instanceof HostRequestRefused && (error.status === UNKNOWN || error.status === REFUSED);

class LoanCarrier {
  readonly #options: LoanCarrierOptions;
  /** Screens are in the message itself: a person waits for each of them. */
  readonly #codec = new ValueCodec(undefined);

  constructor(options: LoanCarrierOptions) {
    this.#options = options;
  }

  async fetch(over: AbortSignal): Promise<void> {
    for (let after = 0; ; ) {
      const requests = await this.#requestsAfter(after, over);
      for (const { number, request } of requests) {
        after = number;
        this.#options.open?.requested(request);
        await this.#options.fabric.loans.put(request);
      }
    }
  }

  async reply(over: AbortSignal): Promise<void> {
    const replies = this.#options.fabric.loaned.listen({ maxUnread: MAX_UNREAD_REPLIES, signal: over });
    for await (const { event } of replies) void this.#send(event, over);
  }

  async #requestsAfter(after: number, over: AbortSignal): Promise<readonly NumberedRequest[]> {
    const body = Buffer.from(JSON.stringify({ after }));
    const isFinal = (error: Error) => error instanceof HostRequestRefused;
    const fetched = await this.#persistently(isFinal, over, async () => {
      const bytes = await this.#options.membership.post(LOANS_PATH, body, over);
      // A proxy may answer with a page of its own: then the daemon has not answered yet.
      return bytes && { value: await this.#codec.decode(bytes) };
    });
    return fetched === undefined ? [] : requestsIn(fetched.value);
  }

  /** Never rejects. A reply that the daemon or a proxy refuses is followed by the reason. */
  async #send(reply: LoanReply, over: AbortSignal): Promise<void> {
    try {
      await this.#post(reply, over);
    } catch (error) {
      if (over.aborted) return;
      const { request } = reply;
      await this.#post({ request, failure: failureOf(error, 'environment', request) }, over).catch(
        () => undefined,
      );
    } finally {
      this.#options.open?.replied(reply.request);
    }
  }

  async #post(reply: LoanReply, over: AbortSignal): Promise<void> {
    const { bytes } = await this.#codec.encode(reply);
    await this.#persistently(isRefusal, over, async () => {
      const answer = await this.#options.membership.post(LOANED_PATH, bytes, over);
      if (answer !== undefined && answer.length > 0)
        throw new Error(
          'Another server answered instead of the daemon. Check the address of the daemon, and the proxies between the machines.',
        );
    });
  }

  #persistently<T>(
    isFinal: (error: Error) => boolean,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    return retry(work, {
      ...{ clock: this.#options.clock, signal, backoff: BACKOFF },
      failed: error => {
        if (isFinal(error)) throw error;
      },
    });
  }
}

/** Throws a RangeError for a list of another version. */
function requestsIn(value: unknown): readonly NumberedRequest[] {
  try {
    return parsed(fetchedRequests, value);
  } catch (error) {
    throw new RangeError(
      `The daemon sent a list of requests for desktops that this host cannot use: ${messageOf(error)}. Install the same version of Dartboard on all machines, and join again.`,
      { cause: error },
    );
  }
}
