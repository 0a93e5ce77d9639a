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

/** A label and its tooltip. */
type Label = readonly [label: string, tooltip?: string];

export class ModuleCard<ShareName extends string, FigureName extends string> {
  readonly element: HTMLElement;
  readonly #bars = new Map<string, ShareBar>();
  readonly #figures = new Map<string, HTMLElement>();

  constructor(
    title: string,
    about: string,
    shares: Readonly<Record<ShareName, Label>>,
    figures: Readonly<Record<FigureName, Label>>,
  ) {
    for (const [name, [label, tooltip = '']] of Object.entries<Label>(shares))
      this.#bars.set(name, new ShareBar(label, tooltip));
    const list = make('dl');
    for (const [name, [label, tooltip = '']] of Object.entries<Label>(figures)) {
      const value = make('dd');
      this.#figures.set(name, value);
      list.append(make('div', { title: tooltip }, make('dt', { text: label }), value));
    }
    this.element = make(
      'article',
      { class: 'panel module' },
      make('h2', { text: title }),
      make('p', { class: 'faint about', text: about }),
      ...[...this.#bars.values()].map(({ element }) => element),
      list,
    );
  }

  show(
    shares: Readonly<Record<ShareName, number | undefined>>,
    figures: Readonly<Record<FigureName, string>>,
  ): void {
    for (const [name, share] of Object.entries<number | undefined>(shares)) this.#bars.get(name)?.show(share);
    for (const [name, text] of Object.entries<string>(figures)) {
      const value = this.#figures.get(name);
      if (value !== undefined) value.textContent = text;
    }
  }
}
