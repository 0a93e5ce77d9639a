// The daemon's side of a module's process: starts it, serves the fabric to it, stops it, and reports how it ended. The supervisor decides
// whether it is started again.

import type { Clock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { serveFabric } from '../fabric/remote/server.ts';
import { batched } from '../rpc/batched-port.ts';
import { Child, type ChildOptions } from '../rpc/child.ts';
import { Client, PeerEnded, RemoteError } from '../rpc/client.ts';
import { HEARTBEAT_TIMEOUT_MS, STARTUP_HEARTBEAT_TIMEOUT_MS } from '../rpc/messages.ts';

/** The names of the ports that share the channel of a module's process. */
export const MODULE_PORT = 'module';
export const FABRIC_PORT = 'fabric';

/** `start` resolves when the module is ready. The notification `stop` asks it to end; it reports its end by the notification `finished` or `failed`. */
export type ModuleCalls = {
  readonly start: { readonly takes: unknown; readonly gives: undefined };
  readonly stop: { readonly takes: undefined; readonly gives: undefined };
};

export interface ModuleOptions<Start> extends Omit<ChildOptions, 'args'> {
  /** Plain data for the entry. */
  readonly start: Start;
  readonly fabric: Fabric;
  readonly clock: Clock;
}

export interface ModuleEnd {
  /** By `close`; otherwise it died. */
  readonly wasClosed: boolean;
  /** It finished its work. */
  readonly isClean: boolean;
  /** Names the module, its exit code or signal, and the failure that it reported. */
  readonly message: string;
}

export class ModuleEnded extends Error {
  override readonly name = 'ModuleEnded';
}

export class ModuleProcess {
  /** Rejects with ModuleEnded when the module ends before it is ready, with the failure that it reported. */
  readonly ready: Promise<void>;
  /** By then everything that it sent over the fabric is carried out, and everything that it held is given back. Never rejects. */
  readonly ended: Promise<ModuleEnd>;
  readonly #child: Child;
  readonly #client: Client<ModuleCalls>;
  readonly #clock: Clock;
  #wasClosed = false;
  #failure: string | undefined;
  /** It has done its work: how the process exits after that does not matter. */
  #hasFinished = false;

  private constructor(child: Child, start: unknown, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    this.#client = new Client<ModuleCalls>(child.port(MODULE_PORT), {
      peer: child.name,
      clock,
      notified: (name, failure) => {
        if (name === 'finished') this.#hasFinished = true;
        // Later failures are consequences of the first.
        else this.#failure ??= String(failure);
      },
    });
    this.#expectHeartbeats(STARTUP_HEARTBEAT_TIMEOUT_MS);
    this.ended = child.ended.then(({ isClean, message }) => {
      const why = this.#failure === undefined ? '' : `: ${this.#failure}`;
      const ended = {
        wasClosed: this.#wasClosed,
        isClean: isClean || this.#hasFinished,
        message: `${message.replace(/\.$/, '')}${why || '.'}`,
      };
      this.#client.close(new PeerEnded(ended.message));
      return ended;
    });
    this.ready = this.#start(start);
    // Those who do not await it learn of the end from `ended`.
    this.ready.catch(() => undefined);
  }

  static start<Start>({ start, fabric, clock, ...options }: ModuleOptions<Start>): ModuleProcess {
    const child = Child.start(options);
    serveFabric(fabric, batched(child.port(FABRIC_PORT)));
    return new ModuleProcess(child, start, clock);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** How long the process has sent nothing, in milliseconds. */
  get silentMs(): number {
    return this.#client.silentMs;
  }

  /** Asks it to stop, and kills it when it has not ended within `timeoutMs`. May be called more than once. */
  async close(timeoutMs: number): Promise<void> {
    this.#wasClosed = true;
    this.#client.notify('stop', undefined);
    const ended = new AbortController();
    this.#clock.sleep(timeoutMs, ended.signal).then(
      () => this.#child.kill(`${this.#child.name} did not stop within ${timeoutMs / 1000} s and was killed.`),
      // It ended in time.
      () => undefined,
    );
    await this.ended;
    ended.abort();
  }

  async #start(start: unknown): Promise<void> {
    try {
      await this.#client.call('start', start);
      this.#expectHeartbeats(HEARTBEAT_TIMEOUT_MS);
    } catch (error) {
      // The options are not plain data, so the child has not heard of them.
      if (!(error instanceof RemoteError || error instanceof PeerEnded)) this.#child.kill(messageOf(error));
      const { message } = await this.ended;
      throw new ModuleEnded(this.#failure ?? `Before it was ready: ${message}`, { cause: error });
    }
  }

  #expectHeartbeats(timeoutMs: number): void {
    this.#client.expectHeartbeats(timeoutMs, silentMs =>
      this.#child.kill(
        `${this.#child.name} sent no heartbeat for ${Math.round(silentMs / 1000)} s and was killed.`,
      ),
    );
  }
}
