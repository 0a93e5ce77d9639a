// Writes the tree of a web page on several lines, as libxml2 does for lxml.

import { BLOCKS, BOOLEAN_ATTRIBUTES, VOID } from './elements.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';

/** The text of an element, without what follows it. */
export function writeHtml(element: HtmlElement): string {
  const { name, children } = element;
  const attributes = [...element.attributes]
    .map(([key, value]) => writtenAttribute(name, key, value))
    .join('');
  const start = `<${name}${attributes}>`;
  if (VOID.has(name)) return start;
  if (children.length === 0) return name === 'li' ? start : `${start}</${name}>`;
  // A paragraph and preformatted text keep their lines, and so does everything else whose name starts with p.
  const isSpread = BLOCKS.has(name) && children.length > 1 && !name.startsWith('p');
  const before = isSpread && children[0]?.kind !== 'text' ? '\n' : '';
  const after = isSpread && children.at(-1)?.kind !== 'text' ? '\n' : '';
  return `${start}${before}${children.map((each, index) => written(element, each, children[index + 1])).join('')}${after}</${name}>`;
}

function written(parent: HtmlElement, node: HtmlNode, next: HtmlNode | undefined): string {
  if (node.kind === 'comment') return `<!--${node.text}-->`;
  if (node.kind === 'doctype') return '';
  if (node.kind === 'text')
    return node.isRaw && (parent.name === 'script' || parent.name === 'style')
      ? node.text
      : escapeText(node.text);
  const endsLine =
    next !== undefined && next.kind !== 'text' && BLOCKS.has(node.name) && !parent.name.startsWith('p');
  return writeHtml(node) + (endsLine ? '\n' : '');
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function writtenAttribute(element: string, name: string, value: string | null): string {
  if (value === null || BOOLEAN_ATTRIBUTES.has(name)) return ` ${name}`;
  const isAddress =
    name === 'href' || name === 'action' || name === 'src' || (name === 'name' && element === 'a');
  return ` ${name}=${quoted(isAddress ? escapeAddress(escapeText(value)) : escapeText(value))}`;
}

const quoted = (value: string): string => {
  if (!value.includes('"')) return `"${value}"`;
  return value.includes("'") ? `"${value.replaceAll('"', '&quot;')}"` : `'${value}'`;
};

/** Percent signs for white space, control characters and everything outside of ASCII. */
const escapeAddress = (value: string): string =>
  value.replace(/^[ \t\r\n]+/, '').replace(/[^!-~]+/gu, encodeURIComponent);
