// The large screenshot with what was done drawn on it: the picture on one canvas, the marks on another above it, in the display's own
// pixels, so that lines are sharp at every size.

import type { StepDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import type { Element } from '../../runtime/protocol/play.ts';
import { drawingOn, make } from '../shared/dom.ts';
import { endOf, Pen } from '../shared/pen.ts';
import { heatOf } from './heat.ts';

/** Of a step that was not recorded, it is not known how sure it was. */
type Done = Pick<StepDetail, 'action' | 'says' | 'meant'> & Partial<Pick<StepDetail, 'chosen'>>;

export interface Marked {
  readonly step: Done | undefined;
  readonly withHeat: boolean;
  readonly elements: readonly Element[];
}

const UNMARKED: Marked = { step: undefined, withHeat: false, elements: [] };
/** Before anything was seen: the shape of most desktops. */
const USUAL = { width: 4, height: 3 };
/** Of the page's height, so that what is around it stays in sight. */
const TALLEST = 0.52;

export class Screen {
  readonly element: HTMLElement;
  readonly #picture = make('canvas', { class: 'picture' });
  readonly #marks = make('canvas', { class: 'marks' });
  readonly #frame: HTMLElement;
  #marked: Marked = UNMARKED;
  #size = USUAL;

  constructor() {
    this.#picture.setAttribute('aria-hidden', 'true');
    this.#frame = make('div', { class: 'frame' }, this.#picture, this.#marks);
    this.#marks.setAttribute('role', 'img');
    this.element = make('div', { class: 'screen' }, this.#frame);
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  /** Undefined while it is still to come: what was there before stays, paler. */
  picture(picture: ImageBitmap | undefined): void {
    this.#frame.dataset['waiting'] = String(picture === undefined);
    if (picture === undefined) return;
    const { width, height } = picture;
    if (this.#picture.width !== width || this.#picture.height !== height) {
      Object.assign(this.#picture, { width, height });
      this.#size = { width, height };
      this.#fit();
    }
    drawingOn(this.#picture).drawImage(picture, 0, 0);
  }

  mark(marked: Marked, says: string): void {
    this.#marked = marked;
    this.#marks.setAttribute('aria-label', says);
    this.#draw();
  }

  #fit(): void {
    const { width, height } = this.#size;
    const room = this.element.clientWidth;
    if (room === 0) return;
    const wide = Math.min(room, (window.innerHeight * TALLEST * width) / height);
    const high = (wide * height) / width;
    Object.assign(this.#frame.style, { width: `${wide}px`, height: `${high}px` });
    const ratio = window.devicePixelRatio;
    Object.assign(this.#marks, { width: Math.round(wide * ratio), height: Math.round(high * ratio) });
    // Enlarged by less than a half, single pixels look better blended; beyond that, as squares.
    this.#picture.dataset['sharp'] = String(wide * ratio >= 1.5 * width);
    this.#draw();
  }

  #draw(): void {
    const context = drawingOn(this.#marks);
    const { width } = this.#marks;
    const scale = width / this.#size.width;
    const pen = new Pen(context, scale, window.devicePixelRatio);
    context.clearRect(0, 0, width, this.#marks.height);
    const { step, withHeat, elements } = this.#marked;
    for (const { box } of elements) pen.box(box, false);
    if (step === undefined) return;
    if (withHeat) for (const warm of heatOf(step)) pen.warm(warm);
    drawAction(pen, step, { x: this.#size.width / 2, y: this.#size.height / 2 });
  }
}

/** What has no place of its own is written where it went, else in the middle. */
export function drawAction(pen: Pen, { action, says, meant }: Done, middle: { x: number; y: number }): void {
  const at = endOf(action) ?? (meant[0] === undefined ? middle : centreOf(meant[0]));
  pen.action(action, says, at, 1, '');
}

const centreOf = ({ x, y, width, height }: Element['box']) => ({ x: x + width / 2, y: y + height / 2 });
