// Keeps the accessibility tree of each document whose elements are read. Without it, Chromium builds the tree for each role and each name
// that a script reads.

import type { CdpSession } from '../browser/session.ts';

export class AccessibilityTrees {
  readonly #session: CdpSession;
  /** The execution contexts of the documents whose trees are kept. */
  readonly #kept = new Set<number>();
  #isEnabled = false;

  constructor(session: CdpSession) {
    this.#session = session;
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) =>
      this.#kept.delete(executionContextId),
    );
    session.on('Runtime.executionContextsCleared', () => this.#kept.clear());
  }

  /** Once per document: Chromium keeps a tree that a client has asked for. Scripts that are called after this use it. */
  keep(frameId: string, context: number): void {
    if (this.#kept.has(context)) return;
    this.#kept.add(context);
    if (!this.#isEnabled) send(this.#session.send('Accessibility.enable'));
    this.#isEnabled = true;
    send(this.#session.send('Accessibility.getRootAXNode', { frameId }));
  }
}

/** The document may be gone. Without a kept tree, its lists only take longer. */
const send = (command: Promise<unknown>): Promise<unknown> => command.catch(() => undefined);
