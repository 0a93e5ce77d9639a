// Lists what is visible in a page: each element with its role and name in the accessibility tree, its value, its states and its box, in the
// order in which they are drawn.

/// <reference lib="dom" />
import { ASK_GOES_ON } from './channel.ts';
import {
  AROUND,
  NAMED,
  NAMED_IF_PLAIN,
  nameOf,
  pictureOf,
  roleOf,
  SHAPES,
  shownValue,
  statesOf,
  TAGS_WITH_ROLE,
  words,
} from './describe.ts';
import { hitOf, isVisible, meet, moved, type Rect, visiblePart, windowBox } from './geometry.ts';
import {
  childNodesOf,
  documentOf,
  getAttribute,
  getBoundingClientRect,
  getClientRects,
  hasAttribute,
  isElement,
  isFrame,
  isInput,
  isLabel,
  isSelect,
  isSlot,
  isText,
  parentElementOf,
  shadowRootOf,
} from './nodes.ts';

/** A list takes a third of the bytes of an object. */
export type ElementReport = readonly [
  role: string,
  name: string,
  value: string,
  states: string,
  left: number,
  top: number,
  right: number,
  bottom: number,
];

/**
 * A frame of another origin: the numbers of the frames that lead to it, as '0.2', where its page begins, and the corners of the part of it that is
 * on the screen.
 */
export type FrameReport = readonly [
  path: string,
  x: number,
  y: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
];

export interface PageReport {
  /** The page ends its episode itself, and the episode goes on. */
  readonly goesOn: boolean;
  readonly elements: readonly ElementReport[];
  readonly frames: readonly FrameReport[];
}

/** More elements than a policy reads; bounds the work for hostile pages. */
const MAX_ELEMENTS = 512;
const MAX_FRAMES = 256;
const MAX_NODES = 20_000;
const MAX_CHARACTERS = 500;

const BOXES = words('checkbox radio');
const SKIPPED = words('SCRIPT STYLE HEAD NOSCRIPT TEMPLATE META LINK TITLE DATALIST defs');

interface Place {
  readonly clip: Rect;
  /** Of descendants with an absolute position: parents without a position of their own do not clip them. */
  readonly absoluteClip: Rect;
  /** The visible part of the window of the element, where fixed elements are placed. */
  readonly view: Rect;
  /** Of the frames that lead to the window, as '0.2'; '' for the top window. */
  readonly path: string;
  /** Where the window of the element is in the top window. */
  readonly x: number;
  readonly y: number;
  /** The text belongs to the name of an element around it. */
  readonly isNamed: boolean;
}

export function listElements(): PageReport {
  const lister = new Lister();
  window.dartboard?.drawWidgetsIn(document);
  const clip = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
  if (document.documentElement !== null) lister.visit(document.documentElement, placeIn(clip, 0, 0, ''));
  return {
    goesOn: !window.dispatchEvent(new Event(ASK_GOES_ON, { cancelable: true })),
    elements: lister.elements.slice(-MAX_ELEMENTS),
    frames: lister.frames.slice(0, MAX_FRAMES),
  };
}

const placeIn = (view: Rect, x: number, y: number, path: string): Place => ({
  ...{ clip: view, absoluteClip: view, view, x, y, path, isNamed: false },
});

class Lister {
  readonly elements: ElementReport[] = [];
  readonly frames: FrameReport[] = [];
  #nodes = 0;

