// The weights of one server during a run: what it was given, what it lost, and what it must still unload.

import type { Clock } from '../../core/clock.ts';
import type { Version } from '../../core/ids.ts';
import { EndpointError, isTemporary } from '../failure.ts';
import type { UpdatableServers } from '../updatable-servers.ts';
import { type UpdateState, unloadable } from './decide.ts';
import type { PublishedVersion, Way } from './way.ts';

export interface RolledServer {
  readonly name: string;
  readonly way: Way;
  /** The name of its model before any update. */
  readonly model: string;
  /** The optimiser steps of its weights before any update; undefined if nobody knows them. */
  readonly version: Version | undefined;
  /** The reported reason why it does not answer. It gets no requests before its first update, and is updated last. */
  readonly problem?: string;
}

interface ServerUpdatesOptions {
  readonly router: UpdatableServers;
  readonly clock: Clock;
  /** Abandons what it does. */
  readonly signal: AbortSignal;
}

interface LoadedAt {
  readonly weights: PublishedVersion;
  readonly at: number;
}

export class ServerUpdates implements UpdateState {
  readonly server: RolledServer;
  version: number | undefined;
  tried: number | undefined;
  isUpdating = false;
  hasProblem: boolean;
  /** How often it lost weights since the target was published. */
  losses = 0;
  readonly #options: ServerUpdatesOptions;
  /** Adapters by their name in requests. */
  readonly #loaded = new Map<string, LoadedAt>();
  readonly #restoring = new Map<string, Promise<void>>();
  readonly #toUnload = new Set<string>();
  /** Adapters of earlier processes of the run that may still have users; undefined until they were listed. */
  #leftovers: readonly string[] | undefined;

  constructor(server: RolledServer, options: ServerUpdatesOptions) {
    this.server = server;
    this.#options = options;
    // A number that the server reports may belong to another run. Only 0, the weights before training, is the same in all.
    this.version = server.version === 0 ? 0 : undefined;
    this.hasProblem = server.problem !== undefined;
  }

  get name(): string {
    return this.server.name;
  }

  async load(weights: PublishedVersion): Promise<void> {
    const { router, clock, signal } = this.#options;
    await this.#unloadLeftovers();
    const served = await this.server.way.load(weights, signal);
    if (served.isAdapter) this.#loaded.set(served.model, { weights, at: clock.now() });
    router.serve(this.name, served);
    this.version = weights.version;
  }

  /** Loads an adapter again, unless that happened after the time of the request that missed it. */
  restore(model: string, sentAt: number): Promise<void> {
    const loaded = this.#loaded.get(model);
    if (loaded === undefined || sentAt < loaded.at) return Promise.resolve();
    const running = this.#restoring.get(model);
    if (running !== undefined) return running;
    const { clock, signal } = this.#options;
    const restored = this.server.way
      .load(loaded.weights, signal)
      .then(() => void this.#loaded.set(model, { ...loaded, at: clock.now() }))
      .finally(() => this.#restoring.delete(model));
    this.#restoring.set(model, restored);
    return restored;
  }

  /** Unloads old adapters that nobody uses. Never rejects: an adapter that could not be unloaded is tried again the next time. */
  async retire(): Promise<void> {
    const { way } = this.server;
    const { router } = this.#options;
    if (way.unload === undefined) return;
    for (const model of unloadable(router.adapters(this.name)))
      if (router.forget(this.name, model)) {
        this.#loaded.delete(model);
        this.#toUnload.add(model);
      }
    await this.#unloadOld();
  }

  /** Unloads all adapters of the run, when no request is left. Never rejects. */
  async unloadAll(signal: AbortSignal): Promise<void> {
    const { way } = this.server;
    const all = new Set([...this.#loaded.keys(), ...this.#toUnload, ...(this.#leftovers ?? [])]);
    // The server may be gone.
    for (const model of all) await way.unload?.(model, signal).catch(() => undefined);
  }

  /** Adapters of an earlier process of the run take room. The newest stay: another host of the run may use them. */
  async #unloadLeftovers(): Promise<void> {
    const { way } = this.server;
    if (way.adapters === undefined || this.#leftovers !== undefined) return;
    // Asked again after the next update.
    const found = await way.adapters(this.#options.signal).catch(() => undefined);
    if (found === undefined) return;
    const old = unloadable(found.map(each => ({ ...each, inFlight: 0 })));
    this.#leftovers = found.flatMap(({ model }) => (old.includes(model) ? [] : [model]));
    for (const model of old) this.#toUnload.add(model);
    await this.#unloadOld();
  }

  async #unloadOld(): Promise<void> {
    const { way } = this.server;
    const { signal } = this.#options;
    for (const model of [...this.#toUnload]) {
      this.#toUnload.delete(model);
      try {
        await way.unload?.(model, signal);
      } catch (error) {
        // A server that was started again does not have it, and rejects the request.
        if (error instanceof EndpointError && isTemporary(error.reason)) this.#toUnload.add(model);
      }
    }
  }
}
