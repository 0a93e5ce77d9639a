// The last error of a page, shown in one place until the user closes it or starts another action.

import { isNoReply, messageOf } from './errors.ts';

type AlertElement = Pick<HTMLElement, 'hidden' | 'textContent'>;

export class Alert {
  readonly #element: AlertElement;
  readonly #text: AlertElement;
  /** The daemon was out of reach, or did not answer. */
  #isNoReply = false;

  /** `text` is the part of `element` that holds the message. */
  constructor(element: AlertElement, text = element) {
    this.#element = element;
    this.#text = text;
  }

  show(error: unknown): void {
    this.#isNoReply = isNoReply(error instanceof Error ? (error.cause ?? error) : error);
    this.#text.textContent = messageOf(error);
    this.#element.hidden = false;
  }

  hide(): void {
    this.#element.hidden = true;
  }

  /** The daemon answers again: an alert that it did not is out of date. */
  connected(): void {
    if (this.#isNoReply) this.hide();
  }
}
