// The connection to a broker. It survives restarts of the broker: calls are repeated until the broker answers, or until the epoch is over.

import { setMaxListeners } from 'node:events';
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  JetStreamError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { sentenceOf } from '../../core/errors.ts';
import { FailureReport } from '../../core/failure-report.ts';
import { retry } from '../../core/retry.ts';
import { isTransient } from '../../lease/nats/calls.ts';
import { ChannelClosed } from '../channels.ts';
import { type BrokerAccess, CALL_TIMEOUT_MS, connectTo, roundTrip } from './connection.ts';

/** The run has ended, or its daemon started anew: the broker has nothing for this member any more. A host joins again. */
export class EpochOver extends Error {
  override readonly name = 'EpochOver';
}

export interface BrokerOptions {
  readonly access: BrokerAccess;
  /** Shown by tools of the broker. */
  readonly name: string;
  /** For a broker that is not reached. Default: that of `connectTo`. */
  readonly remedy?: string;
  /** A stream that disappears when the epoch is over. */
  readonly epochStream: string;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** In reports. */
const BROKER = 'the broker';
const BLOBS = 'the blobs of messages';
/** In a row. A few failures are common, and the repetition helps. */
const REPORTED_FAILURES = 5;
const PULSE_MS = 5000;
const BACKOFF = { firstMs: 100, maxMs: 2000 };
/** A connection is made again when the login of a host is renewed, which takes less. */
const REPORTED_ABSENCE_MS = 2000;

export class Broker {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly #options: BrokerOptions;
  readonly #over = new AbortController();
  readonly #pulses: (() => void)[] = [];
  /** Of calls that do not wait for an absent broker. */
  readonly #impatient = new Set<() => void>();
  #isUp = true;
  /** False also while the broker answers, but its streams do not: after its disk was full, for example. */
  #isStoring = true;
  /** The user was told that it is away or stores nothing. */
  #isReported = false;
  #absences = 0;
  readonly #blobFailures = new FailureReport(error => this.report(BLOBS, error));

