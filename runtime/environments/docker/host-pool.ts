// The containers of one host: creates, connects, watches, counts and removes them. placement.ts decides which host creates the next one.
//
// A pool is open while its engine answers and new containers start. Any failure closes it. A check reopens it after a backoff: the check
// removes containers without an owner and finds containers that died unnoticed, so no other code has to track what an engine did while
// it failed. An open pool runs the check every two minutes. A container that cannot be removed is reported but closes nothing.

import { setMaxListeners } from 'node:events';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { messageOf } from '../../core/errors.ts';
import { failureOf } from '../../core/failure.ts';
import type { LocalProcess } from '../../core/process-identity.ts';
import { type Backoff, backoffMs } from '../../core/retry.ts';
import { ContainerHandle } from './container-handle.ts';
import { isLeftover, labelOf, removeAll, removedText } from './container-labels.ts';
import { type ContainerSpec, LABEL } from './container-spec.ts';
import type { DockerHost, FoundContainer, HostEvent } from './host.ts';
import type { HostLoad } from './placement.ts';
import { isScreen, type Warden } from './warden.ts';

export interface HostPoolOptions {
  readonly host: DockerHost;
  readonly capacity: number;
  readonly spares: number;
  readonly fleet: string;
  readonly image: string;
  readonly me: LocalProcess;
  readonly spec: (name: string) => ContainerSpec;
  /** Resolves once a new container can be used. */
  readonly connect: (host: DockerHost, id: string, clock: Clock) => Promise<Warden>;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  /** Called after any change that can affect placement. */
  readonly changed: () => void;
}

const BACKOFF: Backoff = { firstMs: 500, maxMs: 30_000 };
const CHECK_INTERVAL_MS = 120_000;
/** The warden ends its container after 60 s without a frame. */
const HEARTBEAT_INTERVAL_MS = 15_000;
/** Of a spare. With the interval of the heartbeats, a frozen one is replaced within half a minute. */
const ANSWER_TIMEOUT_MS = 10_000;
/** An idle host needs half a second. */
const START_TIMEOUT_MS = 30_000;
/** A connection and its container usually end together; the event of the engine has the better reason. */
const DEATH_EVENT_GRACE_MS = 1000;
/** Attempts to remove all containers of a closed pool. */
const MAX_FINAL_REMOVALS = 3;

export class HostPool {
  readonly #options: HostPoolOptions;
  readonly #containers = new Map<string, ContainerHandle>();
  /** Names of containers under creation; each promise resolves when the creation has succeeded or failed. */
  readonly #creating = new Map<string, Promise<void>>();
  readonly #leaving = new Map<string, Promise<void>>();
  /** Deaths of containers whose create call has not returned yet. */
  readonly #earlyDeaths = new Map<string, string>();
  readonly #closing = new AbortController();
  #events: Promise<void> = Promise.resolve();
  #isHere = false;
  #problem: string | undefined = 'it has not answered yet';
  /** The last container did not start: the pool reports recovery only after one has started. */
  #hasFailedToStart = false;
  #isReportedIll = false;
  #removalError: string | undefined;
  /** The scheduled check. A failure or a return of the engine replaces it. */
  #check = new AbortController();
  /** Failures in a row; a container in use ends the row. */
  #failures = 0;
  #created = 0;

