// Where the script of Dartboard runs in the frames of a page: the execution context of each frame, and which frame is in which.

import type { CdpSession } from '../browser/session.ts';
import { WORLD } from './scripts.ts';

export class Worlds {
  readonly #contexts = new Map<string, number>();
  /** The world of the page in each frame. */
  readonly #pageContexts = new Map<string, number>();
  /** The frame around each frame; undefined for the page itself. */
  readonly #parents = new Map<string, string | undefined>();

  constructor(session: CdpSession) {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { name, auxData } = context;
      if (typeof auxData?.['frameId'] !== 'string') return;
      if (name === WORLD) this.#contexts.set(auxData['frameId'], context.id);
      else if (auxData['isDefault'] === true) this.#pageContexts.set(auxData['frameId'], context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      for (const contexts of [this.#contexts, this.#pageContexts])
        for (const [frame, context] of contexts) if (context === executionContextId) contexts.delete(frame);
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#contexts.clear();
      this.#pageContexts.clear();
    });
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) =>
      this.#parents.set(frameId, parentFrameId),
    );
    session.on('Page.frameNavigated', ({ frame }) => this.#parents.set(frame.id, frame.parentId));
    session.on('Page.frameDetached', ({ frameId }) => {
      this.#parents.delete(frameId);
      this.#contexts.delete(frameId);
      this.#pageContexts.delete(frameId);
    });
  }

  /** The worlds of the page, the oldest frame first. */
  get pageContexts(): readonly number[] {
    return [...this.#pageContexts.values()];
  }

  /** The worlds of the script, the oldest frame first. */
  get contexts(): readonly number[] {
    return [...this.#contexts.values()];
  }

  /** The frames whose documents have the script. */
  get frames(): readonly string[] {
    return [...this.#contexts.keys()];
  }

  /** Between two documents there is none. */
  contextOf(frame: string): number | undefined {
    return this.#contexts.get(frame);
  }

  childrenOf(frame: string): readonly string[] {
    return [...this.#parents].flatMap(([child, parent]) => (parent === frame ? [child] : []));
  }
}
