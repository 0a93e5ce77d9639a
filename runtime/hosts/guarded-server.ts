// A server of NATS that runs while its disk has room. Once its writes fail, it answers nothing any more, also when there is room again, and
// what it had just confirmed is lost. So it is stopped before that, and started again later.

import { mkdir } from 'node:fs/promises';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { NatsServer, type NatsServerOptions } from './nats-server.ts';

export interface GuardedServerOptions extends NatsServerOptions {
  /** The folder of its data. */
  readonly store: string;
  readonly freeBytes: (folder: string) => Promise<number>;
  readonly clock: Clock;
  readonly say: (text: string) => void;
}

/** More than a run writes between two checks of the disk and until the server has stopped. */
const MIN_FREE_BYTES = 64 * 2 ** 20;
/** More than the minimum, so that it does not stop again at once. */
const START_FREE_BYTES = 80 * 2 ** 20;
const LOOK_MS = 250;

export class GuardedServer {
  readonly #options: GuardedServerOptions;
  readonly #port: number;
  readonly #stop = new AbortController();
  readonly #ended: Promise<string>;
  readonly #guarding: Promise<void>;
  #end: (reason: string) => void = () => undefined;
  /** Undefined while the disk is full. */
  #server: NatsServer | undefined;

  private constructor(server: NatsServer, options: GuardedServerOptions) {
    this.#options = options;
    this.#port = server.port;
    this.#ended = new Promise(resolve => {
      this.#end = resolve;
    });
    this.#runs(server);
    this.#guarding = this.#guard();
  }

  /** Resolves when it accepts connections. */
  static async start(options: GuardedServerOptions): Promise<GuardedServer> {
    const { store, freeBytes } = options;
    await mkdir(store, { recursive: true });
    const free = await freeBytes(store);
    if (free < MIN_FREE_BYTES)
      throw new Error(
        `nats-server was not started: the disk of ${store} has ${megabytes(free)} MB left. Free at least ${megabytes(START_FREE_BYTES)} MB, then start it again.`,
      );
    return new GuardedServer(await NatsServer.start(options), options);
  }

  /** The same after it was started again. */
  get port(): number {
    return this.#port;
  }

  /** Resolves with the reason when the server ends by itself, or cannot start again. */
  ended(): Promise<string> {
    return this.#ended;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#guarding;
    await this.#server?.stop();
  }

  #runs(server: NatsServer): void {
    this.#server = server;
    void server.ended().then(reason => {
      if (server === this.#server) this.#end(reason);
    });
  }

  async #guard(): Promise<void> {
    const { signal } = this.#stop;
    try {
      while (!signal.aborted) {
        await this.#untilFree(bytes => bytes < MIN_FREE_BYTES);
        if (!signal.aborted) await this.#pause();
      }
    } catch (error) {
      this.#end(messageOf(error));
    }
  }

  async #pause(): Promise<void> {
    const { store, say } = this.#options;
    const server = this.#server;
    this.#server = undefined;
    say(
      `The disk of ${store} is almost full. nats-server is stopped, and started again when ${megabytes(START_FREE_BYTES)} MB are free.`,
    );
    await server?.stop();
    await this.#untilFree(bytes => bytes >= START_FREE_BYTES);
    if (this.#stop.signal.aborted) return;
    this.#runs(await NatsServer.start({ ...this.#options, port: this.#port }));
    say('nats-server runs again.');
  }

  /** Resolves also when it is stopped. */
  async #untilFree(isEnough: (bytes: number) => boolean): Promise<void> {
    const { store, clock, freeBytes } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted && !isEnough(await freeBytes(store)))
      await sleepUnlessAborted(clock, LOOK_MS, signal);
  }
}

const megabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20);
