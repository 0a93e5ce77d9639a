// A list of any length that keeps only the visible rows in the page. It does not know what a row shows.

import { make } from '../dom.ts';
import { indexAfterKey, type RowSpan, scrollTopFor, visibleRows } from './window.ts';

interface ListOptions {
  /** The height of every row, in pixels. */
  readonly height: number;
  /** Fills the element of a row. The list sets its class and role. */
  readonly fill: (element: HTMLElement, index: number) => void;
  /** These rows are in the page now: fetch their data if it is missing. */
  readonly onVisible: (span: RowSpan) => void;
  /** The keyboard moved to this row. */
  readonly onMove: (index: number) => void;
  readonly onScroll: (top: number) => void;
  /** Click or Enter; `isBeside` with Ctrl or Cmd. */
  readonly onOpen: (index: number, isBeside: boolean) => void;
}

let count = 0;

export class VirtualList {
  readonly element: HTMLElement;
  readonly #options: ListOptions;
  readonly #room = make('div', { class: 'rows' });
  readonly #rowElements = new Map<number, HTMLElement>();
  readonly #name = `list-${count++}`;
  #total = 0;
  #top = 0;
  #clientHeight = 0;
  #at: number | undefined;
  /** The row that keys moved to since the last frame: keys may repeat faster than frames. */
  #next: number | undefined;
  #isScheduled = false;

  constructor(label: string, options: ListOptions) {
    this.#options = options;
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

  /** `at` is the row of the keyboard focus. */
  show(total: number, at: number | undefined): void {
    const isElsewhere = at !== this.#at;
    this.#total = total;
    this.#at = at;
    this.#next = undefined;
    this.#room.style.height = `${total * this.#options.height}px`;
    if (isElsewhere && at !== undefined) this.#reveal(at);
    this.#draw(true);
  }

  /** The row of the keyboard focus from the next `show` on, wherever the list is scrolled. */
  restore(at: number): void {
    this.#at = at;
  }

  scrollTo(top: number): void {
    this.#top = top;
    this.element.scrollTop = top;
  }

  #scrolled(): void {
    this.#top = this.element.scrollTop;
    this.#options.onScroll(this.#top);
    this.#soon();
  }

  /** An element loses its scroll position when it leaves the page: restore it on return. */
  #resized(): void {
    const { clientHeight } = this.element;
    if (clientHeight > 0 && this.#clientHeight === 0) this.element.scrollTop = this.#top;
    this.#clientHeight = clientHeight;
    this.#soon();
  }

  #reveal(at: number): void {
    const { scrollTop, clientHeight } = this.element;
    if (clientHeight > 0)
      this.element.scrollTop = scrollTopFor(at, this.#options.height, scrollTop, clientHeight);
  }

  #soon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#draw(false);
    });
  }

  #draw(refillAll: boolean): void {
    const { height, fill, onVisible } = this.#options;
    const span = visibleRows(this.element.scrollTop, this.element.clientHeight, height, this.#total);
    const free: HTMLElement[] = [];
    for (const [index, element] of this.#rowElements) {
      if (index >= span.from && index < span.to) continue;
      this.#rowElements.delete(index);
      free.push(element);
    }
    for (let index = span.from; index < span.to; index++) {
      const existing = this.#rowElements.get(index);
      const element = existing ?? free.pop() ?? this.#createRow();
      if (existing === undefined) {
        this.#rowElements.set(index, element);
        element.style.transform = `translateY(${index * height}px)`;
        element.id = `${this.#name}-${index}`;
        element.dataset['index'] = String(index);
        element.setAttribute('aria-posinset', String(index + 1));
      }
      element.setAttribute('aria-setsize', String(this.#total));
      element.setAttribute('aria-selected', String(index === this.#at));
      if (refillAll || existing === undefined) fill(element, index);
    }
    for (const element of free) element.remove();
    const active = this.#at === undefined ? undefined : this.#rowElements.get(this.#at);
    if (active === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', active.id);
    if (span.to > span.from) onVisible(span);
  }

  #createRow(): HTMLElement {
    const element = make('div', { class: 'row' });
    element.setAttribute('role', 'option');
    element.style.height = `${this.#options.height}px`;
    this.#room.append(element);
    return element;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.target !== this.element || event.altKey) return;
    const at = this.#next ?? this.#at;
    if (event.key === 'Enter' && at !== undefined) {
      this.#options.onOpen(at, event.ctrlKey || event.metaKey);
    } else {
      const inSight = Math.floor(this.element.clientHeight / this.#options.height);
      const next = indexAfterKey(event.key, at, this.#total, inSight);
      if (next === undefined || event.ctrlKey || event.metaKey) return;
      this.#next = next;
      this.#options.onMove(next);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #clicked(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest('.row') : null;
    if (!(row instanceof HTMLElement)) return;
    this.#options.onOpen(Number(row.dataset['index']), event.ctrlKey || event.metaKey);
  }
}
