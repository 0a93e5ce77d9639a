/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Finds and creates elements, with their types checked at run time.

/** An element of the page's own HTML. Throws if the HTML lacks it. */
export function findElement<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new TypeError(`The page's HTML has no ${kind.name} with the id '${id}'.`);
}

interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: ElementOptions = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  if (options.title !== undefined) made.title = options.title;
  made.append(...children);
  return made;
}

/** Makes these the children. Children that stay in their order are not touched, so they keep focus, selection and hover. */
export function arrangeChildren(parent: Element, children: readonly Element[]): void {
  const kept = new Set(children);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  for (const [index, child] of children.entries()) {
    const present = parent.children[index];
    if (present !== child) parent.insertBefore(child, present ?? null);
  }
}

/** A symbol, hidden from screen readers, and a text that only they read. */
export function signWithText(sign: string, text: string): readonly [HTMLElement, HTMLElement] {
  const symbol = make('span', { text: sign });
  symbol.setAttribute('aria-hidden', 'true');
  return [symbol, make('span', { class: 'hidden', text })];
}

export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new TypeError('This browser has no 2D canvas.');
  return context;
}
