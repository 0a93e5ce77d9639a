// Shows the state of the connection: in the header, and in a banner with the cause, the next attempt and a button to try now.

import type { ConnectionLoss } from '../../runtime/protocol/panels.ts';
import { button } from '../shared/controls.ts';
import { findElement } from '../shared/dom.ts';
import { formatSpan, formatTime } from '../training/labels.ts';

const status = findElement('link', HTMLParagraphElement);
const lost = findElement('lost', HTMLDivElement);
const stage = findElement('stage', HTMLElement);
const back = findElement('back', HTMLParagraphElement);
const title = findElement('lost-title', HTMLElement);
const why = findElement('lost-why', HTMLSpanElement);

const RECONNECTED_NOTICE_MS = 6000;

const TITLES: Readonly<Record<ConnectionLoss['kind'], string>> = {
  refused: 'The daemon rejected this page.',
  gone: 'The daemon is not running.',
  lost: 'Connection lost.',
};

const FIRST_ATTEMPT = 'The daemon of this folder does not answer yet.';

export class ConnectionBanner {
  readonly #retry;
  /** The time of the next attempt, while there is no connection. */
  #nextAttempt: number | undefined;
  #lastStateAt = 0;
  /** Before the first connection there is nothing to lose. */
  #hasConnected = false;
  #isResponsive = true;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(retry: () => void) {
    this.#retry = button({ text: 'Try now' }, retry);
    findElement('retry', HTMLDivElement).append(this.#retry.element);
    setInterval(() => this.#showNextAttempt(), 1000);
  }

  stateReceived(now: number): void {
    this.#lastStateAt = now;
  }

  connected(): void {
    status.dataset['link'] = 'connected';
    status.textContent = 'Connected';
    this.#nextAttempt = undefined;
    stage.inert = false;
    if (!lost.hidden && this.#hasConnected) this.#showReconnected();
    this.#hasConnected = true;
    this.#isResponsive = true;
    lost.hidden = true;
  }

  /** The connection is open. False: the daemon does not answer. Returns whether it answers again. */
  setResponsive(isResponsive: boolean): boolean {
    if (isResponsive === this.#isResponsive) return false;
    if (isResponsive) {
      this.connected();
      return true;
    }
    this.#isResponsive = false;
    status.dataset['link'] = 'disconnected';
    status.textContent = 'Not responding';
    title.textContent = 'The daemon does not answer.';
    why.textContent = `It may be busy.${this.#asOf()} If this lasts, end the daemon and start it again.`;
    this.#retry.element.hidden = true;
    lost.dataset['first'] = 'false';
    lost.hidden = false;
    return false;
  }

  /** A notice that disappears by itself. */
  #showReconnected(): void {
    back.textContent = `Reconnected at ${formatTime(Date.now())}. The page is up to date.`;
    back.dataset['shown'] = 'true';
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => this.#hideReconnected(), RECONNECTED_NOTICE_MS);
  }

  #hideReconnected(): void {
    clearTimeout(this.#noticeTimer);
    back.textContent = '';
    back.dataset['shown'] = 'false';
  }

  lost(loss: ConnectionLoss): void {
    this.#hideReconnected();
    status.dataset['link'] = 'disconnected';
    const isFirst = loss.kind === 'lost' && !this.#hasConnected;
    status.textContent = isFirst ? 'Connecting…' : 'Disconnected';
    // For good: the user may still read the page.
    stage.inert = loss.kind !== 'gone';
    const asOf = this.#asOf();
    title.textContent = isFirst ? 'Connecting…' : TITLES[loss.kind];
    const text = isFirst
      ? FIRST_ATTEMPT
      : loss.kind === 'lost'
        ? `Dartboard reconnects by itself.${asOf}`
        : loss.why + asOf;
    // Screen readers announce a change, so the text must not change with each attempt.
    if (why.textContent !== text) why.textContent = text;
    this.#nextAttempt = loss.kind === 'lost' ? loss.again : undefined;
    this.#showNextAttempt();
    this.#retry.element.hidden = loss.kind === 'refused';
    lost.dataset['first'] = String(isFirst);
    lost.hidden = false;
  }

  #asOf(): string {
    return this.#lastStateAt === 0 ? '' : ` The page shows the state of ${formatTime(this.#lastStateAt)}.`;
  }

  #showNextAttempt(): void {
    const seconds = this.#nextAttempt === undefined ? 0 : (this.#nextAttempt - Date.now()) / 1000;
    findElement('lost-again', HTMLSpanElement).textContent =
      seconds > 1 ? `Next attempt in ${formatSpan(seconds)}.` : '';
  }
}
