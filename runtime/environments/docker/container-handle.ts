// One container of a pool, from its creation to its removal. It dies once and is removed once.

import type { DockerHost } from './host.ts';
import type { Warden } from './warden.ts';

export interface ContainerHandle {
  readonly host: DockerHost;
  readonly id: string;
  /** The connection to its first process. The container ends with it. */
  readonly warden: Warden;
  /** Resolves with the reason once the container is gone. Never rejects. */
  readonly died: Promise<string>;
  /** Kills the container. Resolves once it is gone or its engine does not answer. Never rejects. */
  remove(): Promise<void>;
}

export class PooledContainer implements ContainerHandle {
  readonly died: Promise<string>;
  use: 'starting' | 'spare' | 'used' = 'starting';
  isDead = false;
  #warden: Warden | undefined;
  #removal: Promise<void> | undefined;
  #resolveDied: (why: string) => void = () => undefined;

  constructor(
    readonly host: DockerHost,
    readonly id: string,
    private readonly onRemove: (container: PooledContainer) => Promise<void>,
  ) {
    this.died = new Promise(resolve => {
      this.#resolveDied = resolve;
    });
  }

  get warden(): Warden {
    if (this.#warden === undefined) throw new Error(`container ${this.id}: it is not connected yet`);
    return this.#warden;
  }

  /** The container can be used now. */
  connected(warden: Warden): void {
    this.#warden = warden;
    this.use = 'spare';
  }

  heartbeat(): void {
    this.#warden?.heartbeat();
  }

  /** Also removes the container: an engine can keep a dead one, or it can go on after a loss. */
  die(why: string): void {
    this.#resolveDied(why);
    void this.remove();
  }

  remove(): Promise<void> {
    this.#removal ??= this.#remove();
    return this.#removal;
  }

  async #remove(): Promise<void> {
    this.isDead = true;
    this.#resolveDied('it was removed');
    this.#warden?.close();
    await this.onRemove(this);
  }
}
