// One tab: prepares its pages for agents, and navigates.

import type { Clock } from '../../../core/clock.ts';
import { BoundaryError } from '../../../core/failure.ts';
import type { Size } from '../../../core/screen.ts';
import { browserError, type TargetSession } from './connection.ts';
import { TabDialogs } from './dialogs.ts';

/** A server can be slow, and a page can load many files. */
const LOAD_TIMEOUT_MS = 30_000;
/** A person does not wait longer for a page before looking at it. */
const MOVE_TIMEOUT_MS = 10_000;
const FIRST_ERROR_STATUS = 400;
/** A page can navigate without end. */
const MAX_DOCUMENTS = 20;

/** The server's status of the page, such as 404; 0 if there was no server. */
const STATUS = `performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0`;

export interface TabScript {
  readonly source: string;
  /** A world of its own, which the page cannot reach. Without it, the script shares the world of the page. */
  readonly worldName?: string;
}

export interface TabOptions {
  readonly session: TargetSession;
  readonly target: string;
  readonly clock: Clock;
  readonly dialogOpened: () => void;
}

interface LoadingDocument {
  readonly id: string;
  isLoaded: boolean;
}

export class Tab {
  readonly session: TargetSession;
  readonly target: string;
  readonly dialogs: TabDialogs;
  readonly #clock: Clock;
  /** The last documents of the main frame, in order. */
  #documents: LoadingDocument[] = [];
  /** Counts of loads of the page and of changes of its address without another document; and of the same in its frames. */
  readonly #arrivals = { page: 0, frame: 0 };
  readonly #waiting = new Set<() => void>();

  constructor({ session, target, clock, dialogOpened }: TabOptions) {
    this.session = session;
    this.target = target;
    this.#clock = clock;
    this.dialogs = new TabDialogs(session, () => {
      dialogOpened();
      this.#wake();
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return this.#arrive('frame');
      this.#documents = [
        ...this.#documents.slice(1 - MAX_DOCUMENTS),
        { id: frame.loaderId, isLoaded: false },
      ];
    });
    session.on('Page.loadEventFired', () => {
      const last = this.#documents.at(-1);
      if (last !== undefined) last.isLoaded = true;
      this.#arrive('page');
    });
    session.on('Page.navigatedWithinDocument', ({ frameId }) =>
      this.#arrive(frameId === target ? 'page' : 'frame'),
    );
    session.onEnd(() => this.#wake());
  }

  /** Resolves when the tab has its size and its scripts may run. */
  async prepare({ width, height }: Size, scripts: readonly TabScript[]): Promise<void> {
    const { session } = this;
    await Promise.all([
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Runtime.enable'),
      session.send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      }),
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      session.send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: 'light' }],
      }),
      session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
      ...scripts.map(script =>
        session.send('Page.addScriptToEvaluateOnNewDocument', { ...script, runImmediately: true }),
      ),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  /** Resolves after `load`, or when a dialog blocks the page before. */
  async navigate(url: string): Promise<void> {
    const failed = (why: string) => new BoundaryError({ boundary: 'task', thing: url, message: why });
    this.dialogs.isLeaving = true;
    try {
      if (this.#isBlocked) await this.dialogs.answer({ accept: false });
      const expires = this.#clock.now() + LOAD_TIMEOUT_MS;
      const { errorText, loaderId } = await this.session
        .sendWithin(LOAD_TIMEOUT_MS, 'Page.navigate', { url })
        .catch(async (error: unknown) => {
          if (this.#clock.now() < expires || !/^https?:$/.test(new URL(url).protocol)) throw error;
          // The browser replies to `Page.navigate` once the server has answered. Rejects if the browser itself does not reply.
          await this.session.send('Page.getNavigationHistory');
          throw failed(
            `The server did not answer within ${LOAD_TIMEOUT_MS / 1000} s. Check the address and the server.`,
          );
        });
      if (errorText !== undefined)
        throw failed(
          `The page cannot be loaded: ${errorText}. Check the address and the hosts that the task allows.`,
        );
      // Without an id, only the position in the same document changed.
      if (loaderId === undefined) return;
      if (!(await this.#until(() => this.#hasLoaded(loaderId), LOAD_TIMEOUT_MS)))
        throw failed(`The page did not load within ${LOAD_TIMEOUT_MS / 1000} s. Check what it waits for.`);
    } finally {
      this.dialogs.isLeaving = false;
    }
    if (this.#isBlocked) return;
    const { result } = await this.session.send('Runtime.evaluate', {
      expression: STATUS,
      returnByValue: true,
    });
    if (typeof result.value === 'number' && result.value >= FIRST_ERROR_STATUS)
      throw failed(`The server returned status ${result.value}. Check the address.`);
  }

  /** Back or forward in the history, like the buttons of a browser. Never back to the blank page before the first one. */
  async move(step: 1 | -1): Promise<void> {
    const { currentIndex, entries } = await this.session.send('Page.getNavigationHistory');
    const entry = entries[currentIndex + step];
    if (entry === undefined || entry.url === 'about:blank') return;
    // Entries have the address of the page, so those around a navigation of a frame have the same one.
    const isInFrame = entry.url === entries[currentIndex]?.url;
    await this.#arrival(this.session.send('Page.navigateToHistoryEntry', { entryId: entry.id }), isInFrame);
  }

  reload(): Promise<void> {
    return this.#arrival(this.session.send('Page.reload'));
  }

  get #isBlocked(): boolean {
    const { pending } = this.dialogs;
    return pending !== undefined && pending.kind !== 'files';
  }

  #hasLoaded(id: string): boolean {
    const index = this.#documents.findIndex(document => document.id === id);
    // Another document can replace it before it has loaded.
    return index !== -1 && this.#documents.slice(index).some(({ isLoaded }) => isLoaded);
  }

  async #arrival(command: Promise<unknown>, isInFrame = false): Promise<void> {
    const arrivals = () => this.#arrivals.page + (isInFrame ? this.#arrivals.frame : 0);
    const before = arrivals();
    const arrived = this.#until(() => arrivals() > before, MOVE_TIMEOUT_MS);
    // A dialog of the page delays the reply.
    await Promise.race([command, arrived]);
    await arrived;
  }

  #arrive(where: 'page' | 'frame'): void {
    this.#arrivals[where] += 1;
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves with true when the condition is met or a dialog blocks the page, with false after the time. */
  async #until(isMet: () => boolean, timeoutMs: number): Promise<boolean> {
    const stop = new AbortController();
    let wake = () => {};
    const met = new Promise<boolean>((resolve, reject) => {
      wake = () => {
        if (!this.session.isOpen) reject(browserError('the tab closed while its page was loading.'));
        else if (isMet() || this.#isBlocked) resolve(true);
      };
      this.#waiting.add(wake);
      wake();
    });
    const expired = this.#clock.sleep(timeoutMs, stop.signal).then(() => false);
    try {
      return await Promise.race([met, expired]);
    } finally {
      this.#waiting.delete(wake);
      stop.abort();
    }
  }
}
