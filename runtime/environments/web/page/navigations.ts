// Whether documents of a page are being replaced: its own, or those of its frames. An input can start a navigation whose document arrives
// later: the present document is then not what the agent should see. A server can be silent for ever, so a navigation is waited for as
// long as a person would wait.

import type { Clock } from '../../../core/clock.ts';
import type { CdpSession } from '../browser/session.ts';

/** A person does not wait longer for a page before looking at it. */
const PAGE_TIMEOUT_MS = 10_000;
/** The rest of the page can be read while a frame loads. */
const FRAME_TIMEOUT_MS = 2000;

export class Navigations {
  readonly #clock: Clock;
  readonly #main: string;
  /** The frames whose documents are being replaced. */
  readonly #loading = new Set<string>();
  #begun = 0;
  /** The kind of the dialog that is open. */
  #dialog: string | undefined;
  #waiting: (() => void)[] = [];

  constructor(session: CdpSession, frame: string, clock: Clock) {
    this.#clock = clock;
    this.#main = frame;
    const begin = ({ frameId }: { readonly frameId: string }) => {
      this.#loading.add(frameId);
      this.#begun += 1;
    };
    const end = ({ frameId }: { readonly frameId: string }) => {
      this.#loading.delete(frameId);
      this.#wake();
    };
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (disposition === 'currentTab') begin({ frameId });
    });
    session.on('Page.frameStartedLoading', begin);
    session.on('Page.frameStoppedLoading', end);
    session.on('Page.frameDetached', end);
    session.on('Page.navigatedWithinDocument', ({ frameId, navigationType }) => {
      // A script may write its state into the address while another document is on its way.
      if (navigationType !== 'historyApi') end({ frameId });
    });
    session.on('Page.downloadWillBegin', end);
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      this.#dialog = type;
    });
    // The browser does not report that a refused navigation is over.
    session.on('Page.javascriptDialogClosed', ({ result }) => {
      if (this.#dialog === 'beforeunload' && !result) this.#endAll();
      this.#dialog = undefined;
    });
    session.on('Runtime.executionContextCreated', () => this.#wake());
  }

  /** Grows with each navigation of the page or of a frame: a short one can begin and end during a call. */
  get begun(): number {
    return this.#begun;
  }

  /** A dialog of a script is open. */
  get isBlocked(): boolean {
    return this.#dialog !== undefined;
  }

  /** Of the page itself. */
  get isUnderWay(): boolean {
    return this.#loading.has(this.#main);
  }

  /** Of the page or of a frame. */
  get isAnyUnderWay(): boolean {
    return this.#loading.size > 0;
  }

  /** Resolves when no navigation is under way, or when it takes too long: the documents of that time are then the page. */
  async finished(): Promise<void> {
    const start = this.#clock.now();
    for (let now = start; this.isAnyUnderWay; now = this.#clock.now()) {
      const end = start + (this.isUnderWay ? PAGE_TIMEOUT_MS : FRAME_TIMEOUT_MS);
      if (now >= end) break;
      await this.#progressUntil(end);
    }
    this.#endAll();
  }

  /** Resolves at the next step of a navigation, or when it takes too long. */
  progress(): Promise<void> {
    return this.#progressUntil(this.#clock.now() + PAGE_TIMEOUT_MS);
  }

  async #progressUntil(end: number): Promise<void> {
    const stop = new AbortController();
    const step = new Promise<void>(resolve => this.#waiting.push(resolve));
    // Aborted when the navigation takes a step.
    const late = this.#clock.sleep(Math.max(0, end - this.#clock.now()), stop.signal).catch(() => undefined);
    await Promise.race([step, late]);
    stop.abort();
  }

  #endAll(): void {
    this.#loading.clear();
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
