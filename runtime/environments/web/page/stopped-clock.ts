// The time of a window that stands still between actions, and its clock in each tab. Each frame has a clock of its own in its page
// (`in-page/page-clock.ts`); the clock of the tab lets them go on together, and carries the date over to the next document.

import { isDocumentGone } from '../browser/connection.ts';
import type { CdpSession } from '../browser/session.ts';
import { CLOCK_KEY, type PageClock } from './in-page/channel.ts';
import { readPageClockScript } from './scripts.ts';
import type { Worlds } from './worlds.ts';

export interface StoppedClockOptions {
  /** Page time that passes with each action, in milliseconds. */
  readonly stepMs: number;
  /** The date of the first document, in milliseconds since 1970. */
  readonly startMs: number;
}

/** The date of pages whose task names none. */
export const DEFAULT_START = '2026-01-05T09:00:00Z';

/** Time that a page catches up in one call. A call that takes too long fails, and a tab can be behind the others for hours. */
const MAX_PASSED_MS = 60_000;

/** The time of all tabs of a window. */
export class StoppedTime {
  readonly #stepMs: number;
  /** The date, in milliseconds since 1970. */
  #nowMs: number;

  constructor({ stepMs, startMs }: StoppedClockOptions) {
    this.#stepMs = stepMs;
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Before an action. A document that begins during the action has the date of its end, however long it takes to load. */
  beginStep(): void {
    this.#nowMs += this.#stepMs;
  }

  /** The time of a tab went on until this date. */
  reach(milliseconds: number): void {
    this.#nowMs = Math.max(this.#nowMs, milliseconds);
  }
}

export class StoppedClock {
  readonly #session: CdpSession;
  readonly #worlds: Worlds;
  readonly #time: StoppedTime;
  /** The date until which the frames went on. */
  #passedMs: number;
  /** The date of the next document. */
  #dateMs: number;
  /** The script that sets it. */
  #dateScript: string | undefined;

  /** Documents that begin from now on have the clock. */
  constructor(session: CdpSession, worlds: Worlds, time: StoppedTime) {
    this.#session = session;
    this.#worlds = worlds;
    this.#time = time;
    this.#passedMs = time.nowMs;
    this.#dateMs = time.nowMs;
    // The session may have ended.
    this.#addScript(readPageClockScript(time.nowMs).source).catch(() => undefined);
  }

  /** Documents that begin from now on have the present date. */
  async setNextDate(): Promise<void> {
    const { nowMs } = this.#time;
    if (nowMs === this.#dateMs) return;
    this.#dateMs = nowMs;
    const before = this.#dateScript;
    const [{ identifier }] = await Promise.all([
      this.#addScript(call(`setDate(${nowMs})`)),
      before !== undefined &&
        this.#session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: before }),
    ]);
    this.#dateScript = identifier;
  }

  /** Lets the time pass until now, and stops the animations that began since. A tab that was behind another one catches up. */
  async pass(): Promise<void> {
    await this.setNextDate();
    const { nowMs } = this.#time;
    while (nowMs - this.#passedMs > MAX_PASSED_MS) await this.#passUntil(this.#passedMs + MAX_PASSED_MS);
    await this.#passUntil(nowMs);
  }

  /** One frame after another, so that their order is always the same. */
  async #passUntil(milliseconds: number): Promise<void> {
    for (const contextId of this.#worlds.pageContexts)
      await this.#session
        .send('Runtime.evaluate', {
          ...{ expression: call(`passUntil(${milliseconds})`), contextId, awaitPromise: true },
        })
        .catch((error: unknown) => {
          // The frame may have been removed or replaced meanwhile.
          if (this.#worlds.pageContexts.includes(contextId) && !isDocumentGone(error)) throw error;
        });
    this.#passedMs = milliseconds;
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
    if (typeof result.value === 'number') this.#time.reach(result.value);
    await this.setNextDate();
  }

  #addScript(source: string): Promise<{ readonly identifier: string }> {
    return this.#session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  }
}

const CLOCK = `window[Symbol.for(${JSON.stringify(CLOCK_KEY)})]`;

/** Has no effect in a document that began before its clock was stopped. */
const call = (method: `${keyof PageClock}(${string}`): string => `${CLOCK}?.${method}`;
