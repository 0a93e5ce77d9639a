// A large screenshot with the action drawn on it. The marks have a canvas of their own in device pixels, so that they are sharp at
// every size.

import type { Element } from '../../runtime/protocol/daemon/screen.ts';
import type { StepDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { context2d, make } from '../shared/dom.ts';
import { endOf, Pen } from '../shared/pen.ts';
import { pointingBoxes } from './pointing-boxes.ts';

/** A live step has no recorded decisions. */
type DrawnStep = Pick<StepDetail, 'action' | 'says' | 'meant'> & Partial<Pick<StepDetail, 'chosen'>>;

export interface ScreenMarks {
  readonly step: DrawnStep | undefined;
  readonly withHeat: boolean;
  readonly elements: readonly Element[];
}

const UNMARKED: ScreenMarks = { step: undefined, withHeat: false, elements: [] };
/** The aspect ratio before the first picture. */
const DEFAULT_SIZE = { width: 4, height: 3 };
/** The maximum share of the window's height, so that the controls stay visible. */
const MAX_HEIGHT_SHARE = 0.52;

export class ScreenView {
  readonly element: HTMLElement;
  readonly #picture = make('canvas', { class: 'picture' });
  readonly #marks = make('canvas', { class: 'marks' });
  readonly #frame: HTMLElement;
  #marked: ScreenMarks = UNMARKED;
  #size = DEFAULT_SIZE;

  constructor() {
    this.#picture.setAttribute('aria-hidden', 'true');
    this.#frame = make('div', { class: 'frame' }, this.#picture, this.#marks);
    this.#marks.setAttribute('role', 'img');
    this.element = make('div', { class: 'screen' }, this.#frame);
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  /** Undefined while the picture loads: the previous picture stays, paler. */
  picture(picture: ImageBitmap | undefined): void {
    this.#frame.dataset['waiting'] = String(picture === undefined);
    if (picture === undefined) return;
    const { width, height } = picture;
    if (this.#picture.width !== width || this.#picture.height !== height) {
      Object.assign(this.#picture, { width, height });
      this.#size = { width, height };
      this.#fit();
    }
    context2d(this.#picture).drawImage(picture, 0, 0);
  }

  mark(marked: ScreenMarks, label: string): void {
    this.#marked = marked;
    this.#marks.setAttribute('aria-label', label);
    this.#draw();
  }

  #fit(): void {
    const { width, height } = this.#size;
    const room = this.element.clientWidth;
    if (room === 0) return;
    const wide = Math.min(room, (window.innerHeight * MAX_HEIGHT_SHARE * width) / height);
    const high = (wide * height) / width;
    Object.assign(this.#frame.style, { width: `${wide}px`, height: `${high}px` });
    const ratio = window.devicePixelRatio;
    Object.assign(this.#marks, { width: Math.round(wide * ratio), height: Math.round(high * ratio) });
    // Below a magnification of 1.5, smoothing looks better than sharp pixels.
    this.#picture.dataset['sharp'] = String(wide * ratio >= 1.5 * width);
    this.#draw();
  }

  #draw(): void {
    const context = context2d(this.#marks);
    const { width } = this.#marks;
    const scale = width / this.#size.width;
    const pen = new Pen(context, scale, window.devicePixelRatio);
    context.clearRect(0, 0, width, this.#marks.height);
    const { step, withHeat, elements } = this.#marked;
    for (const { box } of elements) pen.box(box, false);
    if (step === undefined) return;
    if (withHeat) for (const box of pointingBoxes(step)) pen.alternative(box);
    drawAction(pen, step, { x: this.#size.width / 2, y: this.#size.height / 2 });
  }
}

/** An action without a position is labelled at its target, else in the middle. */
export function drawAction(
  pen: Pen,
  { action, says, meant }: DrawnStep,
  middle: { x: number; y: number },
): void {
  const at = endOf(action) ?? (meant[0] === undefined ? middle : centreOf(meant[0]));
  pen.action(action, says, at, 1, '');
}

const centreOf = ({ x, y, width, height }: Element['box']) => ({ x: x + width / 2, y: y + height / 2 });
