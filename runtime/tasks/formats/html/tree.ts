// Builds the tree of a web page as libxml2 does, which lxml and Beautiful Soup use: it adds html, head and body, and ends elements
// whose end tag is missing. Browsers follow other rules.

import { isEndedBy, rankOf, VOID } from './elements.ts';
import { type HtmlToken, readHtml } from './tokens.ts';

export interface HtmlElement {
  readonly kind: 'element';
  name: string;
  readonly attributes: ReadonlyMap<string, string | null>;
  readonly children: HtmlNode[];
}

export type HtmlNode =
  | HtmlElement
  | { readonly kind: 'text'; readonly text: string; readonly isRaw: boolean }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'doctype'; readonly text: string };

/** The nodes of a page outside of all elements: the doctype, comments and usually one element html. */
export function parseHtml(html: string): readonly HtmlNode[] {
  const builder = new TreeBuilder();
  let isProlog = true;
  for (const token of readHtml(html)) {
    // White space before the first element is dropped.
    if (isProlog && token.kind === 'text') {
      const text = token.text.replace(/^[ \t\r\n\f]+/, '');
      if (text === '') continue;
      builder.add({ ...token, text });
    } else builder.add(token);
    if (token.kind !== 'comment' && token.kind !== 'doctype') isProlog = false;
  }
  return builder.nodes;
}

const IN_HEAD = new Set(['script', 'style', 'meta', 'link', 'title', 'base']);
const FRAMES = new Set(['noframes', 'frame', 'frameset']);
const UNIQUE = new Set(['html', 'head', 'body']);

class TreeBuilder {
  readonly nodes: HtmlNode[] = [];
  readonly #open: HtmlElement[] = [];
  #hadHead = false;
  #hadBody = false;
  /** Tags html, head and body in wrong places: their end tags are ignored too. */
  #misplaced = 0;

  add(token: HtmlToken): void {
    if (token.kind === 'open') this.#start(token.name, token.attributes, token.isClosed);
    else if (token.kind === 'close') this.#end(token.name);
    else if (token.kind === 'text') this.#text(token.text, token.isRaw);
    else if (token.kind === 'unfinished') this.#makePlace(token.name);
    else this.#append(token);
  }

  get #current(): HtmlElement | undefined {
    return this.#open.at(-1);
  }

  #append(node: HtmlNode): void {
    (this.#current?.children ?? this.nodes).push(node);
  }

  #isOpen(name: string): boolean {
    return this.#open.some(element => element.name === name);
  }

  #push(name: string, attributes: ReadonlyMap<string, string | null>): void {
    const element: HtmlElement = { kind: 'element', name, attributes, children: [] };
    this.#append(element);
    this.#open.push(element);
    if (name === 'head') this.#hadHead = true;
    if (name === 'body') this.#hadBody = true;
  }

  #start(name: string, attributes: ReadonlyMap<string, string | null>, isClosed: boolean): void {
    this.#makePlace(name);
    const isMisplaced =
      (name === 'html' && this.#open.length > 0) ||
      (name === 'head' && this.#open.length !== 1) ||
      (name === 'body' && this.#isOpen('body'));
    if (isMisplaced) this.#misplaced += 1;
    else this.#push(name, attributes);
    if (isClosed || (!isMisplaced && VOID.has(name))) this.#open.pop();
  }

  /** Ends the elements that a start tag ends, and adds the ones around it. */
  #makePlace(tag: string): void {
    this.#endBefore(tag);
    this.#imply(tag);
  }

  #endBefore(tag: string): void {
    while (this.#current !== undefined && isEndedBy(this.#current.name, tag)) this.#open.pop();
  }

  /** Adds the elements around a tag that the page leaves out. */
  #imply(tag: string): void {
    if (tag === 'html') return;
    if (this.#open.length === 0) this.#push('html', new Map());
    if (tag === 'head' || tag === 'body') return;
    if (this.#open.length <= 1 && IN_HEAD.has(tag)) {
      if (!this.#hadHead && !this.#hadBody) this.#push('head', new Map());
    } else if (!FRAMES.has(tag) && !this.#hadBody && !this.#isOpen('head')) this.#push('body', new Map());
  }

  #end(name: string): void {
    if (this.#misplaced > 0 && UNIQUE.has(name)) {
      this.#misplaced -= 1;
      return;
    }
    const index = this.#open.map(element => element.name).lastIndexOf(name);
    if (index < 0) return;
    const rank = rankOf(name);
    if (this.#open.slice(index + 1).every(element => rankOf(element.name) <= rank)) this.#open.length = index;
  }

  #text(text: string, isRaw: boolean): void {
    const name = this.#current?.name;
    if (isRaw || (name !== undefined && name !== 'html' && name !== 'head')) {
      this.#addText(text, isRaw);
      return;
    }
    // White space stays where it is; other text needs a body.
    const start = /^[ \t\r\n\f]*/.exec(text)?.[0] ?? '';
    if (start !== '') this.#addText(start, false);
    if (start === text) return;
    if (name === 'head') this.#endBefore('p');
    this.#imply('p');
    this.#addText(text.slice(start.length), false);
  }

  #addText(text: string, isRaw: boolean): void {
    const siblings = this.#current?.children ?? this.nodes;
    const last = siblings.at(-1);
    if (last?.kind === 'text')
      siblings[siblings.length - 1] = { kind: 'text', text: last.text + text, isRaw };
    else siblings.push({ kind: 'text', text, isRaw });
  }
}
