// The containers of a run, over several hosts: each is lent once, fresh, and thrown away. Takers wait in line here; how a
// host makes, watches and removes them is in `dock.ts`, and which host is next in `places.ts`.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { LocalProcess } from '../../core/process-identity.ts';
import { Line } from '../../fabric/line.ts';
import type { ContainerHandle } from './container-handle.ts';
import { ownerLabels } from './container-labels.ts';
import type { ContainerSpec } from './container-spec.ts';
import type { DockerHost } from './host.ts';
import { HostPool } from './host-pool.ts';
import { type HostLoad, hostForNewContainer, hostWithSpare, reasonForWait } from './placement.ts';
import { greets } from './ready.ts';

export type { ContainerHandle } from './container-handle.ts';

export interface FleetOptions {
  /** `capacity` counts all containers of a host, its spares included. */
  readonly hosts: readonly { readonly host: DockerHost; readonly capacity: number }[];
  /** How many stand ready on each host; 0 makes each one when it is asked for. */
  readonly spares: number;
  readonly image: string;
  /** What a container is created with; its labels must be among the container's. */
  readonly spec: (name: string, labels: Readonly<Record<string, string>>) => ContainerSpec;
  /** Told apart from all other fleets by this: letters and digits, by chance. */
  readonly id: string;
  /** The workspace and run, for people who look at a host. */
  readonly owner: string;
  readonly me: LocalProcess;
  /** Milliseconds for which a taker waits while nobody is served. */
  readonly patience: number;
  readonly clock: Clock;
  /** Told when a host cannot be used, and when it can again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  /** Resolves when what was created can be used: by default once its screen greets. */
  readonly ready?: (host: DockerHost, id: string, clock: Clock) => Promise<void>;
}

export class FleetClosed extends Error {
  override readonly name = 'FleetClosed';
}

export class Fleet {
  readonly #patience: number;
  readonly #clock: Clock;
  readonly #docks: readonly HostPool[];
  readonly #line = new Line<ContainerHandle>();
  #waiting = 0;
  #servedAt = Number.NEGATIVE_INFINITY;
  #closed: Promise<void> | undefined;

  constructor(options: FleetOptions) {
    const { hosts, spares, image, spec, id, owner, me, clock, health, ready = greets } = options;
    const labels = ownerLabels(owner, id, me);
    this.#patience = options.patience;
    this.#clock = clock;
    this.#docks = hosts.map(
      ({ host, capacity }) =>
        new HostPool({
          ...{ host, capacity, spares, fleet: id, image, me, ready, clock, health },
          spec: name => spec(name, labels),
          changed: () => this.#step(),
        }),
    );
    for (const dock of this.#docks) dock.start();
  }

  /**
   * One that nobody has used; who asked first is served first. Rejects with a failure of `provider` when nobody was served for
   * too long: where many ask at once, the last waits for all the others.
   */
  async take(signal?: AbortSignal): Promise<ContainerHandle> {
    signal?.throwIfAborted();
    if (this.#closed) throw closedError();
    const late = new AbortController();
    const served = new AbortController();
    this.#untilLate(served.signal).then(
      () => late.abort(this.#tooLate()),
      () => {},
    );
    const waiting = this.#line.wait(signal, late.signal);
    this.#waiting += 1;
    this.#step();
    try {
      return await waiting;
    } catch (error) {
      this.#waiting -= 1;
      throw error;
    } finally {
      served.abort();
    }
  }

  /** How each host stands, in the order of the hosts. */
  loads(): readonly HostLoad[] {
    return this.#docks.map(dock => dock.standing());
  }

  /** Removes all containers, lent or not, also those that are being made; who waits is told so. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#line.refuse(closedError());
    await Promise.all(this.#docks.map(dock => dock.close()));
  }

  #step(): void {
    if (this.#closed) return;
    while (this.#waiting > 0) {
      const spare = this.#at(hostWithSpare(this.loads()))?.takeSpare();
      if (spare === undefined) break;
      this.#waiting -= 1;
      this.#servedAt = this.#clock.now();
      this.#line.serve(spare);
    }
    for (;;) {
      const dock = this.#at(hostForNewContainer(this.loads(), this.#waiting));
      if (dock === undefined) return;
      dock.create();
    }
  }

  #at(index: number | undefined): HostPool | undefined {
    return index === undefined ? undefined : this.#docks[index];
  }

  async #untilLate(served: AbortSignal): Promise<void> {
    const clock = this.#clock;
    for (let late = clock.now() + this.#patience; clock.now() < late; late = this.#servedAt + this.#patience)
      await clock.sleep(late - clock.now(), served);
  }

  #tooLate(): BoundaryError {
    const hosts = this.#docks.map(dock => `${dock.name}: ${dock.trouble ?? reasonForWait(dock.standing())}`);
    return new BoundaryError({
      boundary: 'provider',
      thing: 'docker',
      message: `no desktop within ${this.#patience / 1000} seconds. ${hosts.join('; ')}`,
    });
  }
}

const closedError = () => new FleetClosed('the fleet is closed: no more containers are given');
