// The last error of a page, shown in one place until the user closes it or starts another action.

import { ConnectionLostError, messageOf } from './errors.ts';

type AlertElement = Pick<HTMLElement, 'hidden' | 'textContent'>;

export class Alert {
  readonly #element: AlertElement;
  readonly #text: AlertElement;
  #isConnectionLoss = false;

  /** `text` is the part of `element` that holds the message. */
  constructor(element: AlertElement, text = element) {
    this.#element = element;
    this.#text = text;
  }

  show(error: unknown): void {
    this.#isConnectionLoss = error instanceof ConnectionLostError;
    this.#text.textContent = messageOf(error);
    this.#element.hidden = false;
  }

  hide(): void {
    this.#element.hidden = true;
  }

  /** There is a connection again: an alert about its loss is out of date. */
  connected(): void {
    if (this.#isConnectionLoss) this.hide();
  }
}
