/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Finds and makes elements, with their types checked at run time.

/** What the page itself must have: its absence is a mistake in the page's HTML. */
export function need<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new TypeError(`The page has no ${kind.name} '${id}'.`);
}

interface Looks {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  looks: Looks = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (looks.class !== undefined) made.className = looks.class;
  if (looks.text !== undefined) made.textContent = looks.text;
  if (looks.title !== undefined) made.title = looks.title;
  made.append(...children);
  return made;
}

/** A sign for those who see it, and what it means for those who hear it. */
export function signed(sign: string, means: string): readonly [HTMLElement, HTMLElement] {
  const seen = make('span', { text: sign });
  seen.setAttribute('aria-hidden', 'true');
  return [seen, make('span', { class: 'hidden', text: means })];
}

export function drawingOn(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new TypeError('This browser does not draw on canvases.');
  return context;
}
