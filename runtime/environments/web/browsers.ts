// The browsers of the desktops of one run: a browser has many isolated contexts. A browser that ended is replaced at the next request.

import type { Clock } from '../../core/clock.ts';
import { sentenceOf } from '../../core/errors.ts';
import { type ContextOptions, launchBrowser, type WebBrowser } from './browser/browser.ts';
import { browserError } from './browser/connection.ts';
import type { WebContext } from './browser/context.ts';
import type { FoundBrowser } from './browser/find-browser.ts';
import type { BrowserMachine } from './browser/machine.ts';
import type { TabScript } from './browser/tab.ts';

export interface BrowsersOptions {
  readonly browser: FoundBrowser;
  readonly machine: BrowserMachine;
  /** The most contexts in a browser. */
  readonly contexts: number;
  /** Folders of this machine that pages are served from, by the name of the host. */
  readonly folders: ReadonlyMap<string, string>;
  readonly scripts: readonly TabScript[];
  readonly clock: Clock;
  /** Reports that a browser ended, or works again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

interface Slot {
  readonly browser: Promise<WebBrowser>;
  open: number;
}

export class Browsers {
  readonly #options: BrowsersOptions;
  readonly #slots = new Set<Slot>();
  #isClosed = false;
  /** A browser ended, and no desktop has got another place since. */
  #isReported = false;

  constructor(options: BrowsersOptions) {
    this.#options = options;
  }

  async openContext({
    size,
    tabOpened,
  }: Required<Pick<ContextOptions, 'size' | 'tabOpened'>>): Promise<WebContext> {
    const { folders, scripts } = this.#options;
    const free = this.#free();
    free.open += 1;
    try {
      const browser = await free.browser;
      const context = await browser.openContext({ size, allow: [], folders, scripts, tabOpened });
      void context.closed.then(() => {
        free.open -= 1;
      });
      this.#reportWorking();
      return context;
    } catch (error) {
      free.open -= 1;
      throw error;
    }
  }

  /** Resolves when a browser with a free place runs; rejects if none can be started. */
  async ready(): Promise<void> {
    await this.#free().browser;
    this.#reportWorking();
  }

  /** Ends all browsers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      // A browser that did not start has nothing to close.
      [...this.#slots].map(async ({ browser }) => (await browser.catch(() => undefined))?.close()),
    );
  }

  #reportWorking(): void {
    if (this.#isReported) this.#options.health('browser', true, 'works again');
    this.#isReported = false;
  }

  #free(): Slot {
    if (this.#isClosed) throw browserError('the browsers are closed, because the run has ended.');
    const { contexts } = this.#options;
    return [...this.#slots].find(({ open }) => open < contexts) ?? this.#launch();
  }

  #launch(): Slot {
    const { browser: found, clock, health, machine } = this.#options;
    const slot: Slot = { browser: launchBrowser({ browser: found, clock, machine }), open: 0 };
    this.#slots.add(slot);
    slot.browser.then(
      browser => {
        void browser.ended.then(why => {
          this.#slots.delete(slot);
          // Its profile would stay until the run ends.
          void browser.close();
          if (this.#isClosed) return;
          this.#isReported = true;
          health('browser', false, `${sentenceOf(why)} Another one is started when it is needed.`);
        });
      },
      () => this.#slots.delete(slot),
    );
    return slot;
  }
}
