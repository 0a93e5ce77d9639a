// What is drawn over the screen: the trail of actions, the action that comes next, a drag under way, and the elements.

import type { Element, Point } from '../../runtime/protocol/play.ts';
import { drawingOn } from '../shared/dom.ts';
import { type Done, type Entry, inWords, type Trail } from './trail.ts';
import type { View } from './view.ts';

export interface Marks {
  readonly trail: Trail;
  /** Else only the action that comes next is drawn, where the trail has led. */
  readonly withTrail: boolean;
  readonly next: Entry | undefined;
  readonly drag: { readonly from: Point; readonly to: Point } | undefined;
  readonly elements: readonly Element[];
  readonly hovered: Element | undefined;
}

const RED = '#e5484d';
const DARK = '#1e2a3a';
const PALE = '#fffdf8';
const BLUE = '#2f6fd0';

export function drawMarks(
  { marks, scale }: View,
  { trail, withTrail, next, drag, elements, hovered }: Marks,
): void {
  const context = drawingOn(marks);
  const pen = new Pen(context, scale, window.devicePixelRatio);
  context.clearRect(0, 0, marks.width, marks.height);
  for (const element of elements) pen.box(element, element === hovered);
  let at: Point = { x: marks.width / scale / 2, y: marks.height / scale / 2 };
  let below = 0;
  for (const [index, entry] of trail.entries()) {
    const end = endOf(entry.action);
    // What has no place of its own is written below what came before.
    below = end === undefined || samePoint(end, at) ? below + 1 : 0;
    at = end ?? at;
    if (withTrail) pen.action(entry, at, below, `${index + 1}`);
  }
  if (next !== undefined) pen.action(next, endOf(next.action) ?? at, withTrail ? below + 1 : 1, '');
  if (drag !== undefined) pen.arrow(drag.from, drag.to);
}

const samePoint = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

function endOf(action: Done): Point | undefined {
  if (action.kind === 'drag') return action.to;
  return 'at' in action ? action.at : undefined;
}

/** Draws in pixels of the desktop; lines and letters keep their size on the display. */
class Pen {
  readonly #context: CanvasRenderingContext2D;
  readonly #scale: number;
  readonly #ratio: number;

  constructor(context: CanvasRenderingContext2D, scale: number, ratio: number) {
    this.#context = context;
    this.#scale = scale;
    this.#ratio = ratio;
    context.lineJoin = 'round';
    context.lineCap = 'round';
    context.textBaseline = 'middle';
    context.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  }

  action(entry: Entry, at: Point, below: number, number: string): void {
    const { action } = entry;
    if (action.kind === 'drag') this.arrow(action.from, action.to);
    const text = inWords(entry);
    if (!('at' in action) && action.kind !== 'drag') {
      this.#label(`${number}  ${text}`.trim(), at, 22 * below);
      return;
    }
    const rings = action.kind === 'double_click' ? 2 : 1;
    for (let ring = 0; ring < rings; ring++) this.#ring(at, 11 + 5 * ring, action.kind === 'right_click');
    if (action.kind === 'scroll') this.#label(`${number}  ${text}`.trim(), at, 22 * Math.max(1, below));
    else if (number === '') this.#label(text, at, 22);
    else this.#number(number, at);
  }

  arrow(from: Point, to: Point): void {
    const [a, b] = [this.#centre(from), this.#centre(to)];
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    const head = 12 * this.#ratio;
    this.#stroke(() => {
      this.#context.moveTo(a.x, a.y);
      this.#context.lineTo(b.x, b.y);
      for (const side of [-0.45, 0.45]) {
        this.#context.moveTo(b.x, b.y);
        this.#context.lineTo(b.x - head * Math.cos(angle + side), b.y - head * Math.sin(angle + side));
      }
    });
  }

  box({ box: { x, y, width, height } }: Element, isHovered: boolean): void {
    const context = this.#context;
    const half = this.#ratio / 2;
    const [left, top] = [x * this.#scale + half, y * this.#scale + half];
    const [wide, high] = [width * this.#scale - 2 * half, height * this.#scale - 2 * half];
    context.lineWidth = this.#ratio * (isHovered ? 3 : 1);
    context.strokeStyle = BLUE;
    context.fillStyle = `${BLUE}40`;
    if (isHovered) context.fillRect(left, top, wide, high);
    context.strokeRect(left, top, wide, high);
  }

  #centre({ x, y }: Point): Point {
    return { x: (x + 0.5) * this.#scale, y: (y + 0.5) * this.#scale };
  }

  /** Red on a pale edge, to be seen on every ground. */
  #stroke(path: () => void, dashes: readonly number[] = []): void {
    const context = this.#context;
    context.setLineDash(dashes.map(length => length * this.#ratio));
    for (const [colour, width] of [
      [PALE, 5.5],
      [RED, 2.5],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width * this.#ratio;
      context.beginPath();
      path();
      context.stroke();
    }
    context.setLineDash([]);
  }

  #ring(at: Point, radius: number, dashed: boolean): void {
    const { x, y } = this.#centre(at);
    const circle = () => this.#context.arc(x, y, radius * this.#ratio, 0, 2 * Math.PI);
    this.#stroke(circle, dashed ? [5, 5] : []);
  }

  #number(number: string, at: Point): void {
    const context = this.#context;
    const { x, y } = this.#centre(at);
    const radius = 9 * this.#ratio;
    const [cx, cy] = [this.#inside(x + 13 * this.#ratio, radius, context.canvas.width), y - 13 * this.#ratio];
    const middle = this.#inside(cy, radius, context.canvas.height);
    context.fillStyle = RED;
    context.beginPath();
    context.arc(cx, middle, radius, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = PALE;
    context.textAlign = 'center';
    context.fillText(number, cx, middle + this.#ratio);
  }

  #label(text: string, at: Point, below: number): void {
    const context = this.#context;
    const centre = this.#centre(at);
    const [wide, high] = [context.measureText(text).width + 14 * this.#ratio, 20 * this.#ratio];
    const x = this.#inside(centre.x, wide / 2, context.canvas.width) - wide / 2;
    const y = this.#inside(centre.y + (below + 4) * this.#ratio, high / 2, context.canvas.height) - high / 2;
    context.fillStyle = DARK;
    context.strokeStyle = PALE;
    context.lineWidth = 1.5 * this.#ratio;
    context.beginPath();
    context.roundRect(x, y, wide, high, 5 * this.#ratio);
    context.fill();
    context.stroke();
    context.fillStyle = PALE;
    context.textAlign = 'left';
    context.fillText(text, x + 7 * this.#ratio, y + high / 2 + this.#ratio * 0.5);
  }

  /** So near to `at` that what reaches so far to both sides stays within the screen. */
  #inside(at: number, reach: number, length: number): number {
    const margin = reach + 2 * this.#ratio;
    return Math.min(length - margin, Math.max(margin, at));
  }
}
