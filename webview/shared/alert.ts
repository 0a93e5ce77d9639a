// What did not work, said where the page has a place for it, until it is closed or the next deed begins.

import { isOfLoss } from './link/link.ts';

type Shown = Pick<HTMLElement, 'hidden' | 'textContent'>;

export class Alert {
  readonly #element: Shown;
  readonly #text: Shown;
  #isOfLoss = false;

  /** `text` is where the words go, inside of it. */
  constructor(element: Shown, text = element) {
    this.#element = element;
    this.#text = text;
  }

  tell(error: unknown): void {
    this.#isOfLoss = isOfLoss(error);
    this.#text.textContent = error instanceof Error ? error.message : String(error);
    this.#element.hidden = false;
  }

  hide(): void {
    this.#element.hidden = true;
  }

  /** There is a connection again: that it was lost is no longer to be said. */
  connected(): void {
    if (this.#isOfLoss) this.hide();
  }
}
