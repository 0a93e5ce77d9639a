// Calls to a NATS server that are repeated until they have an answer: a server may be away, and a reply may be lost.

import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '../../core/clock.ts';
import { sentenceOf } from '../../core/errors.ts';
import { FailureReport } from '../../core/failure-report.ts';
import { retry } from '../../core/retry.ts';
import { LeaseQueueClosed } from '../lease.ts';

export const CALL_TIMEOUT_MS = 2000;
const BACKOFF = { firstMs: 50, maxMs: 2000 };
const UNAVAILABLE = 503;
/** The server cannot store a message: a stream or a disk is full. */
const STORE_FAILED = 10_077;
/** In a row. A stream that is full for a moment is no problem. */
const REPORTED_FAILURES = 5;

/** The server is away, is starting, or has no room now. Whether it performed the call is unknown. */
export const isTransient = (error: unknown): boolean =>
  error instanceof errors.TimeoutError ||
  // The class is not exported.
  (error instanceof Error && error.name === 'JetStreamNotEnabled') ||
  error instanceof errors.NoRespondersError ||
  (error instanceof errors.RequestError && !(error.cause instanceof errors.PermissionViolationError)) ||
  (error instanceof JetStreamApiError && error.status === UNAVAILABLE);

const isRemoved = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamNotFound || error.code === JetStreamApiCodes.ConsumerNotFound);

const isStoreFailure = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === STORE_FAILED;

export const isWrongRevision = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence;

export interface LeaseCallOptions {
  readonly connection: NatsConnection;
  readonly clock: Clock;
  /** Errors contain it. */
  readonly name: string;
  /** Asks the server for the queue. A call to a queue that was removed has no reply, like a call to a server that is away. */
  readonly find: () => Promise<unknown>;
  /** Told that the server stores nothing, and without an error when it does again. */
  readonly report?: ((error?: Error) => void) | undefined;
}

export class Calls {
  readonly #options: LeaseCallOptions;
  readonly #storing: FailureReport;

  constructor(options: LeaseCallOptions) {
    this.#options = options;
    const { name, report } = options;
    this.#storing = new FailureReport(error =>
      report?.(
        error &&
          new Error(
            `The broker stores nothing for the queue '${name}': ${sentenceOf(error)} Check its log and its disk.`,
            { cause: error },
          ),
      ),
    );
  }

  /** Rejects with LeaseQueueClosed when the connection or the queue ends, and with the signal's reason when it is aborted first. */
  repeat<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { clock } = this.#options;
    return this.#storing.around(failing =>
      retry(call, {
        ...{ clock, signal, backoff: BACKOFF },
        failed: (error, failures) => {
          if (isStoreFailure(error) && failures >= REPORTED_FAILURES) failing(error);
          return this.#explain(error);
        },
      }),
    );
  }

  /** Resolves if the call is worth a repetition. */
  async #explain(error: unknown): Promise<void> {
    const { connection, name, find } = this.#options;
    if (connection.isClosed() || connection.isDraining())
      throw new LeaseQueueClosed(
        `The queue '${name}' was not reached: the connection to NATS is closed. Connect again.`,
        { cause: error },
      );
    if (isRemoved(error))
      throw new LeaseQueueClosed(
        `The queue '${name}' does not exist on the NATS server: its run has ended, or was started again. Join the run again.`,
        { cause: error },
      );
    if (!isTransient(error)) throw error;
    await find().catch((why: unknown) => (isRemoved(why) ? this.#explain(why) : undefined));
  }
}
