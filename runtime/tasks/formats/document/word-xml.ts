// Elements and attributes of WordprocessingML. Names are those after the prefix `w`: an `m:r` of a formula is not a run.

import { children, contents, type Document, descendants, type Element } from '../xml.ts';

const NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

export const isWord = (element: Element): boolean => element.namespaceURI === NAMESPACE;

export const wordChildren = (parent: Element, ...names: readonly string[]): readonly Element[] =>
  children(parent).filter(each => isWord(each) && names.includes(each.localName ?? ''));

/** The element at the end of a path of names, each the first of its name; undefined if there is none. */
export function wordChild(parent: Element | undefined, ...path: readonly string[]): Element | undefined {
  let element = parent;
  for (const name of path) element = element && wordChildren(element, name)[0];
  return element;
}

export const wordDescendants = (parent: Element | Document, name: string): readonly Element[] =>
  descendants(parent, name).filter(isWord);

export const wordAttribute = (element: Element | undefined, name: string): string | undefined =>
  element?.hasAttributeNS(NAMESPACE, name) === true
    ? (element.getAttributeNS(NAMESPACE, name) ?? undefined)
    : undefined;

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The relationship that an element names by `r:id`. */
export const relationshipId = (element: Element): string | undefined =>
  element.getAttributeNS(RELATIONSHIPS, 'id') ?? undefined;

/** The text before the first element inside of one. */
export function leadingText(element: Element): string {
  const pieces = contents(element);
  const end = pieces.findIndex(each => typeof each !== 'string');
  return (end < 0 ? pieces : pieces.slice(0, end)).join('');
}