  constructor(options: HostPoolOptions) {
    this.#options = options;
    // Each lost container waits on it.
    setMaxListeners(0, this.#closing.signal);
  }

  get name(): string {
    return this.#options.host.name;
  }

  /** Why the pool is closed; undefined while it is open. */
  get problem(): string | undefined {
    return this.#problem;
  }

  load(): HostLoad {
    const { capacity, spares } = this.#options;
    const count = (use: ContainerHandle['use']) =>
      [...this.#containers.values()].filter(container => container.use === use).length;
    return {
      capacity,
      wantedSpares: spares,
      used: count('used'),
      spare: count('spare'),
      creating: this.#creating.size,
      leaving: this.#leaving.size,
      isHere: this.#isHere,
      isOpen: this.#problem === undefined && !this.#closing.signal.aborted,
    };
  }

  start(): void {
    this.#events = this.#options.host.events(event => this.#onEvent(event), this.#closing.signal);
    void this.#sendHeartbeats();
  }

  takeSpare(): ContainerHandle | undefined {
    const spare = [...this.#containers.values()].find(({ use }) => use === 'spare');
    if (spare === undefined) return undefined;
    spare.use = 'used';
    // Reset here and not at creation: a host whose containers are never usable must keep its backoff.
    this.#failures = 0;
    return spare;
  }

  create(): void {
    const name = `${LABEL}-${this.#options.fleet}-${this.#created++}`;
    const done = this.#create(name).finally(() => {
      this.#creating.delete(name);
      if (this.#creating.size === 0) this.#earlyDeaths.clear();
      this.#options.changed();
    });
    this.#creating.set(name, done);
  }

  /** Removes all containers, also those under creation. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#check.abort();
    await Promise.all([...this.#containers.values()].map(container => container.remove()));
    await Promise.all(this.#creating.values());
    await Promise.all(this.#leaving.values());
    await this.#events;
    if (this.#created > 0) await this.#removeOwn();
  }

  async #removeOwn(): Promise<void> {
    const { host, fleet, health } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const { error } = await host.list({ [`${LABEL}.fleet`]: fleet }).then(
        found => removeAll(host, found),
        (error: unknown) => ({ error }),
      );
      if (error === undefined) return;
      if (attempt < MAX_FINAL_REMOVALS) continue;
      const command = `docker rm -f $(docker ps -aq --filter label=${LABEL}.fleet=${fleet})`;
      health(this.name, false, `containers may remain: ${this.#text(error)}. Remove them with: ${command}`);
      return;
    }
  }

  async #sendHeartbeats(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      for (const container of this.#containers.values()) {
        container.heartbeat();
        if (container.use === 'spare') void this.#checkAnswer(container);
      }
      await sleepUnlessAborted(this.#options.clock, HEARTBEAT_INTERVAL_MS, signal);
    }
  }

  /** The calls of a container in use have deadlines. A spare that is frozen would be noticed by its first user only. */
  async #checkAnswer(container: ContainerHandle): Promise<void> {
    const { clock } = this.#options;
    const deadline = { what: 'its screen', ms: ANSWER_TIMEOUT_MS, clock, signal: this.#closing.signal };
    const greeting = await withDeadline(container.warden.greeting(), deadline).catch(messageOf);
    const isSpare = container.use === 'spare' && !this.#closing.signal.aborted;
    if (isSpare && !isScreen(greeting)) this.#lost(container.id, `its screen does not answer: ${greeting}`);
  }

  async #create(name: string): Promise<void> {
    const { host, spec, connect, clock } = this.#options;
    let container: ContainerHandle | undefined;
    try {
      const id = await host.create(spec(name));
      container = this.#add(id);
      this.#closing.signal.throwIfAborted();
      const died = container.died.then(why => Promise.reject(new Error(why)));
      const connected = Promise.race([connect(host, id, clock), died]);
      const warden = await withDeadline(connected, { what: 'its start', ms: START_TIMEOUT_MS, clock });
      if (container.isDead) return;
      container.connected(warden);
      this.#watch(container);
      this.#hasFailedToStart = false;
      if (this.#problem === undefined) this.#reportWell();
    } catch (error) {
      await container?.remove();
      if (this.#closing.signal.aborted) return;
      this.#hasFailedToStart = true;
      this.#fail(`a desktop did not start: ${this.#text(error)}`);
    }
  }

  #add(id: string): ContainerHandle {
    const container = new ContainerHandle(this.#options.host, id, one => this.#remove(one));
    this.#containers.set(id, container);
    const why = this.#earlyDeaths.get(id);
    if (why !== undefined) container.die(why);
    return container;
  }

  #watch({ id, warden }: ContainerHandle): void {
    const { clock } = this.#options;
    void warden.closed
      .then(() => clock.sleep(DEATH_EVENT_GRACE_MS, this.#closing.signal))
      .then(
        () => this.#containers.has(id) && this.#lost(id, 'the connection to it ended'),
        () => undefined, // The pool is closed.
      );
  }

  #remove({ id }: ContainerHandle): Promise<void> {
    const { host, changed } = this.#options;
    this.#containers.delete(id);
    const gone = host
      .remove(id)
      // The next check tries again and reports the error. A closed pool is checked anyway.
      .catch(() => void (this.#problem === undefined && this.#schedule(0)))
      .finally(() => {
        this.#leaving.delete(id);
        changed();
      });
    this.#leaving.set(id, gone);
    changed();
    return gone;
  }

  #onEvent(event: HostEvent): void {
    if (this.#closing.signal.aborted) return;
    switch (event.kind) {
      case 'died':
        this.#lost(event.container, event.why);
        break;
      case 'here':
        this.#isHere = true;
        void this.#schedule(0);
        break;
      case 'lost':
        this.#isHere = false;
        // No backoff: an engine that is away reports its return.
        this.#check.abort();
        this.#setProblem(event.why);
    }
  }

  /** A container died by itself. */
  #lost(id: string, why: string): void {
    const container = this.#containers.get(id);
    if (container === undefined) {
      if (this.#creating.size > 0) this.#earlyDeaths.set(id, why);
      return;
    }
    const wasSpare = container.use === 'spare';
    container.die(why);
    if (wasSpare) this.#fail(`a desktop died before its first use: ${why}`);
  }

  #fail(why: string): void {
    this.#failures += 1;
    this.#setProblem(why);
    void this.#schedule(backoffMs(this.#failures, BACKOFF));
  }

  /** Opens the pool if the check succeeds, and schedules the next one. Replaces an earlier schedule. */
  async #schedule(delayMs: number): Promise<void> {
    this.#check.abort();
    if (this.#closing.signal.aborted) return;
    this.#check = new AbortController();
    const { signal } = this.#check;
    try {
      if (delayMs > 0) await this.#options.clock.sleep(delayMs, signal);
      await this.#runCheck();
      if (signal.aborted) return;
      this.#setProblem(undefined);
      void this.#schedule(CHECK_INTERVAL_MS);
    } catch (error) {
      if (!signal.aborted) this.#fail(this.#text(error));
    }
  }

  #setProblem(problem: string | undefined): void {
    const isNew = problem !== this.#problem;
    this.#problem = problem;
    if (problem !== undefined && isNew) {
      this.#isReportedIll = true;
      this.#options.health(this.name, false, problem);
    }
    if (problem === undefined && !this.#hasFailedToStart) this.#reportWell();
    this.#options.changed();
  }

  #reportWell(): void {
    if (!this.#isReportedIll) return;
    this.#isReportedIll = false;
    this.#options.health(this.name, true, 'starts desktops again');
  }

  /** Removes containers without an owner, finds dead ones, and rejects if the engine or the image is missing. */
  async #runCheck(): Promise<void> {
    const { host, image, fleet, me } = this.#options;
    const before = [...this.#containers.keys()];
    const found = await host.list({ [LABEL]: '1' });
    const running = new Set(found.filter(({ isRunning }) => isRunning).map(({ id }) => id));
    for (const id of before) if (!running.has(id)) this.#lost(id, 'it was gone when its engine was checked');
    const isOwn = (one: FoundContainer) => labelOf(one, 'fleet') === fleet;
    const isUnused = ({ id, name }: FoundContainer) =>
      !this.#containers.has(id) && !this.#leaving.has(id) && !this.#creating.has(name);
    const [own, others] = await Promise.all([
      removeAll(
        host,
        found.filter(one => isOwn(one) && isUnused(one)),
      ),
      removeAll(
        host,
        found.filter(one => !isOwn(one) && isLeftover(one, me)),
      ),
    ]);
    if ((await host.images(image)).length === 0)
      throw new Error(
        `it has no image ${image}. Build it with 'dartboard docker build', or load a saved one.`,
      );
    const error = own.error ?? others.error;
    // The own ones are remains of failed calls: no ended process left them behind.
    this.#reportRemovals(others.removed, error === undefined ? undefined : this.#text(error));
  }

  #reportRemovals(removed: readonly string[], error: string | undefined): void {
    const thing = `leftover containers on ${this.name}`;
    const { health } = this.#options;
    if (error !== undefined && error !== this.#removalError)
      health(thing, false, `could not be removed, and are tried again in 2 minutes: ${error}`);
    // Not healthy, because the state of a run shows only problems, and a process ended unexpectedly.
    else if (removed.length > 0) health(thing, false, removedText(removed));
    else if (error === undefined && this.#removalError !== undefined) health(thing, true, 'are gone');
    this.#removalError = error;
  }

  #text(error: unknown): string {
    return failureOf(error, 'provider', this.name).message;
  }
}
