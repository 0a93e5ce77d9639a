// Reads XML into a document, and finds elements in it. Only this file and its neighbours import the XML library.

import type { Document, Element, Node } from '@xmldom/xmldom';
import { sentenceOf } from '../../core/errors.ts';
import { onFirstUse } from './on-first-use.ts';

const library = onFirstUse<typeof import('@xmldom/xmldom')>('@xmldom/xmldom');

export type { Document, Element };

export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Parses bytes or text. Entities of a document type are not expanded, so none can grow. */
export function parseXml(source: Uint8Array | string): Document {
  const problems: string[] = [];
  const onError = (level: 'warning' | 'error' | 'fatalError', message: string) => {
    if (level !== 'warning') problems.push(message);
  };
  try {
    const text = typeof source === 'string' ? source : decode(source);
    const { DOMParser } = library();
    const parser = new DOMParser({ onError, normalizeLineEndings });
    const document = parser.parseFromString(text.replace(/^\uFEFF/, ''), 'text/xml');
    if (problems.length === 0 && document.documentElement !== null) return document;
  } catch (error) {
    throw new XmlError(`The text is not XML: ${sentenceOf(error)}`, { cause: error });
  }
  throw new XmlError(`The text is not XML: ${problems[0] ?? 'it has no element'}.`);
}

/** As XML 1.0 says. By itself the library would make line feeds of U+0085, U+2028 and U+2029 too. */
const normalizeLineEndings = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

function decode(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 100));
  const declared = /encoding=["']([\w.-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : declared).decode(bytes);
}

export const rootOf = (document: Document): Element => {
  if (document.documentElement === null) throw new XmlError('The document has no element.');
  return document.documentElement;
};

/** The root of a text that may not be XML. */
export function rootIfXml(source: Uint8Array | string | undefined): Element | undefined {
  if (source === undefined) return undefined;
  try {
    return rootOf(parseXml(source));
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

const isElement = (node: Node): node is Element => node.nodeType === 1;

/** The elements directly below one, in their order; with a name only those of that local name. */
export function children(parent: Element, localName?: string): readonly Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node) && (localName === undefined || node.localName === localName)) found.push(node);
  return found;
}

/** The element at the end of a path of local names, each below the last; undefined if there is none. */
export function child(parent: Element | undefined, ...path: readonly string[]): Element | undefined {
  let element = parent;
  for (const name of path) element = element && children(element, name)[0];
  return element;
}

/** All elements below one with that local name, in the order of the document. */
export const descendants = (parent: Element | Document, localName: string): readonly Element[] => [
  ...parent.getElementsByTagNameNS('*', localName),
];

/** The value of an attribute by its local name, whatever its prefix; undefined if there is none. */
export function attribute(element: Element | undefined, localName: string): string | undefined {
  if (element === undefined) return undefined;
  for (const { localName: local, name, value } of element.attributes)
    if ((local ?? name) === localName) return value;
  return undefined;
}

/** The texts and the elements directly in an element, in their order. */
export function contents(parent: Element): readonly (string | Element)[] {
  const found: (string | Element)[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node)) found.push(node);
    else if (node.nodeType === 3 || node.nodeType === 4) found.push(node.nodeValue ?? '');
  return found;
}
