// Draws actions on a screen: rings, arrows, labels, boxes. Lines and letters have a fixed size on the display.

import type { Action, Element, Point } from '../../runtime/protocol/daemon/screen.ts';
import type { PointingBox } from '../inspector/pointing-boxes.ts';

type Box = Element['box'];

const RED = '#e5484d';
const DARK = '#1e2a3a';
const PALE = '#fffdf8';
const AMBER = '#f2a33a';
const BLUE = '#2f6fd0';

/** The position of the pointer after the action; undefined if the action does not move it. */
export function endOf(action: Action): Point | undefined {
  if (action.kind === 'drag') return action.to;
  return 'at' in action ? action.at : undefined;
}

/** Coordinates are pixels of the desktop. */
export class Pen {
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

  action(action: Action, text: string, at: Point, below: number, number: string): void {
    if (action.kind === 'drag') this.arrow(action.from, action.to);
    if (!('at' in action) && action.kind !== 'drag') {
      this.#label(`${number}  ${text}`.trim(), at, 22 * below);
      return;
    }
    const rings = action.kind === 'triple_click' ? 3 : action.kind === 'double_click' ? 2 : 1;
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

  box({ x, y, width, height }: Box, isHovered: boolean): void {
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

  /** A box that the agent could have pointed at: more opaque with higher probability. */
  alternative({ box: { x, y, width, height }, probability, isChosen }: PointingBox): void {
    const context = this.#context;
    const [left, top] = [x * this.#scale, y * this.#scale];
    const [wide, high] = [width * this.#scale, height * this.#scale];
    const line = this.#ratio * (isChosen ? 2.5 : 1.5);
    context.fillStyle = AMBER;
    context.globalAlpha = 0.06 + 0.5 * probability;
    context.fillRect(left, top, wide, high);
    context.globalAlpha = 1;
    context.strokeStyle = isChosen ? RED : AMBER;
    context.lineWidth = line;
    context.strokeRect(left + line / 2, top + line / 2, wide - line, high - line);
    if (probability >= 0.01) this.#tag(`${Math.round(100 * probability)} %`, left + wide, top);
  }

  /** A tag at an upper right corner. */
  #tag(text: string, right: number, top: number): void {
    const context = this.#context;
    context.save();
    context.font = `600 ${10 * this.#ratio}px system-ui, sans-serif`;
    const [wide, high] = [context.measureText(text).width + 6 * this.#ratio, 14 * this.#ratio];
    const x = this.#clamp(right - wide / 2, wide / 2, context.canvas.width) - wide / 2;
    const y = this.#clamp(top - high / 2, high / 2, context.canvas.height) - high / 2;
    context.fillStyle = DARK;
    context.globalAlpha = 0.85;
    context.fillRect(x, y, wide, high);
    context.globalAlpha = 1;
    context.fillStyle = PALE;
    context.textAlign = 'left';
    context.fillText(text, x + 3 * this.#ratio, y + high / 2 + 0.5 * this.#ratio);
    context.restore();
  }

  #centre({ x, y }: Point): Point {
    return { x: (x + 0.5) * this.#scale, y: (y + 0.5) * this.#scale };
  }

  /** Red with a pale edge: visible on every background. */
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
    const [cx, cy] = [this.#clamp(x + 13 * this.#ratio, radius, context.canvas.width), y - 13 * this.#ratio];
    const middle = this.#clamp(cy, radius, context.canvas.height);
    context.fillStyle = RED;
    context.beginPath();
    context.arc(cx, middle, radius, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = PALE;
    context.textAlign = 'center';
    context.fillText(number, cx, middle + this.#ratio);
  }

  #label(text: string, at: Point, below: number): void {
    if (text === '') return;
    const context = this.#context;
    const centre = this.#centre(at);
    const [wide, high] = [context.measureText(text).width + 14 * this.#ratio, 20 * this.#ratio];
    const x = this.#clamp(centre.x, wide / 2, context.canvas.width) - wide / 2;
    // Below its position, or above it if there is no room below.
    const away = (below + 4) * this.#ratio;
    const isAtEnd = below > 0 && centre.y + away + high / 2 > context.canvas.height;
    const y = this.#clamp(centre.y + (isAtEnd ? -away : away), high / 2, context.canvas.height) - high / 2;
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

  /** Moves `at` so that `reach` to both sides stays within `length`. */
  #clamp(at: number, reach: number, length: number): number {
    const margin = reach + 2 * this.#ratio;
    return Math.min(length - margin, Math.max(margin, at));
  }
}