  visit(element: Element, around: Place): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || SKIPPED.has(element.tagName)) return;
    const style = getComputedStyle(element);
    // Descendants inherit the visibility and can change it, but never show through these.
    if (style.display === 'none' || style.contentVisibility === 'hidden' || style.opacity === '0') return;
    const isShown = style.visibility === 'visible';
    const clip = clipOf(style.position, around);
    const place = clip === around.clip ? around : { ...around, clip };
    if (isFrame(element)) {
      if (isShown) this.#visitFrame(element, place);
      return;
    }
    const role = roleOf(element);
    const isListed = isShown && (NAMED.has(role) || AROUND.has(role));
    if (isListed) this.#add(element, role, place);
    const isNamed = place.isNamed || NAMED.has(role) || isAroundBox(element);
    const inner = { ...clipped(place, element, style), isNamed };
    const isSimple = NAMED_IF_PLAIN.has(role);
    const before = this.elements.length;
    const within = isSimple ? { ...inner, isNamed: true } : inner;
    if (!isSelect(element) || isList(element)) this.#visitChildren(element, within, isShown);
    // The options of a closed select box are not on the screen; those of an open one are above the page.
    else if (element.matches(':open'))
      this.#visitChildren(element, { ...within, clip: place.view, absoluteClip: place.view }, isShown);
    if (!isShown || isListed || place.isNamed || this.elements.length > before) {
      if (isSimple && isShown && this.elements.length > before) this.#texts(element, inner);
      return;
    }
    if (isSimple) this.#add(element, role, place);
    else if (SHAPES.has(element.tagName)) this.#add(element, 'shape', place);
    else if (isClickable(element, style, place)) this.#add(element, 'button', place);
    else if (isPainted(element, style))
      this.#add(element, pictureOf(style) === '' ? 'shape' : 'image', place);
  }

  #visitChildren(element: Element, place: Place, isShown: boolean): void {
    const shadowRoot = shadowRootOf(element);
    if (shadowRoot !== null) element.ownerDocument.defaultView?.dartboard?.drawWidgetsIn(shadowRoot);
    const children = shadowRoot?.childNodes ?? assignedOrOwn(element);
    for (const child of children) {
      if (isElement(child)) this.visit(child, place);
      else if (isText(child) && isShown && !place.isNamed) this.#addText(child, element, place);
    }
  }

  /** The own texts of an element that turned out to contain other elements. */
  #texts(element: Element, place: Place): void {
    if (place.isNamed) return;
    for (const child of childNodesOf(element))
      if (isText(child)) this.#addText(child, element, place);
      else if (isElement(child) && !TAGS_WITH_ROLE.has(child.tagName)) this.#texts(child, place);
  }

  #addText(text: Text, parent: Element, { clip, x, y }: Place): void {
    if (!/\S/.test(text.data)) return;
    const range = text.ownerDocument.createRange();
    range.selectNodeContents(text);
    const boxes = Array.from(range.getClientRects(), box => moved(box, x, y));
    const part = visiblePart(parent, boxes, clip, hitOf);
    if (part !== undefined) this.#put('label', text.data, '', '', part);
  }

  #add(element: Element, role: string, { clip, x, y }: Place): void {
    const boxes = rectsOf(element).map(box => moved(box, x, y));
    const part = visiblePart(element, boxes, clip, hitOf);
    if (part !== undefined)
      this.#put(role, nameOf(element, role), shownValue(element), statesOf(element), part);
  }

  #put(role: string, name: string, value: string, states: string, { left, top, right, bottom }: Rect): void {
    const text = (of: string) => of.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARACTERS);
    const corners = [left, top, right, bottom].map(Math.round) as [number, number, number, number];
    this.elements.push([role, text(name), value.slice(0, MAX_CHARACTERS), states, ...corners]);
  }

  #visitFrame(frame: HTMLIFrameElement, { clip, x, y, path: around }: Place): void {
    const whole = moved(windowBox(frame), x, y);
    const { left, top } = whole;
    const inner = meet(clip, whole);
    const number = frameNumber(frame.ownerDocument.defaultView, frame.contentWindow);
    if (!isVisible(inner) || number === undefined) return;
    const path = around === '' ? `${number}` : `${around}.${number}`;
    const { contentDocument } = frame;
    const root = contentDocument?.documentElement;
    if (contentDocument && root) {
      contentDocument.defaultView?.dartboard?.drawWidgetsIn(contentDocument);
      this.visit(root, placeIn(inner, left, top, path));
    } else this.frames.push([path, left, top, inner.left, inner.top, inner.right, inner.bottom]);
  }
}

/** The number of a frame among the frames of the window around it. */
export function frameNumber(around: Window | null, frame: Window | null): number | undefined {
  for (let index = 0; around !== null && index < around.length; index++)
    if (around[index] === frame) return index;
  return undefined;
}

