// Whether the document of a page is being replaced. An input can start a navigation whose document arrives later: the present document is
// then not what the agent should see. A server can be silent for ever, so a navigation is waited for as long as a person would wait.

import type { Clock } from '../../../core/clock.ts';
import type { CdpSession } from '../browser/session.ts';

/** A person does not wait longer for a page before looking at it. */
const PATIENCE_MS = 10_000;

export class Navigations {
  readonly #clock: Clock;
  #isUnderWay = false;
  /** The page asks whether it may be left. */
  #isAsking = false;
  #waiting: (() => void)[] = [];

  constructor(session: CdpSession, frame: string, clock: Clock) {
    this.#clock = clock;
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
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      this.#isAsking = type === 'beforeunload';
    });
    // The browser does not report that a refused navigation is over.
    session.on('Page.javascriptDialogClosed', ({ result }) => {
      if (this.#isAsking && !result) end();
      this.#isAsking = false;
    });
    session.on('Runtime.executionContextCreated', () => this.#wake());
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Resolves when no navigation is under way, or when it takes too long: the document of that time is then the page. */
  async finished(): Promise<void> {
    const end = this.#clock.now() + PATIENCE_MS;
    while (this.#isUnderWay && this.#clock.now() < end) await this.#progressUntil(end);
    this.#isUnderWay = false;
  }

  /** Resolves at the next step of a navigation, or when it takes too long. */
  progress(): Promise<void> {
    return this.#progressUntil(this.#clock.now() + PATIENCE_MS);
  }

  async #progressUntil(end: number): Promise<void> {
    const stop = new AbortController();
    const step = new Promise<void>(resolve => this.#waiting.push(resolve));
    const late = this.#clock.sleep(Math.max(0, end - this.#clock.now()), stop.signal).catch(() => undefined);
    await Promise.race([step, late]);
    stop.abort();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
