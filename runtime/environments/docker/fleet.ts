// The containers of a run on all its hosts. Each container is lent once, fresh, and discarded. Takers wait in line here; host-pool.ts
// manages the containers of one host, and placement.ts chooses the host.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import { Line } from '../../fabric/line.ts';
import type { ContainerHandle } from './container-handle.ts';
import { ownerLabels } from './container-labels.ts';
import type { ContainerSpec } from './container-spec.ts';
import type { DockerHost } from './host.ts';
import { HostPool, type HostPoolOptions } from './host-pool.ts';
import { type HostLoad, hostForNewContainer, hostWithSpare, reasonForWait } from './placement.ts';
import { connectWarden } from './warden.ts';

export type { ContainerHandle } from './container-handle.ts';

export interface FleetOptions extends Pick<HostPoolOptions, 'spares' | 'image' | 'me' | 'clock' | 'health'> {
  /** `capacity` counts all containers of a host, spares included. */
  readonly hosts: readonly { readonly host: DockerHost; readonly capacity: number }[];
  /** The labels must be among those of the container. */
  readonly spec: (name: string, labels: Readonly<Record<string, string>>) => ContainerSpec;
  /** A random id of letters and digits, unique among all fleets. */
  readonly id: string;
  /** The run, as the label of its containers. */
  readonly owner: string;
  /** A taker is refused if no taker was served for this long. */
  readonly takeTimeoutMs: number;
  /** Default: attach to the first process, and wait for the screen. */
  readonly connect?: HostPoolOptions['connect'];
}

export interface TakeOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

export class FleetClosed extends Error {
  override readonly name = 'FleetClosed';
}

export class Fleet {
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #pools: readonly HostPool[];
  readonly #line = new Line<ContainerHandle>();
  #servedAt = Number.NEGATIVE_INFINITY;
  #closed: Promise<void> | undefined;

  constructor(options: FleetOptions) {
    const { hosts, id, owner, takeTimeoutMs, spec, connect = connectWarden, ...common } = options;
    const labels = ownerLabels(owner, id, options.me);
    this.#timeoutMs = takeTimeoutMs;
    this.#clock = options.clock;
    this.#pools = hosts.map(
      ({ host, capacity }) =>
        new HostPool({
          ...common,
          ...{ host, capacity, fleet: id, connect },
          spec: name => spec(name, labels),
          changed: () => this.#serve(),
        }),
    );
    for (const pool of this.#pools) pool.start();
  }

  /** A fresh container; takers are served in order. Rejects with a failure of `provider` after the timeout, by default that of the fleet. */
  async take({ signal, timeoutMs = this.#timeoutMs }: TakeOptions = {}): Promise<ContainerHandle> {
    signal?.throwIfAborted();
    if (this.#closed) throw closedError();
    const late = new AbortController();
    const served = new AbortController();
    this.#untilLate(served.signal, timeoutMs).then(
      () => late.abort(this.#timeoutError(timeoutMs)),
      () => undefined, // The taker was served.
    );
    const waiting = this.#line.wait(signal, late.signal);
    this.#serve();
    return waiting.finally(() => served.abort());
  }

  /** The load of each host, in the order of the hosts. */
  loads(): readonly HostLoad[] {
    return this.#pools.map(pool => pool.load());
  }

  /** Refuses all takers and removes all containers, lent or not. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#line.refuse(closedError());
    await Promise.all(this.#pools.map(pool => pool.close()));
  }

  #serve(): void {
    if (this.#closed) return;
    while (this.#line.length > 0) {
      const spare = this.#pool(hostWithSpare(this.loads()))?.takeSpare();
      if (spare === undefined) break;
      this.#servedAt = this.#clock.now();
      this.#line.serve(spare);
    }
    for (;;) {
      const pool = this.#pool(hostForNewContainer(this.loads(), this.#line.length));
      if (pool === undefined) return;
      pool.create();
    }
  }

  #pool(index: number | undefined): HostPool | undefined {
    return index === undefined ? undefined : this.#pools[index];
  }

  /** Each served taker extends the deadline of the others, so that the last of many is not refused. */
  async #untilLate(served: AbortSignal, timeoutMs: number): Promise<void> {
    const clock = this.#clock;
    for (let late = clock.now() + timeoutMs; clock.now() < late; late = this.#servedAt + timeoutMs)
      await clock.sleep(late - clock.now(), served);
  }

  #timeoutError(timeoutMs: number): BoundaryError {
    const hosts = this.#pools.map(pool => `${pool.name}: ${pool.problem ?? reasonForWait(pool.load())}`);
    return new BoundaryError({
      boundary: 'provider',
      thing: 'docker',
      message: `no desktop within ${timeoutMs / 1000} s. ${hosts.join('; ')}`,
    });
  }
}

const closedError = () => new FleetClosed('the fleet is closed: its run has ended');
