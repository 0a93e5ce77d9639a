// The card of a module: shares as bars, and named numbers. Created once, then updated.

import { make } from '../shared/dom.ts';
import { formatPercent } from '../shared/labels.ts';

/** A share with its name and a bar. */
export class ShareBar {
  readonly element: HTMLElement;
  readonly #number = make('span', { class: 'number' });
  readonly #fill = make('span', { class: 'fill' });

  constructor(name: string, title: string) {
    const track = make('span', { class: 'track' }, this.#fill);
    track.setAttribute('aria-hidden', 'true');
    this.element = make('p', { class: 'share', title }, make('span', { text: name }), this.#number, track);
  }

  /** Undefined if there is no value yet. */
  show(share: number | undefined): void {
    this.#number.textContent = share === undefined ? '–' : formatPercent(share);
    this.#fill.style.width = `${100 * (share ?? 0)}%`;
  }
}

type Names = Readonly<Record<string, string>>;

export class ModuleCard<Shares extends Names, Figures extends Names> {
  readonly element: HTMLElement;
  readonly #bars: { readonly name: keyof Shares; readonly bar: ShareBar }[] = [];
  readonly #figures: { readonly name: keyof Figures; readonly value: HTMLElement }[] = [];

  /** Labels of the shares and figures by key; the text after '|' is a tooltip. */
  constructor(title: string, about: string, shares: Shares, figures: Figures) {
    const list = make('dl');
    for (const name of keysOf(figures)) {
      const [label = '', tooltip = ''] = (figures[name] ?? '').split('|');
      const value = make('dd');
      this.#figures.push({ name, value });
      list.append(make('div', { title: tooltip }, make('dt', { text: label }), value));
    }
    for (const name of keysOf(shares)) {
      const [label = '', tooltip = ''] = (shares[name] ?? '').split('|');
      this.#bars.push({ name, bar: new ShareBar(label, tooltip) });
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
