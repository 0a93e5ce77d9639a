// Converts the accessibility tree of an OSWorld guest to the elements that a policy sees: those that are shown, within the screen, from back to
// front as far as the tree tells. Pure.

import type { Box, Element, Size } from '../../core/screen.ts';
import {
  attribute,
  children,
  parseXml,
  rootOf,
  type Element as XmlElement,
} from '../../tasks/formats/xml.ts';
import { box, intersection, intersects, sameBox } from '../box.ts';
import { elementOf, MAX_ELEMENTS } from '../docker/elements.ts';

/** Agents see guests unscaled. */
const SCALE = 1;
/** Pages have some dozens of levels. */
const MAX_DEPTH = 500;

/** The namespace of states in the tree of a Linux guest. */
const STATE = 'https://accessibility.ubuntu.example.org/ns/state';

export function elementsOfTree(xml: string, { width, height }: Size): readonly Element[] {
  const screen = box(0, 0, width, height);
  // The shell and the icons of a desktop are windows that fill the screen. Later in the list, their boxes would hide other windows.
  const backdrops: Element[] = [];
  const others: Element[] = [];
  const visit = (node: XmlElement, depth: number) => {
    const element = visibleElement(node, screen);
    if (element !== undefined)
      (depth === 0 && sameBox(element.box, screen) ? backdrops : others).push(element);
    if (depth < MAX_DEPTH) for (const each of children(node)) visit(each, depth + 1);
  };
  for (const window of windowsFromBack(rootOf(parseXml(xml)))) visit(window, 0);
  return [...backdrops, ...others].slice(-MAX_ELEMENTS);
}

/**
 * The windows of all applications. OSWorld's server lists applications in the order in which it has read them, so the tree tells only that
 * the active window is in front of others, and the dialogs and menus of its application in front of it. Windows that overlap none of these
 * keep their places.
 */
function windowsFromBack(desktop: XmlElement): readonly XmlElement[] {
  const applications = children(desktop).map(node =>
    node.tagName === 'application' ? children(node) : [node],
  );
  const index = applications.findLastIndex(windows => windows.some(isActive));
  const active = applications[index];
  if (active === undefined) return applications.flat();
  const isOverlapping = (window: XmlElement): boolean =>
    active.some(each => intersects(boxOf(each), boxOf(window)));
  const listedLater = applications.slice(index + 1).flat();
  const frames = active.filter(({ tagName }) => tagName === 'frame');
  return [
    ...applications.slice(0, index).flat(),
    ...listedLater.filter(isOverlapping),
    ...frames.filter(frame => !isActive(frame)),
    ...frames.filter(isActive),
    ...active.filter(({ tagName }) => tagName !== 'frame'),
    ...listedLater.filter(window => !isOverlapping(window)),
  ];
}

function isActive(node: XmlElement): boolean {
  const states = statesIn(node);
  return states.includes('active') && states.includes('showing');
}

function visibleElement(node: XmlElement, screen: Box): Element | undefined {
  const states = statesIn(node);
  if (!states.includes('showing') || !states.includes('visible')) return undefined;
  // Tags are the roles of ATK with dashes for blanks.
  const role = node.tagName.replaceAll('-', ' ');
  const name = attribute(node, 'name') ?? '';
  const value = attribute(node, 'value') ?? ownText(node);
  return elementOf({ role, name, value, states }, intersection(boxOf(node), screen), SCALE);
}

function statesIn(node: XmlElement): readonly string[] {
  const states: string[] = [];
  for (const { namespaceURI, localName, value } of node.attributes)
    if (namespaceURI === STATE && value === 'true' && localName !== null)
      states.push(localName.replaceAll('-', ' ').replaceAll('_', ' '));
  return states;
}

/** The position is `(x, y)`, the size `(width, height)`. */
function boxOf(node: XmlElement): Box {
  const [x = 0, y = 0] = pair(attribute(node, 'screencoord'));
  const [width = 0, height = 0] = pair(attribute(node, 'size'));
  return box(x, y, Math.max(0, width), Math.max(0, height));
}

/** More digits than a place of any screen has are no number. */
const pair = (text = ''): readonly number[] =>
  (text.match(/-?\d+/g) ?? []).map(each => (each.length > MAX_DIGITS ? 0 : Number(each)));
const MAX_DIGITS = 9;

function ownText(node: XmlElement): string {
  let text = '';
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.nodeType === TEXT_NODE) text += child.nodeValue ?? '';
  return text;
}

const TEXT_NODE = 3;
