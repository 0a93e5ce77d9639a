// Where an element is visible: the parts of its boxes inside the viewport and its clipping parents, and a point of it that nothing covers.

/// <reference lib="dom" />
import {
  assignedSlotOf,
  closest,
  documentOf,
  getRootNode,
  isFrame,
  isLabel,
  isShadowRoot,
  parentElementOf,
  shadowRootOf,
} from './nodes.ts';

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const meet = (a: Rect, b: Rect): Rect => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});

export const moved = ({ left, top, right, bottom }: Rect, x: number, y: number): Rect => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
});

/** Smaller pieces (in pixels) show nothing to read or press. */
const MIN_SIDE = 2;

export const isVisible = ({ left, top, right, bottom }: Rect): boolean =>
  right - left >= MIN_SIDE && bottom - top >= MIN_SIDE;

const areaOf = ({ left, top, right, bottom }: Rect): number => (right - left) * (bottom - top);

/** An agent presses the middle of a box, so a covered middle makes the box smaller. */
const PARTS: readonly (readonly [left: number, top: number, right: number, bottom: number])[] = [
  [0, 0, 1, 1],
  [0, 0, 0.5, 1],
  [0.5, 0, 1, 1],
  [0, 0, 1, 0.5],
  [0, 0.5, 1, 1],
  [0, 0, 0.25, 1],
  [0.75, 0, 1, 1],
  [0, 0, 1, 0.25],
  [0, 0.75, 1, 1],
];

/**
 * The visible part of `boxes` whose middle belongs to `element`; undefined if there is none. All in the coordinates of the top window.
 * `hit` finds the element at a point.
 */
export function visiblePart(
  element: Element,
  boxes: readonly Rect[],
  clip: Rect,
  hit: (x: number, y: number) => Element | undefined,
): Rect | undefined {
  const parts = boxes.map(each => meet(each, clip)).filter(isVisible);
  const [first] = parts;
  if (first === undefined) return undefined;
  // The lines of a text together, then the largest alone.
  const whole = parts.reduce((sum, each) => ({
    left: Math.min(sum.left, each.left),
    top: Math.min(sum.top, each.top),
    right: Math.max(sum.right, each.right),
    bottom: Math.max(sum.bottom, each.bottom),
  }));
  const largest = parts.reduce((best, each) => (areaOf(each) > areaOf(best) ? each : best));
  for (const candidate of parts.length > 1 ? [whole, largest] : [whole])
    for (const [left, top, right, bottom] of PARTS) {
      const { width, height } = {
        width: candidate.right - candidate.left,
        height: candidate.bottom - candidate.top,
      };
      const part = {
        left: candidate.left + left * width,
        top: candidate.top + top * height,
        right: candidate.left + right * width,
        bottom: candidate.top + bottom * height,
      };
      const at = hit(Math.floor((part.left + part.right) / 2), Math.floor((part.top + part.bottom) / 2));
      if (at !== undefined && belongsTogether(element, at)) return part;
    }
  return undefined;
}

/** A parent is drawn below its children, so it is hit only where a child has no pixels of its own. */
const belongsTogether = (element: Element, at: Element): boolean =>
  element === at || isWithin(at, element) || isWithin(element, at) || labelledBy(at) === element;

/** The field of the label around an element. */
function labelledBy(element: Element): Element | null {
  const label = closest(element, 'label');
  return label !== null && isLabel(label) ? label.control : null;
}

/** Also through shadow roots and frames. */
function isWithin(inner: Element, outer: Element): boolean {
  for (let at: Element | undefined = inner; at !== undefined; at = parentOf(at))
    if (at === outer) return true;
  return false;
}

function parentOf(element: Element): Element | undefined {
  const parent = assignedSlotOf(element) ?? parentElementOf(element);
  if (parent !== null) return parent;
  const root = getRootNode(element);
  if (isShadowRoot(root)) return root.host;
  return documentOf(element)?.defaultView?.frameElement ?? undefined;
}

/** Where the window of a frame is, in the window around it: within the border and the padding of the frame. */
export function windowBox(frame: HTMLIFrameElement): Rect {
  const box = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop, paddingRight, paddingBottom } = getComputedStyle(frame);
  const left = box.left + frame.clientLeft;
  const top = box.top + frame.clientTop;
  return {
    left: left + Number.parseFloat(paddingLeft),
    top: top + Number.parseFloat(paddingTop),
    right: left + frame.clientWidth - Number.parseFloat(paddingRight),
    bottom: top + frame.clientHeight - Number.parseFloat(paddingBottom),
  };
}

/** The innermost element at a point, in shadow roots and in frames that scripts may read. */
export function hitOf(x: number, y: number): Element | undefined {
  let root: DocumentOrShadowRoot = document;
  let found: Element | undefined;
  for (;;) {
    const at: Element | null = root.elementFromPoint(x, y);
    if (at === null || at === found) return found;
    found = at;
    const shadowRoot = shadowRootOf(at);
    if (shadowRoot !== null) root = shadowRoot;
    else if (isFrame(at) && at.contentDocument !== null) {
      const { left, top } = windowBox(at);
      x -= left;
      y -= top;
      root = at.contentDocument;
    } else return found;
  }
}
