// One container of a pool, from its creation to its removal. It dies once and is removed once.

import type { DockerHost } from './host.ts';
import type { Warden } from './warden.ts';

export class ContainerHandle {
  /** Resolves with the reason once the container is gone. Never rejects. */
  readonly died: Promise<string>;
  use: 'starting' | 'spare' | 'used' = 'starting';
  isDead = false;
  #warden: Warden | undefined;
  #removal: Promise<void> | undefined;
  #resolveDied: (why: string) => void = () => undefined;

  constructor(
    readonly host: DockerHost,
    readonly id: string,
    private readonly onRemove: (container: ContainerHandle) => Promise<void>,
  ) {
    this.died = new Promise(resolve => {
      this.#resolveDied = resolve;
    });
  }

  /** The connection to its first process. The container ends with it. */
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

  /** Kills the container. Resolves once it is gone or its engine does not answer. Never rejects. */
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
