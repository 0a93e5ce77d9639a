// A module's card: shares as bars, and numbers with their names. Made once, then only told new numbers.

import { make } from '../shared/dom.ts';
import { percent } from '../shared/words.ts';

/** A share of something, with a bar beside the number. */
export class Bar {
  readonly element: HTMLElement;
  readonly #number = make('span', { class: 'number' });
  readonly #fill = make('span', { class: 'fill' });

  constructor(name: string, title: string) {
    const track = make('span', { class: 'track' }, this.#fill);
    track.setAttribute('aria-hidden', 'true');
    this.element = make('p', { class: 'share', title }, make('span', { text: name }), this.#number, track);
  }

  /** Undefined where nothing is known yet. */
  show(share: number | undefined): void {
    this.#number.textContent = share === undefined ? '–' : percent(share);
    this.#fill.style.width = `${100 * (share ?? 0)}%`;
  }
}

type Names = Readonly<Record<string, string>>;

export class Card<Shares extends Names, Figures extends Names> {
  readonly element: HTMLElement;
  readonly #bars: { readonly name: keyof Shares; readonly bar: Bar }[] = [];
  readonly #figures: { readonly name: keyof Figures; readonly value: HTMLElement }[] = [];

  /** Shares and figures by their keys, with what they are called; after a '|' what they mean. */
  constructor(title: string, about: string, shares: Shares, figures: Figures) {
    const list = make('dl');
    for (const name of keysOf(figures)) {
      const [called = '', means = ''] = (figures[name] ?? '').split('|');
      const value = make('dd');
      this.#figures.push({ name, value });
      list.append(make('div', { title: means }, make('dt', { text: called }), value));
    }
    for (const name of keysOf(shares)) {
      const [called = '', means = ''] = (shares[name] ?? '').split('|');
      this.#bars.push({ name, bar: new Bar(called, means) });
    }
    this.element = make(
      'article',
      { class: 'panel module' },
      make('h2', { text: title }),
      make('p', { class: 'faint about', text: about }),
      ...this.#bars.map(({ bar }) => bar.element),
      list,
    );
  }

  show(
    shares: Readonly<Record<keyof Shares, number | undefined>>,
    figures: Readonly<Record<keyof Figures, string>>,
  ): void {
    for (const { name, bar } of this.#bars) bar.show(shares[name]);
    for (const { name, value } of this.#figures) value.textContent = figures[name];
  }
}

const keysOf = <Of extends Names>(names: Of): readonly (keyof Of)[] => Object.keys(names);
