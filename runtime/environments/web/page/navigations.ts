// Whether the document of a page is being replaced. An input can start a navigation whose document arrives later: the present document is
// then not what the agent should see.

import type { CdpSession } from '../browser/session.ts';

export class Navigations {
  #isUnderWay = false;
  #waiting: (() => void)[] = [];

  constructor(session: CdpSession, frame: string) {
    const begin = ({ frameId }: { readonly frameId: string }) => {
      if (frameId === frame) this.#isUnderWay = true;
    };
    const end = () => {
      this.#isUnderWay = false;
      this.#wake();
    };
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (disposition === 'currentTab') begin({ frameId });
    });
    session.on('Page.frameStartedLoading', begin);
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === frame) end();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId === frame) end();
    });
    session.on('Page.downloadWillBegin', end);
    session.on('Runtime.executionContextCreated', () => this.#wake());
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Resolves when no navigation is under way. */
  async finished(): Promise<void> {
    while (this.#isUnderWay) await this.progress();
  }

  /** Resolves at the next step of a navigation. */
  progress(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
