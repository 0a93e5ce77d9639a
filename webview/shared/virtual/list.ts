// A list of any length of which only the rows in sight are on the page. It knows nothing of what a row shows.

import { make } from '../dom.ts';
import { movedBy, rowsInSight, type Span, scrolledTo } from './window.ts';

interface Rows {
  /** In pixels, the same for all. */
  readonly height: number;
  /** Fills a row's element anew; its class and its role are the list's. */
  readonly fill: (element: HTMLElement, index: number) => void;
  /** These rows are on the page now: whoever has not got their data fetches it. */
  readonly seen: (span: Span) => void;
  readonly moved: (index: number) => void;
  /** It was scrolled there. */
  readonly scrolled: (top: number) => void;
  /** Pressed on, or Enter; `isBeside` with Ctrl or Cmd. */
  readonly opened: (index: number, isBeside: boolean) => void;
}

let count = 0;

export class VirtualList {
  readonly element: HTMLElement;
  readonly #rows: Rows;
  readonly #room = make('div', { class: 'rows' });
  readonly #shown = new Map<number, HTMLElement>();
  readonly #name = `list-${count++}`;
  #total = 0;
  #top = 0;
  #high = 0;
  #at: number | undefined;
  /** Where keys led since the last drawing: they may come faster than frames. */
  #next: number | undefined;
  #isDrawing = false;

  constructor(label: string, rows: Rows) {
    this.#rows = rows;
    this.element = make('div', { class: 'virtual' }, this.#room);
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'listbox');
    this.element.setAttribute('aria-label', label);
    this.#room.setAttribute('role', 'presentation');
    this.element.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.element.addEventListener('keydown', event => this.#pressed(event));
    this.#room.addEventListener('click', event => this.#clicked(event));
    new ResizeObserver(() => this.#resized()).observe(this.element);
  }

  /** `at` is the row that the keyboard is on. */
  show(total: number, at: number | undefined): void {
    const isElsewhere = at !== this.#at;
    this.#total = total;
    this.#at = at;
    this.#next = undefined;
    this.#room.style.height = `${total * this.#rows.height}px`;
    if (isElsewhere && at !== undefined) this.#reveal(at);
    this.#draw(true);
  }

  scrollTo(top: number): void {
    this.#top = top;
    this.element.scrollTop = top;
  }

  #scrolled(): void {
    this.#top = this.element.scrollTop;
    this.#rows.scrolled(this.#top);
    this.#soon();
  }

  /** Taken off the page and put back, it would be at its beginning. */
  #resized(): void {
    const { clientHeight } = this.element;
    if (clientHeight > 0 && this.#high === 0) this.element.scrollTop = this.#top;
    this.#high = clientHeight;
    this.#soon();
  }

  #reveal(at: number): void {
    const { scrollTop, clientHeight } = this.element;
    if (clientHeight > 0) this.element.scrollTop = scrolledTo(at, this.#rows.height, scrollTop, clientHeight);
  }

  #soon(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#draw(false);
    });
  }

  #draw(isAnew: boolean): void {
    const { height, fill, seen } = this.#rows;
    const span = rowsInSight(this.element.scrollTop, this.element.clientHeight, height, this.#total);
    const free: HTMLElement[] = [];
    for (const [index, element] of this.#shown) {
      if (index >= span.from && index < span.to) continue;
      this.#shown.delete(index);
      free.push(element);
    }
    for (let index = span.from; index < span.to; index++) {
      const known = this.#shown.get(index);
      const element = known ?? free.pop() ?? this.#made();
      if (known === undefined) {
        this.#shown.set(index, element);
        element.style.transform = `translateY(${index * height}px)`;
        element.id = `${this.#name}-${index}`;
        element.dataset['index'] = String(index);
        element.setAttribute('aria-posinset', String(index + 1));
      }
      element.setAttribute('aria-setsize', String(this.#total));
      element.setAttribute('aria-selected', String(index === this.#at));
      if (isAnew || known === undefined) fill(element, index);
    }
    for (const element of free) element.remove();
    const active = this.#at === undefined ? undefined : this.#shown.get(this.#at);
    if (active === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', active.id);
    if (span.to > span.from) seen(span);
  }

  #made(): HTMLElement {
    const element = make('div', { class: 'row' });
    element.setAttribute('role', 'option');
    element.style.height = `${this.#rows.height}px`;
    this.#room.append(element);
    return element;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.target !== this.element || event.altKey) return;
    const at = this.#next ?? this.#at;
    if (event.key === 'Enter' && at !== undefined) {
      this.#rows.opened(at, event.ctrlKey || event.metaKey);
    } else {
      const inSight = Math.floor(this.element.clientHeight / this.#rows.height);
      const next = movedBy(event.key, at, this.#total, inSight);
      if (next === undefined || event.ctrlKey || event.metaKey) return;
      this.#next = next;
      this.#rows.moved(next);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #clicked(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest('.row') : null;
    if (!(row instanceof HTMLElement)) return;
    this.#rows.opened(Number(row.dataset['index']), event.ctrlKey || event.metaKey);
  }
}