  private constructor(connection: NatsConnection, jsm: JetStreamManager, options: BrokerOptions) {
    this.connection = connection;
    this.js = jetstream(connection, { timeout: CALL_TIMEOUT_MS });
    this.jsm = jsm;
    this.#options = options;
    // Every pending call listens to it.
    setMaxListeners(0, this.#over.signal);
  }

  static async open(options: BrokerOptions): Promise<Broker> {
    const connection = await connectTo(options.access, options.name, options.remedy);
    // Without a check, which hosts are not permitted to do.
    const jsm = await jetstreamManager(connection, { checkAPI: false, timeout: CALL_TIMEOUT_MS });
    const broker = new Broker(connection, jsm, options);
    void broker.#followStatus();
    return broker;
  }

  /** Connected. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Aborted when nothing more can be sent: the epoch is over, or this side has closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Calls the handler after each reconnect, and every few seconds. */
  pulsed(handler: () => void): void {
    this.#pulses.push(handler);
  }

  /** Watches whether the epoch is over. */
  async watchEpoch(): Promise<void> {
    const { clock } = this.#options;
    while (!this.over.aborted) {
      await sleepUnlessAborted(clock, PULSE_MS, this.over);
      if (!this.over.aborted && this.#isUp) await this.checkEpoch();
      this.#pulse();
    }
  }

  /** Ends all calls with an EpochOver if the epoch is over. */
  async checkEpoch(): Promise<void> {
    const { epochStream } = this.#options;
    const look = () =>
      this.jsm.streams.info(epochStream).then(
        () => undefined,
        (error: unknown) => error,
      );
    // The first call of a process that was frozen may be late.
    const error = (await look()) && (await look());
    if (error === undefined) this.#stores();
    else if (isMissingStream(error))
      this.end(
        new EpochOver(
          `The broker has no stream ${epochStream} any more: the run has ended or was started anew, or the broker lost its data. Join again, or resume the run.`,
        ),
      );
    else this.#storesNothing(error);
  }

  /** Repeats the work until it succeeds. Rejects with the reason of `over`, or with an error for which a repetition is useless. */
  async persist<T>(work: () => Promise<T>, isWorthRepeating = isTransient): Promise<T> {
    return this.#blobFailures.around(failing =>
      retry(() => this.#unlessOver(work()), {
        ...{ clock: this.#options.clock, signal: this.over, backoff: BACKOFF },
        failed: async (error, failures) => {
          if (isWorthRepeating(error)) {
            // An absence of the broker is reported elsewhere. Errors that are not of the broker are those of blobs.
            const isOfBroker = isTransient(error) || error instanceof JetStreamError;
            if (failures >= REPORTED_FAILURES && !isOfBroker) failing(error);
            return;
          }
          // An error of a stream that was removed does not explain itself.
          await this.checkEpoch();
          this.over.throwIfAborted();
          throw error;
        },
      }),
    );
  }

  /** The result, or undefined while the broker stores nothing. The call goes on then, if it had begun. */
  async unlessAway<T>(call: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isStoring) return undefined;
    return new Promise((resolve, reject) => {
      const away = () => resolve(undefined);
      this.#impatient.add(away);
      call()
        .then(resolve, reject)
        .finally(() => this.#impatient.delete(away));
    });
  }

  /** Of a ping. Rejects while the broker is away. */
  async roundTripMs(): Promise<number> {
    const measured = await this.unlessAway(() => roundTrip(this.connection));
    if (measured === undefined) throw new Error(`${this.#where} does not answer. Wait until it is back.`);
    return measured;
  }

  /** Work beside the callers: reports its failure and its next success. */
  report(thing: string, error?: unknown): void {
    this.#options.health(thing, error === undefined, error === undefined ? 'works again' : sentenceOf(error));
  }

  /** All pending calls reject with the reason. */
  end(reason: Error): void {
    this.#over.abort(reason);
  }

  async close(): Promise<void> {
    this.end(new ChannelClosed('The connection to the broker is closed: this side has left the run.'));
    await this.connection.close();
  }

  async #followStatus(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect' && this.#isUp && !this.over.aborted) {
        this.#isUp = false;
        this.#leave();
        void this.#reportAbsence();
      } else if (status.type === 'reconnect' && !this.#isUp) {
        this.#isUp = true;
        this.#stores();
      }
    }
    const error = await this.connection.closed();
    if (error !== undefined)
      this.end(
        new Error(
          `${this.#where} closed the connection: ${sentenceOf(error)} Check its log, then join again, or resume the run.`,
        ),
      );
  }

  #stores(): void {
    if (this.#isStoring || !this.#isUp) return;
    this.#isStoring = true;
    if (this.#isReported) this.#options.health(BROKER, true, `${this.#servers} answers again`);
    this.#isReported = false;
    this.#pulse();
  }

  #storesNothing(error: unknown): void {
    if (!this.#isStoring || !this.#isUp || this.over.aborted) return;
    this.#leave();
    this.#reportProblem(
      `stores nothing: ${sentenceOf(error)} Messages from this machine wait for it. Check its log and its disk.`,
    );
  }

  /** Calls that do not wait for the broker end. */
  #leave(): void {
    this.#isStoring = false;
    for (const leave of this.#impatient) leave();
  }

  async #reportAbsence(): Promise<void> {
    this.#absences += 1;
    const absence = this.#absences;
    await sleepUnlessAborted(this.#options.clock, REPORTED_ABSENCE_MS, this.over);
    if (this.#isUp || absence !== this.#absences || this.over.aborted) return;
    this.#reportProblem('does not answer. Messages from this machine wait for it.');
  }

  #reportProblem(why: string): void {
    if (!this.#isReported) this.#options.health(BROKER, false, `${this.#servers} ${why}`);
    this.#isReported = true;
  }

  get #servers(): string {
    return this.#options.access.servers.join(', ');
  }

  get #where(): string {
    return `The broker at ${this.#servers}`;
  }

  #pulse(): void {
    for (const handler of this.#pulses) handler();
  }

  #unlessOver<T>(work: Promise<T>): Promise<T> {
    const { over } = this;
    return new Promise((resolve, reject) => {
      const stop = () => reject(over.reason);
      over.addEventListener('abort', stop, { once: true });
      work.then(resolve, reject).finally(() => over.removeEventListener('abort', stop));
    });
  }
}

export const isMissingStream = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
