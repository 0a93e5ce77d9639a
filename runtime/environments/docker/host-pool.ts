// The containers of one host: made, watched, removed, and counted. Which host makes the next one is decided elsewhere.
//
// A host is open while its engine answers and what it makes starts. Whatever goes wrong with these closes it; it opens again,
// after a pause that doubles, when a look around succeeds. That look removes what nobody holds and finds who died unseen, so
// nothing else has to be right about what an engine did while it failed; while all goes well there is one now and then. A
// container that cannot be removed is told, and closes nothing.

import type { Clock } from '../../core/clock.ts';
import { failureOf } from '../../core/failure.ts';
import type { LocalProcess } from '../../core/process-identity.ts';
import { type ContainerHandle, heldIn, type PooledContainer } from './container-handle.ts';
import { abandoned } from './container-labels.ts';
import { type ContainerSpec, LABEL } from './container-spec.ts';
import type { DockerHost, FoundContainer, HostEvent } from './host.ts';
import type { HostLoad } from './placement.ts';

export interface HostPoolOptions {
  readonly host: DockerHost;
  readonly capacity: number;
  readonly spares: number;
  readonly fleet: string;
  readonly image: string;
  readonly me: LocalProcess;
  readonly spec: (name: string) => ContainerSpec;
  /** Resolves when what was created can be used. */
  readonly ready: (host: DockerHost, id: string, clock: Clock) => Promise<void>;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  /** Told after anything that may change a decision. */
  readonly changed: () => void;
}

/** Milliseconds between two attempts after something failed: twice as long each time, up to the last. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** Milliseconds between two looks around while all goes well. */
const LOOK_EVERY = 120_000;
/** Milliseconds within which a container that was created can be used; an idle host takes half a second. */
const READY_PATIENCE = 30_000;
/** Looks around when all is over; what is left after these is told. */
const LAST_LOOKS = 3;

export class HostPool {
  readonly #options: HostPoolOptions;
  readonly #held = new Map<string, PooledContainer>();
  /** The names of those that are being created, each with when that is over. */
  readonly #creating = new Map<string, Promise<void>>();
  readonly #leaving = new Map<string, Promise<void>>();
  /** Deaths of containers whose creation has not been answered yet. */
  readonly #early = new Map<string, string>();
  readonly #closing = new AbortController();
  #events: Promise<void> = Promise.resolve();
  #isHere = false;
  #isOpen = false;
  /** What it made last did not start: that it is well is told only when something has. */
  #isDoubted = false;
  #isToldIll = false;
  #trouble: string | undefined = 'it has not answered yet';
  /** Why one that nobody holds is still there, as far as that is told. */
  #stays: string | undefined;
  /** Each trouble and each return of the engine begins a new one: looks of an earlier one do not count. */
  #era = new AbortController();
  #pause = FIRST_PAUSE;
  #numbers = 0;

  constructor(options: HostPoolOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.host.name;
  }

  /** What is wrong just now, if anything. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  standing(): HostLoad {
    const { capacity, spares } = this.#options;
    const uses = [...this.#held.values()].map(({ use }) => use);
    const count = (wanted: PooledContainer['use']) => uses.filter(use => use === wanted).length;
    return {
      capacity,
      wantedSpares: spares,
      used: count('used'),
      spare: count('spare'),
      creating: this.#creating.size,
      leaving: this.#leaving.size,
      isHere: this.#isHere,
      isOpen: this.#isOpen,
    };
  }

  start(): void {
    this.#events = this.#options.host.events(event => this.#hear(event), this.#closing.signal);
  }

  /** A container that stands ready, now in use. */
  takeSpare(): ContainerHandle | undefined {
    const spare = [...this.#held.values()].find(({ use }) => use === 'spare');
    if (spare === undefined) return undefined;
    spare.use = 'used';
    // What works is taken; before that a host that makes useless containers would be asked without a pause.
    this.#pause = FIRST_PAUSE;
    return spare;
  }

  create(): void {
    const name = `${LABEL}-${this.#options.fleet}-${this.#numbers++}`;
    const over = this.#create(name).finally(() => {
      this.#creating.delete(name);
      if (this.#creating.size === 0) this.#early.clear();
      this.#options.changed();
    });
    this.#creating.set(name, over);
  }

