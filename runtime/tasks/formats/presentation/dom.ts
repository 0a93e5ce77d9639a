// Finds elements and attributes of a presentation by their prefixed names, as `a:off`. The prefix stands for its namespace, whatever
// prefix the file itself uses.

import type { Element } from '../xml.ts';
import { PresentationError } from './presentation-error.ts';

const NAMESPACES = {
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  p: 'http://schemas.openxmlformats.org/presentationml/2006/main',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
} as const;

export type QualifiedName = `${keyof typeof NAMESPACES}:${string}`;

const split = (name: QualifiedName): readonly [namespace: string, local: string] => {
  const [prefix, local = ''] = name.split(':');
  return [prefix === 'a' || prefix === 'p' || prefix === 'r' ? NAMESPACES[prefix] : '', local];
};

const isElement = (node: { nodeType: number }): node is Element => node.nodeType === 1;

/** All elements directly below one, in their order. */
export function childrenOf(parent: Element): readonly Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node)) found.push(node);
  return found;
}

export function isNamed(element: Element, name: QualifiedName): boolean {
  const [namespace, local] = split(name);
  return element.localName === local && element.namespaceURI === namespace;
}

/** The elements of that name directly below one. */
export const allOf = (parent: Element, name: QualifiedName): readonly Element[] =>
  childrenOf(parent).filter(element => isNamed(element, name));

/** The first element at the end of a path of names; undefined if there is none. */
export function find(parent: Element | undefined, ...path: readonly QualifiedName[]): Element | undefined {
  let element = parent;
  for (const name of path) element = element && allOf(element, name)[0];
  return element;
}

/** As find, but each element of the path must exist. */
export function need(parent: Element, ...path: readonly QualifiedName[]): Element {
  let element = parent;
  for (const name of path) {
    const next = allOf(element, name)[0];
    if (next === undefined)
      throw new PresentationError(`The element ${element.tagName} has no ${name}. Repair the file.`);
    element = next;
  }
  return element;
}

/** Elements and those below them, parents first. It does not recurse, since a file may be nested deeply. */
export function preorder(
  first: readonly Element[],
  below: (element: Element) => readonly Element[],
): readonly Element[] {
  const found: Element[] = [];
  const open = first.toReversed();
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    found.push(element);
    for (const each of below(element).toReversed()) open.push(each);
  }
  return found;
}

/** All elements of that name below one, at any depth, in the order of the document. */
export const within = (root: Element, name: QualifiedName): readonly Element[] =>
  preorder(childrenOf(root), childrenOf).filter(element => isNamed(element, name));

/** The value of an attribute; undefined if there is none. A name with a prefix is searched in the namespace of that prefix. */
export function attributeOf(element: Element | undefined, name: string): string | undefined {
  if (element === undefined) return undefined;
  const found = name.startsWith('r:')
    ? element.getAttributeNodeNS(NAMESPACES.r, name.slice(2))
    : element.getAttributeNode(name);
  return found?.value;
}

export function neededAttribute(element: Element, name: string): string {
  const value = attributeOf(element, name);
  if (value === undefined)
    throw new PresentationError(`The element ${element.tagName} has no attribute ${name}. Repair the file.`);
  return value;
}

const TEXT_NODES: readonly number[] = [3, 4];

/** The text before the first element; undefined if there is none. */
export function leadingText(element: Element): string | undefined {
  let text = '';
  for (let node = element.firstChild; node !== null && !isElement(node); node = node.nextSibling)
    if (TEXT_NODES.includes(node.nodeType)) text += node.nodeValue ?? '';
  return text === '' ? undefined : text;
}
