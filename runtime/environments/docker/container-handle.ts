// One container on loan or standing ready: it dies once, is removed once, and says so to whoever waits.

import type { DockerHost } from './host.ts';

export interface ContainerHandle {
  readonly host: DockerHost;
  readonly id: string;
  /** When it is no more, with what became of it in words. Never rejects. */
  readonly died: Promise<string>;
  /** Kills it, and resolves when it is gone or its engine is; never rejects. The next spare is started at once. */
  remove(): Promise<void>;
}

export interface PooledContainer extends ContainerHandle {
  readonly die: (why: string) => void;
  use: 'starting' | 'spare' | 'used';
  isDead: boolean;
}

export interface Keeping {
  readonly died: () => void;
  readonly remove: (held: PooledContainer) => Promise<void>;
}

export function heldIn(host: DockerHost, id: string, keeping: Keeping): PooledContainer {
  let tell: (why: string) => void = () => {};
  const died = new Promise<string>(resolve => {
    tell = resolve;
  });
  let removal: Promise<void> | undefined;
  const held: PooledContainer = {
    host,
    id,
    died,
    use: 'starting',
    isDead: false,
    die: why => {
      held.isDead = true;
      keeping.died();
      tell(why);
    },
    remove: () => {
      removal ??= keeping.remove(held);
      return removal;
    },
  };
  // Also what ended by itself is removed: an engine may keep it, or it may go on without what it lost.
  void died.then(() => held.remove());
  return held;
}