/** A box and the label around it are one thing: a press on either toggles the box. */
function rectsOf(element: Element): readonly Rect[] {
  const rects = [...getClientRects(element)];
  const own = rects.length === 0 ? [getBoundingClientRect(element)] : rects;
  const label = isBox(element) ? element.closest('label') : null;
  return label !== null && isAroundBox(label) ? [...own, ...label.getClientRects()] : own;
}

const isBox = (element: Element): element is HTMLInputElement => isInput(element) && BOXES.has(element.type);

/** A label around a visible check box or radio button: its text is the name of the box. Some pages hide the box and show the label alone. */
function isAroundBox(element: Element): boolean {
  if (!isLabel(element)) return false;
  const { control } = element;
  return (
    control !== null &&
    isBox(control) &&
    element.contains(control) &&
    control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    control.offsetWidth > 1
  );
}

/** A slot shows the nodes that are assigned to it. */
function assignedOrOwn(element: Element): Iterable<Node> {
  const assigned = isSlot(element) ? element.assignedNodes() : [];
  return assigned.length > 0 ? assigned : childNodesOf(element);
}

function clipOf(position: string, { clip, absoluteClip, view }: Place): Rect {
  if (position === 'fixed') return view;
  return position === 'absolute' ? absoluteClip : clip;
}

/** The place of the children of an element. */
function clipped(place: Place, element: Element, style: CSSStyleDeclaration): Place {
  const clip = clips(element, style) ? meet(place.clip, contentBox(element, place)) : place.clip;
  // An absolute position is one within the nearest element around that has a position.
  const isPositioned =
    clip !== place.absoluteClip && (style.position !== 'static' || style.transform !== 'none');
  if (clip === place.clip && !isPositioned) return place;
  return { ...place, clip, absoluteClip: isPositioned ? clip : place.absoluteClip };
}

function clips(element: Element, { overflowX, overflowY, display }: CSSStyleDeclaration): boolean {
  if (overflowX === 'visible' && overflowY === 'visible') return false;
  // The window has the overflow of these.
  const of = documentOf(element);
  if (element === of?.documentElement || element === of?.body) return false;
  // Overflow has no effect on these, and the script sees an inline element without a width.
  const isBoxless = display === 'contents' || (display === 'inline' && element.clientWidth === 0);
  return !isBoxless;
}

function contentBox(element: Element, { x, y }: Place): Rect {
  const box = getBoundingClientRect(element);
  const left = box.left + element.clientLeft + x;
  const top = box.top + element.clientTop + y;
  return { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight };
}

/** A select box that shows several options is part of the page; the popup of others is not. */
const isList = (select: HTMLSelectElement): boolean => select.multiple || select.size > 1;

/** Pages make buttons of any element. Only the outermost one with the hand counts. */
function isClickable(element: Element, style: CSSStyleDeclaration, { isNamed }: Place): boolean {
  if (isNamed || element === document.body || element === document.documentElement) return false;
  if (hasAttribute(element, 'onclick') || getAttribute(element, 'tabindex') === '0') return true;
  if (style.cursor !== 'pointer') return false;
  const parent = parentElementOf(element);
  return parent === null || getComputedStyle(parent).cursor !== 'pointer';
}

/** An element without a text that has pixels of its own, such as a coloured square. Larger ones are backgrounds. */
function isPainted(element: Element, style: CSSStyleDeclaration): boolean {
  if (element.childElementCount > 0 || /\S/.test(element.textContent ?? '')) return false;
  const { width, height } = getBoundingClientRect(element);
  if (width > window.innerWidth / 2 && height > window.innerHeight / 2) return false;
  const hasBorder =
    style.borderTopStyle !== 'none' && style.borderTopWidth !== '0px' && style.borderLeftWidth !== '0px';
  return (
    pictureOf(style) !== '' ||
    style.backgroundImage !== 'none' ||
    hasBorder ||
    !/^rgba\(.*, 0\)$/.test(style.backgroundColor)
  );
}
