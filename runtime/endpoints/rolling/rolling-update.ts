// Brings published weights to the servers of a router, one server after another (decide.ts has the rules), and keeps them there: loads an
// adapter again that a server lost, unloads old ones, and updates a server again that has other weights than it should have.

import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { sentenceOf } from '../../core/errors.ts';
import type { Version } from '../../core/ids.ts';
import { backoffMs } from '../../core/retry.ts';
import type { UpdatableServers, WeightKeeper } from '../updatable-servers.ts';
import { nextUpdate } from './decide.ts';
import { type RolledServer, ServerUpdates } from './server-updates.ts';
import type { PublishedVersion } from './way.ts';

export interface RollingOptions {
  readonly servers: readonly RolledServer[];
  readonly router: UpdatableServers;
  readonly clock: Clock;
  /** How long a server may take to finish its requests; more than the deadline of a request. */
  readonly drainMs: number;
  /** Reports a server that does not get its weights or loses them, and that has them again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** The update that follows a loss may be lost like the one before it. From so many losses on, the server waits as after a failure. */
const MAX_LOSSES = 3;
/** The unloading of all adapters at the end. Ending a host has a deadline of its own. */
const UNLOAD_MS = 5000;
const CLOSED = new Error('The agent was closed.');

export class RollingUpdate implements WeightKeeper {
  readonly #options: RollingOptions;
  readonly #servers: readonly ServerUpdates[];
  readonly #stop = new AbortController();
  #target: PublishedVersion | undefined;
  /** Settles when every server was tried with the target. Never rejects. */
  #running: Promise<void> | undefined;
  /** The update of one server, the last one that began. Never rejects. */
  #updating: Promise<void> | undefined;
  /** How often every server was out since the target was published. */
  #outages = 0;
  #isResting = false;

  constructor(options: RollingOptions) {
    this.#options = options;
    const { router, clock, servers } = options;
    const { signal } = this.#stop;
    this.#servers = servers.map(server => new ServerUpdates(server, { router, clock, signal }));
    for (const { name, model, version, problem } of servers)
      if (problem !== undefined) router.takeOut(name, problem);
      else if (version !== undefined) router.serve(name, { model, version, isAdapter: false });
      // Its replies could come from the weights of another run. Requests wait for the first published version.
      else router.beginUpdate(name);
    router.follow(this);
  }

