// The calling side of a connection. Laws: each call settles exactly once (result, error, deadline or end of the connection); late replies
// are ignored; `close` settles everything.

import type { Clock } from '../core/clock.ts';
import { DeadlineExceeded } from '../core/deadline.ts';
import { linked } from '../core/run-together.ts';
import { type CallTable, HEARTBEAT, PROGRESS, type Progress, type ToClient } from './messages.ts';
import type { Port } from './port.ts';
import { tickWhileResponsive } from './responsive-time.ts';

/** The peer ended before it answered, or has ended already. Whether it carried out the call is unknown. */
export class PeerEnded extends Error {
  override readonly name = 'PeerEnded';
}

/** Whether a call failed because its peer ended or does not answer. The owner of the peer starts another one. */
export const isPeerLost = (error: unknown): error is PeerEnded | DeadlineExceeded =>
  error instanceof PeerEnded || error instanceof DeadlineExceeded;

/** An error of the peer, under the name that it has there. */
export class RemoteError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export interface ClientOptions {
  /** Names the peer in errors: 'The index thread'. */
  readonly peer: string;
  readonly clock: Clock;
  /** Of each call; unlimited by default, for peers that are watched by their heartbeats. */
  readonly deadlineMs?: number;
  readonly notified?: (method: string, params: unknown) => void;
}

export interface CallOptions {
  readonly deadlineMs?: number;
  readonly progress?: (value: unknown) => void;
}

interface Pending {
  readonly method: string;
  readonly deadlineMs: number;
  readonly progress: CallOptions['progress'];
  readonly resolve: (result: never) => void;
  readonly reject: (reason: unknown) => void;
  leftMs: number;
}

export class Client<T extends CallTable> {
  readonly #port: Port;
  readonly #options: ClientOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #over = new AbortController();
  readonly #idle: (() => void)[] = [];
  #count = 0;
  #ended: Error | undefined;
  #isTicking = false;
  #heartbeat: { readonly timeoutMs: number; readonly silent: (ms: number) => void } | undefined;
  #silentMs = 0;

  constructor(port: Port, options: ClientOptions) {
    this.#port = port;
    this.#options = options;
    port.receive(message => this.#hear(message as ToClient));
    port.closed(reason => this.close(new PeerEnded(reason ?? `${options.peer} ended the connection.`)));
  }

  call<M extends keyof T & string>(
    method: M,
    params: T[M]['takes'],
    { deadlineMs = this.#options.deadlineMs ?? Infinity, progress }: CallOptions = {},
  ): Promise<T[M]['gives']> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      const id = ++this.#count;
      this.#pending.set(id, { method, deadlineMs, leftMs: deadlineMs, progress, resolve, reject });
      this.#port.send({ id, method, params }, error => this.#take(id)?.reject(error));
      if (Number.isFinite(deadlineMs)) this.#tick();
    });
  }

  notify(method: string, params: unknown): void {
    if (this.#ended === undefined) this.#port.send({ method, params });
  }

  /** From now on calls `silent` once when the peer sends nothing for so long. Time during which this process was stuck does not count. */
  expectHeartbeats(timeoutMs: number, silent: (silentMs: number) => void): void {
    this.#heartbeat = { timeoutMs, silent };
    this.#tick();
  }

  /** How long the peer has sent nothing, while heartbeats are expected or a deadline runs. */
  get silentMs(): number {
    return this.#silentMs;
  }

  /** Resolves when no call is pending. */
  idle(): Promise<void> {
    return new Promise(resolve => {
      if (this.#pending.size === 0) resolve();
      else this.#idle.push(resolve);
    });
  }

  /** Rejects every pending and every later call with the first reason. */
  close(reason: Error): void {
    this.#ended ??= reason;
    this.#over.abort();
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(this.#ended);
  }

  #hear(message: ToClient): void {
    this.#silentMs = 0;
    if ('id' in message) {
      const pending = this.#take(message.id);
      if ('error' in message) pending?.reject(new RemoteError(message.error.name, message.error.message));
      else pending?.resolve(message.result as never);
    } else if (message.method === PROGRESS) {
      const { id, value } = message.params as Progress;
      this.#pending.get(id)?.progress?.(value);
    } else if (message.method !== HEARTBEAT) this.#options.notified?.(message.method, message.params);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    return pending;
  }

  /** One timer serves the deadlines of all calls and the heartbeats: thousands of calls a second need no timer each. */
  #tick(): void {
    if (this.#isTicking || this.#over.signal.aborted) return;
    this.#isTicking = true;
    const { over: idle, release } = linked(this.#over.signal);
    void tickWhileResponsive(this.#options.clock, idle.signal, elapsedMs => {
      for (const [id, pending] of this.#pending) {
        pending.leftMs -= elapsedMs;
        if (pending.leftMs > 0) continue;
        const what = `${this.#options.peer}: the call '${pending.method}'`;
        this.#take(id)?.reject(new DeadlineExceeded(what, pending.deadlineMs));
      }
      this.#silentMs += elapsedMs;
      const heartbeat = this.#heartbeat;
      if (heartbeat !== undefined && this.#silentMs >= heartbeat.timeoutMs) {
        this.#heartbeat = undefined;
        heartbeat.silent(this.#silentMs);
      }
      const hasDeadlines = [...this.#pending.values()].some(({ leftMs }) => Number.isFinite(leftMs));
      if (this.#heartbeat !== undefined || hasDeadlines) return;
      this.#isTicking = false;
      idle.abort();
    }).finally(release);
  }
}
