// The router's record of one server: its phase, its requests in flight, its failures, and its weights.

import { type Backoff, backoffMs } from '../core/retry.ts';
import type { EndpointClient } from './client.ts';
import type { EndpointError } from './failure.ts';
import type { ServerPhase, ServerState } from './routing.ts';
import { WeightsOfServer } from './served-weights.ts';
import type { WireDialect } from './wire-request.ts';

export interface RoutedServer {
  readonly client: Pick<EndpointClient, 'name' | 'chat'>;
  readonly model: string;
  /** Other names of the model, as the server lists them. */
  readonly aliases?: readonly string[];
  readonly dialect: WireDialect;
  /** The reason why it did not answer when the agent opened. It starts in the phase `failed`. */
  readonly problem?: string;
}

/** The state and the work of one server. */
export interface ServerSnapshot {
  readonly name: string;
  readonly phase: ServerPhase;
  /** The name of its model in new requests. */
  readonly model: string;
  /** The optimiser steps of its weights, if they are known. */
  readonly version?: number;
  readonly inFlight: number;
  readonly replies: number;
  /** Failed requests by cause. */
  readonly failures: Readonly<Record<string, number>>;
  /** The mean over its replies. */
  readonly latencyMs: number | undefined;
}

/** The first pause is short, because most failures are of a single request. */
export const BACKOFF: Backoff = { firstMs: 500, maxMs: 60_000 };
/** Failures in a row after which a server gets single requests only. */
const MAX_FAILURES_IN_ROW = 5;
/** A server that asks for a longer pause is down: a hosted service over its daily quota, for example. */
const MAX_REQUESTED_PAUSE_MS = 60_000;

export class ServerRecord implements ServerState {
  readonly server: RoutedServer;
  readonly concurrency: number;
  readonly weights = new WeightsOfServer();
  inFlight = 0;
  blockedUntil = 0;
  turn = 0;
  /** Why it is down, for people. */
  problem = '';
  #phase: ServerPhase = 'serving';
  #downSince: number | undefined;
  /** Failures since its last reply. Requests that were in flight together are one. */
  #failuresInRow = 0;
  /** The time of the last of them. */
  #failedAt = -1;
  #replies = 0;
  #latencySum = 0;
  readonly #failures = new Map<string, number>();

  constructor(server: RoutedServer, concurrency: number, now: number) {
    this.server = server;
    this.concurrency = concurrency;
    if (server.problem === undefined) return;
    this.problem = server.problem;
    this.#failuresInRow = MAX_FAILURES_IN_ROW;
    this.enter('failed', now);
  }

  get name(): string {
    return this.server.client.name;
  }

  get phase(): ServerPhase {
    return this.#phase;
  }

  get downSince(): number | undefined {
    return this.#downSince;
  }

  /** The name in new requests. */
  get model(): string {
    return this.weights.current?.model ?? this.server.model;
  }

  enter(phase: ServerPhase, now: number): void {
    this.#phase = phase;
    if (phase === 'serving') this.#downSince = undefined;
    // An update does not end an outage before it succeeds.
    else if (phase === 'failed' || phase === 'out') this.#downSince ??= now;
  }

  /** A server with new weights has a clean record: failures before them say nothing about it. */
  putInService(now: number): void {
    this.#failuresInRow = 0;
    this.blockedUntil = 0;
    this.enter('serving', now);
  }

  /** Returns whether it works again. A reply to an earlier request does not end a pause that the server asked for. */
  replied(latencyMs: number, now: number): boolean {
    this.#replies += 1;
    this.#latencySum += latencyMs;
    this.#failuresInRow = 0;
    if (this.#phase !== 'failed' || now < this.blockedUntil) return false;
    this.enter('serving', now);
    return true;
  }

  /** Returns whether it is failed from now on. */
  failed({ reason, delayMs = 0, failure }: EndpointError, sentAt: number, now: number): boolean {
    this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
    if (sentAt > this.#failedAt) {
      this.#failuresInRow += 1;
      this.#failedAt = now;
    }
    const tooMany = this.#failuresInRow - MAX_FAILURES_IN_ROW + 1;
    const pause = tooMany > 0 ? backoffMs(tooMany, BACKOFF) : 0;
    this.blockedUntil = Math.max(this.blockedUntil, now + Math.max(pause, delayMs));
    const isFailed = tooMany > 0 || delayMs > MAX_REQUESTED_PAUSE_MS;
    if (isFailed) this.problem = failure.message;
    if (!isFailed || this.#phase !== 'serving') return false;
    this.enter('failed', now);
    return true;
  }

  snapshot(): ServerSnapshot {
    const { name, phase, model, inFlight } = this;
    const version = this.weights.current?.version;
    return {
      ...{ name, phase, model, inFlight, replies: this.#replies },
      ...(version !== undefined && { version }),
      failures: Object.fromEntries(this.#failures),
      latencyMs: this.#replies === 0 ? undefined : this.#latencySum / this.#replies,
    };
  }
}
