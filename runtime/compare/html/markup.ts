// HTML elements as values. Every text is escaped; only markup that this file or a chart made is not. Pure.

import { escaped } from '../../run/curves/svg.ts';

/** Finished HTML. */
export interface Markup {
  readonly html: string;
}

export type MarkupChild = Markup | string | readonly MarkupChild[] | undefined;
type Attributes = Readonly<Record<string, string | undefined>>;

/** Elements without content and without an end tag. */
const VOID_TAGS: ReadonlySet<string> = new Set(['meta', 'br', 'col']);
/** HTML has no control characters except white space. */
const CONTROL = /[^\P{Cc}\t\n]/gu;

export function el(tag: string, attributes: Attributes = {}, ...children: readonly MarkupChild[]): Markup {
  const names = Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${safe(value)}"`]))
    .join('');
  if (VOID_TAGS.has(tag)) return { html: `<${tag}${names}>` };
  return { html: `<${tag}${names}>${children.map(htmlOf).join('')}</${tag}>` };
}

/** A chart of runtime/run/curves, which escapes its texts itself. */
export const chartMarkup = (svg: string): Markup => ({ html: svg.replaceAll(CONTROL, '\uFFFD') });

/** A name of any origin: its writing direction does not change the text around it. */
export const nameMarkup = (name: string): Markup => el('bdi', {}, name);

const htmlOf = (child: MarkupChild): string => {
  if (child === undefined) return '';
  if (typeof child === 'string') return safe(child);
  return 'html' in child ? child.html : child.map(htmlOf).join('');
};

const safe = (text: string): string => escaped(text.replaceAll(CONTROL, '\uFFFD'));

export interface MarkupColumn {
  readonly title: MarkupChild;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

export interface MarkupRow {
  readonly cells: readonly MarkupChild[];
  readonly class?: string;
}

/** The first cell of each row is its header. `caption` is read by screen readers alone. */
export function table(caption: string, columns: readonly MarkupColumn[], rows: readonly MarkupRow[]): Markup {
  const classOf = (index: number) => (columns[index]?.isNumber === true ? 'number' : undefined);
  const head = columns.map(({ title }, index) => el('th', { scope: 'col', class: classOf(index) }, title));
  const body = rows.map(row =>
    el(
      'tr',
      { class: row.class },
      row.cells.map((cell, index) =>
        index === 0 ? el('th', { scope: 'row' }, cell) : el('td', { class: classOf(index) }, cell),
      ),
    ),
  );
  return el(
    'div',
    // A wide table scrolls by itself, also with the keyboard.
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el(
      'table',
      {},
      el('caption', { class: 'hidden' }, caption),
      el('thead', {}, el('tr', {}, head)),
      el('tbody', {}, body),
    ),
  );
}
