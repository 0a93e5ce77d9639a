// Joins a run of another machine: asks the daemon's server for hosts for what this host needs, and renews its token and its credentials until
// one side ends the membership.

import { type Blobs, MAX_BLOB_BYTES } from '../blobs/blobs.ts';
import { CachedBlobs } from '../blobs/cached-blobs.ts';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { linked, unlessAborted } from '../core/run-together.ts';
import { httpTransport } from '../endpoints/http-transport.ts';
import type { BrokerAccess } from '../fabric/nats/connection.ts';
import { authorityOf } from './authority.ts';
import {
  DaemonFailed,
  ForeignReply,
  HostRequestRefused,
  HostRequests,
  parsedReply,
  TemporaryRefusal,
} from './host-requests.ts';
import { parseJoinAddress } from './join-address.ts';
import { LinkedBlobs } from './linked-blobs.ts';
import {
  HOST_TTL_MS,
  JOIN_PATH,
  type JoinReply,
  type JoinRequest,
  joinReply,
  LEAVE_PATH,
  NO_ANSWER_YET,
  REFUSED,
  RENEW_PATH,
  renewReply,
} from './messages.ts';
import { PacedBlobs } from './paced-blobs.ts';
import { RemoteBlobs } from './remote-blobs.ts';
import { explainUnreachable } from './unreachable.ts';

export interface JoinOptions extends JoinRequest {
  /** As the daemon prints it. */
  readonly address: string;
  readonly clock: Clock;
  /** Reports blobs that cannot be sent or fetched, and that they are sent or fetched again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  readonly signal: AbortSignal;
}

/** The daemon refuses this host: a repetition is useless. */
export class JoinRefused extends Error {
  override readonly name = 'JoinRefused';
}

/** Why the membership is over, as the reason of its signal; JoinRefused after wrong values. */
export class MembershipEnded extends Error {
  override readonly name = 'MembershipEnded';
}

/** The daemon answers by then, also when there is no answer yet. */
const POST_TIMEOUT_MS = 40_000;
const RENEW_INTERVAL_MS = HOST_TTL_MS / 4;
/** The newest weights, for all that read them. A host reads older ones no more. */
const CACHE_BYTES = MAX_BLOB_BYTES;

/**
 * Rejects with JoinRefused, with a ForeignReply if another server answers instead of the daemon, with a TemporaryRefusal if the daemon cannot admit
 * the host now, with DaemonFailed if it fails, or with another error if the daemon or the store of the run's blobs does not answer. Tries once.
 */
export async function joinRun(options: JoinOptions): Promise<Membership> {
  const membership = await admitted(options);
  try {
    await unlessAborted(membership.tryStore(), options.signal);
    return membership;
  } catch (error) {
    await membership.leave();
    throw error;
  }
}

async function admitted(options: JoinOptions): Promise<Membership> {
  const { address, name, program, offers, clock, health, signal } = options;
  const { url, token, authority } = parseJoinAddress(address);
  try {
    const ca = authority === undefined ? undefined : await authorityOf(url, authority, { clock, signal });
    const transport = httpTransport(ca === undefined ? {} : { ca });
    const requestsWith = (secret: string) => new HostRequests({ url, token: secret, transport, clock });
    try {
      const body = JSON.stringify({ name, program, offers } satisfies JoinRequest);
      const reply = await requestsWith(token).once({ method: 'POST', path: JOIN_PATH, body, signal });
      const joined = parsedReply(reply, joinReply);
      return new Membership(joined, requestsWith(joined.token), {
        ...{ clock, health },
        close: () => transport.close(),
      });
    } catch (error) {
      transport.close();
      throw error;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HostRequestRefused || error instanceof RangeError)
      throw new JoinRefused(error.message, { cause: error });
    if (error instanceof ForeignReply || error instanceof TemporaryRefusal || error instanceof DaemonFailed)
      throw error;
    throw new Error(explainUnreachable(url, error), { cause: error });
  }
}

interface MembershipContext extends Pick<JoinOptions, 'clock' | 'health'> {
  readonly close: () => void;
}

export class Membership {
  readonly run: string;
  readonly epoch: string;
  /** The name of this host in the run. */
  readonly host: string;
  /** The value that the daemon's `startFor` returned. */
  readonly start: unknown;
  readonly access: BrokerAccess;
  readonly blobs: Blobs;
  readonly #requests: HostRequests;
  readonly #context: MembershipContext;
  readonly #over = new AbortController();
  readonly #renewing: Promise<void>;
  /** Absent for a run whose daemon has the blobs. */
  readonly #linked: LinkedBlobs | undefined;
  #creds: string | undefined;

  constructor(reply: JoinReply, requests: HostRequests, context: MembershipContext) {
    const { run, epoch, host, start, broker } = reply;
    const { creds, ...login } = broker;
    this.run = run;
    this.epoch = epoch;
    this.host = host;
    this.start = start;
    this.#creds = creds;
    this.access = { ...login, ...(creds !== undefined && { creds: () => this.#creds ?? creds }) };
    this.#requests = requests;
    this.#context = context;
    const { clock, health } = context;
    this.#linked = reply.hasStore ? new LinkedBlobs(requests, { clock, signal: this.over }) : undefined;
    const distant = this.#linked ?? new RemoteBlobs(requests, this.over);
    this.blobs = new CachedBlobs(new PacedBlobs(distant, health), CACHE_BYTES);
    this.#renewing = this.#renew();
  }

  /** Aborted with MembershipEnded when the daemon does not know this host any more, or was silent for too long, or after `leave`. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Rejects if this machine does not reach the store of the run's blobs. */
  async tryStore(): Promise<void> {
    await this.#linked?.tryOnce();
  }

  /** Posts it once. Resolves with undefined while there is no answer: then the same is posted again. */
  async post(path: string, body: Uint8Array, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { over, release } = linked(signal, this.over);
    try {
      const { status, body: answer } = await this.#requests.once({
        ...{ method: 'POST', path, body, timeoutMs: POST_TIMEOUT_MS, signal: over.signal },
      });
      return status === NO_ANSWER_YET ? undefined : answer;
    } finally {
      release();
    }
  }

  /** The daemon forgets this host at once if it answers. May be called more than once. */
  async leave(): Promise<void> {
    if (!this.over.aborted) {
      const { signal } = new AbortController();
      // The daemon forgets a silent host, too.
      await this.#requests.once({ method: 'POST', path: LEAVE_PATH, signal }).catch(() => undefined);
      this.#end('This host has left the run.');
    }
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    const { clock } = this.#context;
    let answeredMs = clock.now();
    while (!this.over.aborted) {
      await sleepUnlessAborted(clock, RENEW_INTERVAL_MS, this.over);
      if (this.over.aborted) break;
      try {
        const reply = await this.#requests.once({ method: 'POST', path: RENEW_PATH, signal: this.over });
        this.#creds = parsedReply(reply, renewReply).broker.creds ?? this.#creds;
        answeredMs = clock.now();
      } catch (error) {
        if (error instanceof HostRequestRefused) this.#end(error.message, error.status === REFUSED);
        else if (clock.now() - answeredMs >= HOST_TTL_MS)
          this.#end(`The daemon has not answered for ${HOST_TTL_MS / 1000} s: ${sentenceOf(error)}`);
      }
    }
    this.#context.close();
  }

  #end(why: string, isRefused = false): void {
    this.#over.abort(isRefused ? new JoinRefused(why) : new MembershipEnded(why));
  }
}
