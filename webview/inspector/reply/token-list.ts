// The tokens of a reply as running text, coloured by surprise. A token shows its tooltip under the pointer and on keyboard focus: the
// list is one tab stop, and the arrow keys move within it.

import type { ReplyDetail } from '../../../runtime/protocol/daemon/reply.ts';
import { make } from '../../shared/dom.ts';
import { isCombined } from '../../shared/shortcut-key.ts';
import { TokenTip, tokenLabel } from './token-tip.ts';
import { type ShownToken, SURPRISE_LEVELS, shownTokens } from './tokens.ts';

/** The pointer can move onto the tooltip within this time. */
const HIDE_DELAY_MS = 150;

let lists = 0;

export class TokenList {
  readonly element = make('div', { class: 'tokens-room' });
  readonly #list = make('div', { class: 'tokens' });
  readonly #tip: TokenTip;
  readonly #id: string;
  #tokens: readonly ShownToken[] = [];
  #items: readonly HTMLElement[] = [];
  #at = 0;
  #hiding: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    lists += 1;
    this.#id = `tokens-${lists}`;
    this.element.append(this.#list);
    this.#tip = new TokenTip(this.element, `${this.#id}-tip`);
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', 'Tokens of the reply');
    this.#list.setAttribute('aria-orientation', 'horizontal');
    this.#list.setAttribute('aria-describedby', this.#tip.element.id);
    this.#list.tabIndex = 0;
    this.#list.addEventListener('keydown', event => this.#keyPressed(event));
    this.#list.addEventListener('focus', () => this.#select(this.#at));
    this.#list.addEventListener('blur', () => this.#tip.hide());
    this.#list.addEventListener('pointerover', event => this.#pointed(event.target));
    this.#list.addEventListener('click', event => this.#clicked(event.target));
    for (const part of [this.#list, this.#tip.element]) {
      part.addEventListener('pointerenter', () => clearTimeout(this.#hiding));
      part.addEventListener('pointerleave', () => this.#hideSoon());
    }
  }

  show(reply: ReplyDetail): void {
    this.#tip.hide();
    this.#at = 0;
    this.#tokens = shownTokens(reply);
    this.#items = this.#tokens.map((token, index) => this.#item(token, index));
    this.#list.replaceChildren(...this.#items);
    this.#list.removeAttribute('aria-activedescendant');
  }

  #item(shown: ShownToken, index: number): HTMLElement {
    const { text, level, partOf, isSpecial } = shown;
    const item = make('span', { class: 'token' }, ...textNodes(isSpecial ? shown.token.text : text));
    item.id = `${this.#id}-${index}`;
    item.setAttribute('role', 'option');
    item.setAttribute('aria-label', tokenLabel(shown));
    item.setAttribute('aria-selected', 'false');
    if (level !== undefined) item.dataset['level'] = String(level);
    if (isSpecial) item.dataset['kind'] = 'special';
    else if (partOf !== undefined && text === '') item.dataset['kind'] = 'part';
    else if (/^ +$/.test(text)) item.dataset['kind'] = 'blank';
    return item;
  }

  #keyPressed(event: KeyboardEvent): void {
    if (isCombined(event)) return;
    if (event.key === 'Escape' && this.#tip.isShown) this.#tip.hide();
    else {
      const to = this.#target(event.key);
      if (to === undefined) return;
      this.#select(Math.max(0, Math.min(this.#items.length - 1, to)));
    }
    // The panel uses the same keys for its steps.
    event.preventDefault();
  }

  #target(key: string): number | undefined {
    switch (key) {
      case 'ArrowRight':
        return this.#at + 1;
      case 'ArrowLeft':
        return this.#at - 1;
      case 'ArrowDown':
        return this.#inLine(1);
      case 'ArrowUp':
        return this.#inLine(-1);
      case 'Home':
        return 0;
      case 'End':
        return this.#items.length - 1;
      default:
        return undefined;
    }
  }

  /** The token of the next or previous line that is nearest to the current one. */
  #inLine(by: 1 | -1): number {
    const here = this.#items[this.#at];
    if (here === undefined) return 0;
    const isBeyond = ({ offsetTop }: HTMLElement) =>
      by * (offsetTop - here.offsetTop) > here.offsetHeight / 2;
    const beyond = this.#items.map((item, index) => ({ item, index })).filter(({ item }) => isBeyond(item));
    const [first] = by === 1 ? beyond : beyond.toReversed();
    if (first === undefined) return this.#at;
    const line = beyond.filter(({ item }) => item.offsetTop === first.item.offsetTop);
    const distance = (item: HTMLElement) => Math.abs(item.offsetLeft - here.offsetLeft);
    return line.reduce((best, each) => (distance(each.item) < distance(best.item) ? each : best)).index;
  }

  #select(at: number): void {
    const [before, item, shown] = [this.#items[this.#at], this.#items[at], this.#tokens[at]];
    before?.setAttribute('aria-selected', 'false');
    this.#at = at;
    if (item === undefined || shown === undefined) return;
    item.setAttribute('aria-selected', 'true');
    this.#list.setAttribute('aria-activedescendant', item.id);
    item.scrollIntoView({ block: 'nearest' });
    this.#tip.show(shown, item);
  }

  #indexOf(target: EventTarget | null): number {
    const item = target instanceof Element ? target.closest('.token') : null;
    return item instanceof HTMLElement ? this.#items.indexOf(item) : -1;
  }

  #pointed(target: EventTarget | null): void {
    const [item, shown] = [this.#items[this.#indexOf(target)], this.#tokens[this.#indexOf(target)]];
    if (item === undefined || shown === undefined) this.#hideSoon();
    else {
      clearTimeout(this.#hiding);
      this.#tip.show(shown, item);
    }
  }

  #clicked(target: EventTarget | null): void {
    const index = this.#indexOf(target);
    // A click at the end of a selection of text does not move the focus.
    if (index >= 0 && document.getSelection()?.isCollapsed !== false) this.#select(index);
  }

  #hideSoon(): void {
    clearTimeout(this.#hiding);
    this.#hiding = setTimeout(() => {
      const [item, shown] = [this.#items[this.#at], this.#tokens[this.#at]];
      // With the keyboard focus, the tooltip of the selected token returns.
      const isFocused = this.#list.matches(':focus-visible') && item !== undefined && shown !== undefined;
      if (isFocused) this.#tip.show(shown, item);
      else this.#tip.hide();
    }, HIDE_DELAY_MS);
  }
}

/** Line breaks get a visible mark, which is not copied with the text. */
function textNodes(text: string): readonly Node[] {
  return text.split(/(\n)/).flatMap(part => {
    if (part === '') return [];
    return part === '\n' ? [make('span', { class: 'break' }), new Text('\n')] : [new Text(part)];
  });
}

/** Levels with their probabilities; a line under the token marks the level too. */
export function surpriseLegend(): HTMLElement {
  const list = make('ul', { class: 'legend' }, make('li', { class: 'faint', text: 'Probability' }));
  for (const { level, label } of SURPRISE_LEVELS) {
    const item = make('span', { class: 'token', text: label });
    item.dataset['level'] = String(level);
    list.append(make('li', {}, item));
  }
  return list;
}
