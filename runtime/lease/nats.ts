// Leases over NATS JetStream. A work-queue stream sends the work out, in order and again after `ttlMs`; a record per piece decides whose lease
// is valid. A message that is delivered too early, too late or twice therefore does no harm.

import { type ConsumerInfo, type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { type Msg, type NatsConnection, nanos, nuid } from '@nats-io/transport-node';
import type { Clock } from '../core/clock.ts';
import type { LeaseCount, LeaseQueue, WorkLease } from './lease.ts';
import { CALL_TIMEOUT_MS, Calls, isWrongRevision } from './nats/calls.ts';
import { type Delivery, NatsLease } from './nats/lease.ts';
import { type PullWait, pull } from './nats/pull.ts';
import { type LeaseRecord, LeaseRecords, NO_REVISION, type StoredRecord } from './nats/records.ts';
import { idOfToken, type LeaseNames, leaseNames, tokenOfId } from './nats/streams.ts';

export interface NatsLeaseOptions {
  readonly connection: NatsConnection;
  /** As for `createLeaseQueue`. */
  readonly name: string;
  readonly ttlMs: number;
  readonly clock: Clock;
  /** Told that the server stores nothing, and without an error when it does again. */
  readonly report?: (error?: Error) => void;
}

/** A request for work is repeated after this time: a server that was started again has forgotten it. */
const PULL_MS = 5000;

const NEVER_LEASED: LeaseRecord = { state: 'returned', attempt: 0, untouched: 0, claim: '' };

/** A piece of work that was delivered, but not to be done now. */
const SKIPPED = Symbol('skipped');

export class NatsLeaseQueue implements LeaseQueue<Uint8Array> {
  readonly ttlMs: number;
  readonly #options: NatsLeaseOptions;
  readonly #names: LeaseNames;
  readonly #js: JetStreamClient;
  readonly #records: LeaseRecords;
  readonly #calls: Calls;

  /** The queue exists. */
  constructor(options: NatsLeaseOptions) {
    const { connection, name, clock, ttlMs, report } = options;
    this.ttlMs = ttlMs;
    this.#options = options;
    this.#names = leaseNames(name);
    // A client of a run may not have the permission to check the API.
    this.#js = jetstream(connection, { timeout: CALL_TIMEOUT_MS, checkAPI: false });
    this.#records = new LeaseRecords(this.#js, this.#names.bucket);
    this.#calls = new Calls({ connection, clock, name, report, find: () => this.#consumer() });
  }

  async put(id: string, work: Uint8Array): Promise<void> {
    const subject = `${this.#names.stream}.${tokenOfId(id)}`;
    await this.#calls.repeat(async () => {
      const stored = await this.#records.read(id);
      if (stored?.record.state === 'completed') return;
      try {
        await this.#js.publish(subject, work, { expect: { lastSubjectSequence: NO_REVISION } });
      } catch (error) {
        // The stream has the work already.
        if (!isWrongRevision(error)) throw error;
      }
    });
  }

  async claim(signal?: AbortSignal): Promise<WorkLease<Uint8Array>> {
    for (;;) {
      signal?.throwIfAborted();
      const lease = await this.#next({ waitMs: PULL_MS, signal });
      if (lease !== undefined && lease !== SKIPPED) return lease;
    }
  }

  async tryClaim(): Promise<WorkLease<Uint8Array> | undefined> {
    for (;;) {
      const lease = await this.#next({ waitMs: 0 });
      if (lease !== SKIPPED) return lease;
    }
  }

  async count(): Promise<LeaseCount> {
    const { num_pending, num_ack_pending } = await this.#calls.repeat(() => this.#consumer());
    return { waiting: num_pending, leased: num_ack_pending };
  }

  /** Undefined when there is no work, or when the signal was aborted. */
  async #next(wait: PullWait): Promise<NatsLease | typeof SKIPPED | undefined> {
    const { connection, clock } = this.#options;
    const { stream, consumer } = this.#names;
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
    const message = await this.#calls.repeat(() => pull({ connection, subject, clock }, wait), wait.signal);
    if (message === undefined) return undefined;
    const delivery = new MessageDelivery(connection, message);
    if (wait.signal?.aborted) {
      await delivery.return(0);
      return undefined;
    }
    const claim = nuid.next();
    const lease = await this.#calls.repeat(() => this.#take(message, delivery, claim));
    if (lease === SKIPPED || !wait.signal?.aborted) return lease;
    await lease.fail('untouched');
    return undefined;
  }

  async #take(
    { subject, data: work }: Msg,
    delivery: Delivery,
    newClaim: string,
  ): Promise<NatsLease | typeof SKIPPED> {
    const [records, calls] = [this.#records, this.#calls];
    const id = idOfToken(subject.slice(this.#names.stream.length + 1));
    const leased = (record: LeaseRecord, revision: number) =>
      new NatsLease({ id, work, record, revision, records, calls, delivery });
    for (;;) {
      const found = await records.read(id);
      const { state, attempt, untouched, claim } = found?.record ?? NEVER_LEASED;
      // An earlier try, whose reply was lost.
      if (found !== undefined && claim === newClaim) return leased(found.record, found.revision);
      if (state === 'completed') {
        await delivery.remove();
        return SKIPPED;
      }
      const restMs = found !== undefined && state === 'leased' ? await this.#restMs(found) : 0;
      if (restMs > 0) {
        await delivery.return(restMs);
        return SKIPPED;
      }
      const record: LeaseRecord = { state: 'leased', attempt: attempt + 1, untouched, claim: newClaim };
      const revision = await records.write(id, record, found?.revision ?? NO_REVISION);
      if (revision !== undefined) return leased(record, revision);
    }
  }

  /** The time for which the lease is still valid without a heartbeat. Times are whole milliseconds, so it counts one more. */
  async #restMs({ writtenMs }: StoredRecord): Promise<number> {
    return writtenMs + this.ttlMs + 1 - (await this.#records.now());
  }

  async #consumer(): Promise<ConsumerInfo> {
    const { stream, consumer } = this.#names;
    return (await this.#js.jetstreamManager()).consumers.info(stream, consumer);
  }
}

const ACKNOWLEDGED = '+ACK';
const IN_PROGRESS = '+WPI';
const RETURNED = '-NAK';

class MessageDelivery implements Delivery {
  readonly #connection: NatsConnection;
  /** Any delivery of a message can be settled, also by the client of an earlier one. */
  readonly #subject: string;

  constructor(connection: NatsConnection, { reply = '' }: Msg) {
    this.#connection = connection;
    this.#subject = reply;
  }

  working(): void {
    this.#connection.publish(this.#subject, IN_PROGRESS);
  }

  remove(): Promise<void> {
    return this.#send(ACKNOWLEDGED);
  }

  return(afterMs: number): Promise<void> {
    return this.#send(afterMs > 0 ? `${RETURNED} ${JSON.stringify({ delay: nanos(afterMs) })}` : RETURNED);
  }

  /** Waits for the server, so that the next call finds the effect. */
  async #send(notice: string): Promise<void> {
    // A message that is not settled comes again after its time.
    await this.#connection
      .request(this.#subject, notice, { timeout: CALL_TIMEOUT_MS })
      .catch(() => undefined);
  }
}