  /** Removes everything, also what is just being created. Never rejects. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#closing.abort();
    this.#newEra();
    await Promise.all([...this.#held.values()].map(held => held.remove()));
    await Promise.all(this.#creating.values());
    await Promise.all(this.#leaving.values());
    await this.#events;
    // Where none was asked for none is left.
    if (this.#numbers === 0) return;
    for (let look = 1; ; look += 1) {
      const left = await this.#lastLook().catch(error => this.#words(error));
      if (left === undefined) return;
      if (look === LAST_LOOKS)
        return this.#options.health(this.name, false, leftWords(this.#options.fleet, left));
    }
  }

  async #create(name: string): Promise<void> {
    const { host, spec, ready, clock } = this.#options;
    let held: PooledContainer | undefined;
    const over = new AbortController();
    try {
      const id = await host.create(spec(name));
      held = this.#hold(id);
      this.#closing.signal.throwIfAborted();
      const late = clock.sleep(READY_PATIENCE, over.signal).then(() => {
        throw new Error(`not ready within ${READY_PATIENCE / 1000} seconds`);
      });
      late.catch(() => {});
      const dead = held.died.then(why => Promise.reject(new Error(why)));
      await Promise.race([ready(host, id, clock), dead, late]);
      if (!held.isDead) this.#works(held);
    } catch (error) {
      await held?.remove();
      if (this.#closing.signal.aborted) return;
      this.#isDoubted = true;
      this.#fail(`a desktop did not start: ${this.#words(error)}`);
    } finally {
      over.abort();
    }
  }

  #hold(id: string): PooledContainer {
    const { host } = this.#options;
    const held = heldIn(host, id, { died: () => this.#held.delete(id), remove: one => this.#remove(one) });
    this.#held.set(id, held);
    const why = this.#early.get(id);
    if (why !== undefined) held.die(why);
    return held;
  }

  #remove(held: PooledContainer): Promise<void> {
    held.die('it was removed');
    const { host, changed } = this.#options;
    const gone = host
      .remove(held.id)
      .catch(() => {
        // A look around tries again, and tells. Before it opens one comes anyway.
        if (this.#isOpen) void this.#open(0);
      })
      .finally(() => {
        this.#leaving.delete(held.id);
        changed();
      });
    this.#leaving.set(held.id, gone);
    changed();
    return gone;
  }

  #hear(event: HostEvent): void {
    if (this.#closing.signal.aborted) return;
    if (event.kind === 'died') this.#lost(event.container, event.why);
    else if (event.kind === 'lost') this.#lose(event.why);
    else {
      this.#isHere = true;
      void this.#open(0);
    }
  }

  /** A container that died by itself. */
  #lost(id: string, why: string): void {
    const held = this.#held.get(id);
    if (held === undefined) {
      if (this.#creating.size > 0) this.#early.set(id, why);
      return;
    }
    const wasSpare = held.use === 'spare';
    held.die(why);
    if (wasSpare) this.#fail(`a desktop died before it was used: ${why}`);
  }

  /** Its engine is away: it is open again when it says so itself. */
  #lose(why: string): void {
    this.#newEra();
    this.#isHere = false;
    this.#becomes(why);
  }

  #fail(why: string): void {
    const pause = this.#pause;
    this.#pause = Math.min(2 * pause, LONGEST_PAUSE);
    this.#becomes(why);
    void this.#open(pause);
  }

  /** Open once a look around has succeeded, unless something else comes between; and as long as later ones do. */
  async #open(pause: number): Promise<void> {
    const era = this.#newEra();
    try {
      if (pause > 0) await this.#options.clock.sleep(pause, era);
      await this.#lookAround();
      if (era.aborted) return;
      this.#becomes(undefined);
      void this.#open(LOOK_EVERY);
    } catch (error) {
      if (!era.aborted) this.#fail(this.#words(error));
    }
  }

  /** Of a dock that is closed, each is over at once. */
  #newEra(): AbortSignal {
    this.#era.abort();
    this.#era = new AbortController();
    if (this.#closing.signal.aborted) this.#era.abort();
    return this.#era.signal;
  }

  #becomes(trouble: string | undefined): void {
    const isNew = trouble !== this.#trouble;
    this.#trouble = trouble;
    this.#isOpen = trouble === undefined;
    if (trouble !== undefined && isNew) {
      this.#isToldIll = true;
      this.#options.health(this.name, false, trouble);
    }
    if (trouble === undefined && !this.#isDoubted) this.#tellWell();
    this.#options.changed();
  }

  #works(held: PooledContainer): void {
    held.use = 'spare';
    this.#isDoubted = false;
    if (this.#isOpen) this.#tellWell();
  }

  #tellWell(): void {
    if (!this.#isToldIll) return;
    this.#isToldIll = false;
    this.#options.health(this.name, true, 'makes desktops again');
  }

  /** Removes what nobody holds, finds who is gone, and rejects where the engine cannot be worked with. */
  async #lookAround(): Promise<void> {
    const { host, image, fleet, me } = this.#options;
    const before = [...this.#held.keys()];
    const found = await host.list({ [LABEL]: '1' });
    const isHeld = ({ id, name }: FoundContainer) =>
      this.#held.has(id) || this.#leaving.has(id) || this.#creating.has(name);
    for (const id of missing(before, found)) this.#lost(id, 'it was gone when its engine was looked at');
    const stays = await this.#removed(abandoned(found, isHeld, fleet, me));
    if ((await host.images(image)).length === 0)
      throw new Error(
        `it has no image ${image}. Build it there with 'dartboard docker build', or load a saved one.`,
      );
    this.#tellStays(stays);
  }

  /** Why some of this fleet's are still there, if any are. */
  async #lastLook(): Promise<string | undefined> {
    const { host, fleet } = this.#options;
    return this.#removed(await host.list({ [`${LABEL}.fleet`]: fleet }));
  }

  /** Why one of them stays, if one does. */
  async #removed(all: readonly FoundContainer[]): Promise<string | undefined> {
    const ends = await Promise.allSettled(all.map(({ id }) => this.#options.host.remove(id)));
    const stays = ends.find(({ status }) => status === 'rejected');
    return stays?.status === 'rejected' ? this.#words(stays.reason) : undefined;
  }

  #tellStays(why: string | undefined): void {
    if (why === this.#stays) return;
    this.#stays = why;
    const message = why === undefined ? 'are removed' : `cannot be removed, and are tried again: ${why}`;
    this.#options.health(`containers left at ${this.name}`, why === undefined, message);
  }

  #words(error: unknown): string {
    return failureOf(error, 'provider', this.name).message;
  }
}

/** Who is not running any more. */
function missing(ids: readonly string[], found: readonly FoundContainer[]): readonly string[] {
  const running = new Set(found.filter(({ isRunning }) => isRunning).map(({ id }) => id));
  return ids.filter(id => !running.has(id));
}

const leftWords = (fleet: string, why: string): string =>
  `containers may be left there: ${why}. Remove them with: docker rm -f $(docker ps -aq --filter label=${LABEL}.fleet=${fleet})`;
