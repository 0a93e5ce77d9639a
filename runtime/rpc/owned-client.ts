// A client together with the process or thread that serves it. The owner ends a peer that stops answering; its user opens another.

import type { Clock } from '../core/clock.ts';
import { DeadlineExceeded } from '../core/deadline.ts';
import { messageOf } from '../core/errors.ts';
import { systemClock } from '../core/system-clock.ts';
import { type CallOptions, Client, PeerEnded } from './client.ts';
import { type CallTable, HEARTBEAT_TIMEOUT_MS, STARTUP_HEARTBEAT_TIMEOUT_MS } from './messages.ts';
import type { Port } from './port.ts';

/** A process or thread. */
export interface Peer {
  /** Names it in errors: 'The policy worker (process 12)'. */
  readonly name: string;
  readonly port: Port;
  /** Never rejects. */
  readonly ended: Promise<unknown>;
  /** Asks it to end once it has carried out its calls. */
  disconnect(): void;
  /** Ends it at once, also when it is stopped or stuck. */
  kill(reason: string): void;
}

export interface OwnedClientOptions {
  readonly clock?: Clock;
  /** Infinity for a peer that may block its event loop for any time. */
  readonly heartbeatTimeoutMs?: number;
  readonly startupTimeoutMs?: number;
  /** How long the peer may take to end when it is closed. */
  readonly closeTimeoutMs?: number;
}

/** The call that a served peer answers when it is ready. */
export const OPEN = '$open';

const CLOSE_TIMEOUT_MS = 2000;

export class OwnedClient<T extends CallTable> {
  readonly #peer: Peer;
  readonly #client: Client<CallTable>;
  readonly #clock: Clock;
  readonly #closeTimeoutMs: number;

  private constructor(peer: Peer, clock: Clock, closeTimeoutMs: number) {
    this.#peer = peer;
    this.#client = new Client(peer.port, { peer: peer.name, clock });
    this.#clock = clock;
    this.#closeTimeoutMs = closeTimeoutMs;
  }

  /** Resolves when the peer is ready, with its reply to OPEN. Ends the peer and rejects when it does not get ready. */
  static async open<T extends CallTable, About>(
    peer: Peer,
    options: OwnedClientOptions = {},
  ): Promise<{ readonly client: OwnedClient<T>; readonly about: About }> {
    const { clock = systemClock, heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS } = options;
    const startupMs = Math.max(options.startupTimeoutMs ?? STARTUP_HEARTBEAT_TIMEOUT_MS, heartbeatTimeoutMs);
    const owned = new OwnedClient<T>(peer, clock, options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS);
    try {
      owned.#watch(startupMs);
      const about = (await owned.#client.call(OPEN, undefined)) as About;
      owned.#watch(heartbeatTimeoutMs);
      return { client: owned, about };
    } catch (error) {
      await owned.close();
      throw new PeerEnded(`${peer.name} did not get ready: ${messageOf(error)}`, { cause: error });
    }
  }

  get name(): string {
    return this.#peer.name;
  }

  /** A call that exceeds its deadline ends the peer: it may be stuck with other calls too. */
  async call<M extends keyof T & string>(
    method: M,
    params: T[M]['takes'],
    options?: CallOptions,
  ): Promise<T[M]['gives']> {
    try {
      return await this.#client.call(method, params, options);
    } catch (error) {
      if (error instanceof DeadlineExceeded) this.kill(error.message);
      throw error;
    }
  }

  /** Ends the peer at once. Pending calls reject with PeerEnded. */
  kill(reason: string): void {
    this.#client.close(new PeerEnded(reason));
    this.#peer.kill(reason);
  }

  /** Resolves when the peer has ended; it is killed when that takes too long. Never rejects. */
  async close(): Promise<void> {
    const ended = new AbortController();
    this.#clock.sleep(this.#closeTimeoutMs, ended.signal).then(
      () => this.kill(`${this.#peer.name} did not end within ${this.#closeTimeoutMs / 1000} s.`),
      // It ended in time.
      () => undefined,
    );
    this.#peer.disconnect();
    await this.#peer.ended;
    ended.abort();
  }

  #watch(timeoutMs: number): void {
    if (!Number.isFinite(timeoutMs)) return;
    this.#client.expectHeartbeats(timeoutMs, silentMs =>
      this.kill(`${this.#peer.name} sent no heartbeat for ${Math.round(silentMs / 1000)} s and was killed.`),
    );
  }
}
