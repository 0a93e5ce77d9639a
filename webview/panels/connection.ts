// Whether there is a connection, in the bar and across the page: what was lost, when it is tried again, trying now, and that it is back.

import type { ConnectionLoss } from '../../runtime/protocol/panels.ts';
import { button } from '../shared/controls.ts';
import { need } from '../shared/dom.ts';
import { span, timeOfDay } from '../training/words.ts';

const sign = need('link', HTMLParagraphElement);
const lost = need('lost', HTMLDivElement);
const stage = need('stage', HTMLElement);
const back = need('back', HTMLParagraphElement);
const why = need('lost-why', HTMLSpanElement);

/** Milliseconds: long enough to be read twice. */
const BACK_FOR = 6000;

const TITLES: Readonly<Record<ConnectionLoss['kind'], string>> = {
  refused: 'This page was not let in.',
  gone: 'There is no daemon.',
  lost: 'Connection lost.',
};

const FIRST = 'The daemon of this folder does not answer yet.';

export class Connection {
  readonly #retry;
  /** When it is tried again; there while there is no connection. */
  #again: number | undefined;
  #heardAt = 0;
  /** There was one before: what comes first is no loss. */
  #wasThere = false;
  #backFor: ReturnType<typeof setTimeout> | undefined;

  constructor(retry: () => void) {
    this.#retry = button({ text: 'Try now' }, retry);
    need('retry', HTMLDivElement).append(this.#retry.element);
    setInterval(() => this.#showAgain(), 1000);
  }

  heard(now: number): void {
    this.#heardAt = now;
  }

  connected(): void {
    sign.dataset['link'] = 'connected';
    sign.textContent = 'Connected';
    this.#again = undefined;
    stage.inert = false;
    if (!lost.hidden && this.#wasThere) this.#sayBack();
    this.#wasThere = true;
    lost.hidden = true;
  }

  /** Whoever looked away sees that it was gone and is back; it goes by itself. */
  #sayBack(): void {
    back.textContent = `Connected again at ${timeOfDay(Date.now())}: what you see is up to date.`;
    back.dataset['shown'] = 'true';
    clearTimeout(this.#backFor);
    this.#backFor = setTimeout(() => this.#hideBack(), BACK_FOR);
  }

  #hideBack(): void {
    clearTimeout(this.#backFor);
    back.textContent = '';
    back.dataset['shown'] = 'false';
  }

  lost(loss: ConnectionLoss): void {
    this.#hideBack();
    sign.dataset['link'] = 'disconnected';
    const isFirst = loss.kind === 'lost' && !this.#wasThere;
    sign.textContent = isFirst ? 'Connecting…' : 'Disconnected';
    stage.inert = true;
    const asOf = this.#heardAt === 0 ? '' : ` What you see is as of ${timeOfDay(this.#heardAt)}.`;
    need('lost-title', HTMLElement).textContent = isFirst ? 'Connecting…' : TITLES[loss.kind];
    const text = isFirst ? FIRST : loss.kind === 'lost' ? `Trying again by itself.${asOf}` : loss.why + asOf;
    // It is read aloud when it changes: not at each attempt.
    if (why.textContent !== text) why.textContent = text;
    this.#again = loss.kind === 'lost' ? loss.again : undefined;
    this.#showAgain();
    this.#retry.element.hidden = loss.kind === 'refused';
    lost.dataset['first'] = String(isFirst);
    lost.hidden = false;
  }

  #showAgain(): void {
    const seconds = this.#again === undefined ? 0 : (this.#again - Date.now()) / 1000;
    need('lost-again', HTMLSpanElement).textContent = seconds > 1 ? `Next in ${span(seconds)}.` : '';
  }
}
