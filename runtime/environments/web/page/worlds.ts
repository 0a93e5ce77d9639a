// Where the script of Dartboard runs in the frames of a page: the execution context of each frame, and which frame is in which.

import type { CdpSession } from '../browser/session.ts';
import { WORLD } from './scripts.ts';

export class Worlds {
  readonly #contexts = new Map<string, number>();
  /** The frame around each frame; undefined for the page itself. */
  readonly #parents = new Map<string, string | undefined>();

  constructor(session: CdpSession) {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { name, auxData } = context;
      if (name === WORLD && typeof auxData?.['frameId'] === 'string')
        this.#contexts.set(auxData['frameId'], context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      for (const [frame, context] of this.#contexts)
        if (context === executionContextId) this.#contexts.delete(frame);
    });
    session.on('Runtime.executionContextsCleared', () => this.#contexts.clear());
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) =>
      this.#parents.set(frameId, parentFrameId),
    );
    session.on('Page.frameNavigated', ({ frame }) => this.#parents.set(frame.id, frame.parentId));
    session.on('Page.frameDetached', ({ frameId }) => {
      this.#parents.delete(frameId);
      this.#contexts.delete(frameId);
    });
  }

  /** Between two documents there is none. */
  contextOf(frame: string): number | undefined {
    return this.#contexts.get(frame);
  }

  childrenOf(frame: string): readonly string[] {
    return [...this.#parents].flatMap(([child, parent]) => (parent === frame ? [child] : []));
  }
}
