// The text of a web page as MuPDF prints it. OSWorld reads PDF files with MuPDF, which recognizes web pages by their content, such as the
// page of an error that was saved in place of the file. Style sheets are not followed, and lines break after a number of characters.

import { type HtmlElement, type HtmlNode, parseHtml } from './tree.ts';

/** White space, comments and processing instructions, then the first tag. */
const PROLOG = /^(?:\s|<!--(?:(?!-->)[\s\S])*-->|<\?(?:(?!\?>)[\s\S])*\?>)*<(?:!doctype\s+html|html)/i;
/** So much is searched for the first tag. */
const PROLOG_LENGTH = 4096;

export const isWebPage = (bytes: Uint8Array): boolean =>
  PROLOG.test(new TextDecoder().decode(bytes.subarray(0, PROLOG_LENGTH)));

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const HIDDEN = names('head script style svg template');
/** They start and end lines. Cells of tables mostly have a wide gap between them, which also ends a line. */
const BLOCKS = names(
  'address article aside blockquote body dd div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr html ' +
    'legend li main menu nav ol p pre search section table tbody td tfoot th thead tr ul',
);
/** By the number of lists with bullets around an item. */
const BULLETS = ['•', '○', '■'];
/** About as many characters fit in a line. */
const LINE_LENGTH = 68;
/** Deeper elements are left out. */
const MAX_DEPTH = 500;

/** Each line ends with a line break. */
export function printedText(bytes: Uint8Array): string {
  const printer = new Printer();
  for (const node of parseHtml(new TextDecoder().decode(bytes))) printer.print(node);
  return printer.end();
}

interface List {
  readonly isNumbered: boolean;
  /** With it, so many lists with bullets contain one another. */
  readonly depth: number;
  number: number;
}

class Printer {
  #text = '';
  #line = '';
  /** Of a list item whose text has not begun. */
  #marker = '';
  #isPreformatted = false;
  #list: List | undefined;

  print(node: HtmlNode, depth = 0): void {
    if (node.kind === 'text') this.#add(node.text);
    if (node.kind !== 'element' || depth > MAX_DEPTH || isHidden(node)) return;
    if (node.name === 'br') this.#endLine();
    else if (node.name === 'img') this.#add('[image]');
    else if (!BLOCKS.has(node.name)) this.#printAll(node.children, depth + 1);
    else {
      this.#endLine();
      this.#printBlock(node, depth);
      this.#endLine();
    }
  }

  end(): string {
    this.#endLine();
    return this.#text;
  }

  #printAll(nodes: readonly HtmlNode[], depth: number): void {
    for (const node of nodes) this.print(node, depth);
  }

  #printBlock({ name, attributes, children }: HtmlElement, depth: number): void {
    const [list, isPreformatted] = [this.#list, this.#isPreformatted];
    if (name === 'ul' || name === 'menu' || name === 'ol')
      this.#list = {
        isNumbered: name === 'ol',
        depth: (list?.depth ?? 0) + (name === 'ol' ? 0 : 1),
        number: Number.parseInt(attributes.get('start') ?? '1', 10) || 1,
      };
    if (name === 'li' && list !== undefined) {
      if (this.#marker !== '') this.#text += `${this.#marker}\n`;
      this.#marker = markerOf(list);
    }
    if (name === 'pre') this.#isPreformatted = true;
    this.#printAll(children, depth + 1);
    this.#list = list;
    this.#isPreformatted = isPreformatted;
  }

  #add(text: string): void {
    if (!this.#isPreformatted) {
      this.#line += text;
      return;
    }
    const [first = '', ...others] = text.split('\n');
    this.#line += first;
    for (const other of others) {
      this.#endLine();
      this.#line = other;
    }
  }

  #endLine(): void {
    const line = this.#isPreformatted ? this.#line : wrapped(this.#line);
    this.#line = '';
    if (line.trim() === '') return;
    this.#text += `${this.#marker}${line}\n`;
    this.#marker = '';
  }
}

const isHidden = ({ name, attributes }: HtmlElement): boolean =>
  HIDDEN.has(name) ||
  attributes.has('hidden') ||
  /(?:^|;)\s*(?:display:\s*none|visibility:\s*hidden)/i.test(attributes.get('style') ?? '');

const markerOf = (list: List): string =>
  list.isNumbered ? `${list.number++}. ` : `${BULLETS[Math.min(list.depth, BULLETS.length) - 1]}  `;

/** The words of a block in lines. White space between them is one space. */
function wrapped(text: string): string {
  let [lines, length] = ['', 0];
  for (const word of text.split(/[ \t\r\n\f]+/)) {
    if (word === '') continue;
    const isNext = length > 0 && length + 1 + word.length > LINE_LENGTH;
    lines += `${length === 0 ? '' : isNext ? '\n' : ' '}${word}`;
    length = length === 0 || isNext ? word.length : length + 1 + word.length;
  }
  return lines;
}
