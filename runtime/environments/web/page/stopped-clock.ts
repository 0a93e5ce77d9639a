// The clock of a tab that stands still between actions. Each frame has a clock of its own in its page (`in-page/page-clock.ts`); this one lets
// them go on together, and carries the date over to the next document.

import type { CdpSession } from '../browser/session.ts';
import { CLOCK_KEY, type PageClock } from './in-page/channel.ts';
import { readPageClockScript } from './scripts.ts';
import { isDocumentGone, type Worlds } from './worlds.ts';

export interface StoppedClockOptions {
  /** Page time that passes with each action, in milliseconds. */
  readonly stepMs: number;
  /** The date of the first document, in milliseconds since 1970. */
  readonly startMs: number;
}

/** The date of pages whose task names none. */
export const DEFAULT_START = '2026-01-05T09:00:00Z';

export class StoppedClock {
  readonly #session: CdpSession;
  readonly #worlds: Worlds;
  readonly #stepMs: number;
  #nowMs: number;
  /** The script that sets the date of the next document. */
  #dateScript: string | undefined;

  /** Documents that begin from now on have the clock. */
  constructor(session: CdpSession, worlds: Worlds, { stepMs, startMs }: StoppedClockOptions) {
    this.#session = session;
    this.#worlds = worlds;
    this.#stepMs = stepMs;
    this.#nowMs = startMs;
    // The session may have ended.
    this.#addScript(readPageClockScript(startMs).source).catch(() => undefined);
  }

  /** Before an action. A document that begins during the action has the date of its end, however long it takes to load. */
  async beginStep(): Promise<void> {
    this.#nowMs += this.#stepMs;
    await this.#setNextDate();
  }

  /** Lets the time of the action pass, and stops the animations that began since. One frame after another, so that their order is always the same. */
  async pass(): Promise<void> {
    for (const contextId of this.#worlds.pageContexts)
      await this.#session
        .send('Runtime.evaluate', {
          ...{ expression: call(`passUntil(${this.#nowMs})`), contextId, awaitPromise: true },
        })
        .catch((error: unknown) => {
          // The frame may have been removed or replaced meanwhile.
          if (this.#worlds.pageContexts.includes(contextId) && !isDocumentGone(error)) throw error;
        });
  }

  /** An expression with the value of `expression`, a promise, that lets time pass until the promise is settled. */
  during(expression: string): string {
    return `(${CLOCK} ?? { during: work => work() }).during(() => (${expression}))`;
  }

  /** Reads the time that has passed during an expression. */
  async read(): Promise<void> {
    const { result } = await this.#session.send('Runtime.evaluate', {
      ...{ expression: call('now()'), returnByValue: true },
    });
    if (typeof result.value === 'number') this.#nowMs = Math.max(this.#nowMs, result.value);
    await this.#setNextDate();
  }

  async #setNextDate(): Promise<void> {
    const before = this.#dateScript;
    const [{ identifier }] = await Promise.all([
      this.#addScript(call(`setDate(${this.#nowMs})`)),
      before !== undefined &&
        this.#session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: before }),
    ]);
    this.#dateScript = identifier;
  }

  #addScript(source: string): Promise<{ readonly identifier: string }> {
    return this.#session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  }
}

const CLOCK = `window[Symbol.for(${JSON.stringify(CLOCK_KEY)})]`;

/** Has no effect in a document that began before its clock was stopped. */
const call = (method: `${keyof PageClock}(${string}`): string => `${CLOCK}?.${method}`;