  /** The servers get these weights, one after another. Weights that are not newer than the last ones are ignored. */
  publish(weights: PublishedVersion): void {
    if (this.#target !== undefined && weights.version <= this.#target.version) return;
    this.#target = weights;
    for (const server of this.#servers) server.losses = 0;
    this.#outages = 0;
    this.#go();
  }

  /** Resolves when every server has the newest weights, or failed to load them. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Resolves when no server waits for these weights or newer ones: each has them, or failed to load them. */
  async reached(version: Version): Promise<void> {
    const waits = (server: ServerUpdates) =>
      (server.version ?? -1) < version && (server.isUpdating || (server.tried ?? -1) < version);
    while (this.#running !== undefined && this.#servers.some(waits)) await this.#updating;
  }

  /** Abandons the update in progress. Resolves once its server resumed, and the servers have no adapters of the run any more. */
  async close(): Promise<void> {
    this.#stop.abort(CLOSED);
    await this.#running;
    const expired = new AbortController();
    const unloaded = Promise.all(this.#servers.map(server => server.unloadAll(expired.signal)));
    const { clock } = this.#options;
    // A server that does not answer keeps them.
    await withDeadline(unloaded, { what: 'Unloading', ms: UNLOAD_MS, clock }).catch(() => undefined);
    expired.abort(CLOSED);
  }

  async restore(name: string, model: string, sentAt: number): Promise<void> {
    const server = this.#named(name);
    try {
      await server.restore(model, sentAt);
    } catch (error) {
      this.#lost(
        server,
        `It has lost the adapter '${model}', and cannot load it again: ${sentenceOf(error)}`,
      );
    }
  }

  strayed(name: string, why: string): void {
    this.#lost(this.#named(name), why);
  }

  released(name: string): void {
    void this.#named(name).retire();
  }

  #lost(server: ServerUpdates, why: string): void {
    const { router, health } = this.#options;
    const { name, way } = server.server;
    // The last requests of a server that is out or drained may report the same loss.
    const isIdle = router.isOut(name) || (server.isUpdating && way.drains);
    if (isIdle || this.#stop.signal.aborted) return;
    server.losses += 1;
    server.hasProblem = true;
    router.takeOut(name, why);
    health(name, false, why);
    // An adapter that is being loaded puts it back.
    if (server.isUpdating) return;
    server.version = undefined;
    server.tried = server.losses < MAX_LOSSES ? undefined : this.#target?.version;
    this.#go();
  }

  #go(): void {
    if (this.#running !== undefined || this.#stop.signal.aborted) return;
    if (this.#next() !== undefined)
      this.#running = this.#updateAll().then(() => {
        this.#running = undefined;
        this.#go();
      });
    else if (this.#isOutage && !this.#isResting) void this.#retry();
  }

  /** No server can answer, so no newer version will come. */
  get #isOutage(): boolean {
    const { router } = this.#options;
    return this.#target !== undefined && this.#servers.every(({ name }) => router.isOut(name));
  }

  /** After a pause, all servers are tried again with the version that they failed to load. Never rejects. */
  async #retry(): Promise<void> {
    this.#outages += 1;
    this.#isResting = true;
    await sleepUnlessAborted(this.#options.clock, backoffMs(this.#outages), this.#stop.signal);
    this.#isResting = false;
    if (this.#isOutage) for (const server of this.#servers) server.tried = undefined;
    this.#go();
  }

  #next(): ServerUpdates | undefined {
    return this.#stop.signal.aborted ? undefined : nextUpdate(this.#servers, this.#target?.version);
  }

  async #updateAll(): Promise<void> {
    for (let server = this.#next(); server !== undefined; server = this.#next()) {
      this.#updating = this.#update(server);
      await this.#updating;
    }
  }

  /** Never rejects. */
  async #update(server: ServerUpdates): Promise<void> {
    const { router, health } = this.#options;
    const { name, way } = server.server;
    let keepsWeights = server.version !== undefined && (!way.drains || !router.isOut(name));
    server.isUpdating = true;
    try {
      server.tried = this.#target?.version;
      if (way.drains) {
        await this.#drain(name);
        keepsWeights = false;
        router.beginUpdate(name);
      }
      // A version that arrived during the drain replaces the one that waited.
      if (this.#target === undefined) return;
      server.tried = this.#target.version;
      await server.load(this.#target);
      if (server.hasProblem) health(name, true, `has version ${server.version} of the weights`);
      server.hasProblem = false;
    } catch (error) {
      const why = `It did not load version ${server.tried} of the weights: ${sentenceOf(error)}`;
      if (!keepsWeights) {
        server.version = undefined;
        router.takeOut(name, why);
      } else if (way.drains) router.putBack(name);
      if (this.#stop.signal.aborted) return;
      server.hasProblem = true;
      health(name, false, why);
    } finally {
      server.isUpdating = false;
    }
    await server.retire();
  }

  async #drain(name: string): Promise<void> {
    const { router, clock, drainMs } = this.#options;
    const { signal } = this.#stop;
    const ended = new AbortController();
    try {
      const drained = router.drain(name, AbortSignal.any([signal, ended.signal]));
      await withDeadline(drained, { ...{ what: 'Its last request', ms: drainMs }, clock, signal });
    } finally {
      ended.abort(new Error('The drain has ended.'));
    }
  }

  #named(name: string): ServerUpdates {
    const server = this.#servers.find(each => each.name === name);
    if (server !== undefined) return server;
    throw new RangeError(`The server '${name}' is not updated. Pass it to the rolling update.`);
  }
}
