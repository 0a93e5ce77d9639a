// The action of a step drawn on a screenshot, with the alternatives of the agent. A canvas of its own in device pixels, so that the marks are
// sharp at every size.

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

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const UNMARKED: ScreenMarks = { step: undefined, withHeat: false, elements: [] };

export class StepMarks {
  readonly element = make('canvas', { class: 'marks' });
  #marked: ScreenMarks = UNMARKED;
  #size: PictureSize = { width: 1, height: 1 };

  constructor() {
    this.element.setAttribute('role', 'img');
  }

  mark(marked: ScreenMarks, label: string): void {
    this.#marked = marked;
    this.element.setAttribute('aria-label', label);
    this.#draw();
  }

  /** The picture has this size, and is `wide` pixels wide on the page. */
  fit(size: PictureSize, wide: number): void {
    this.#size = size;
    const ratio = window.devicePixelRatio;
    const high = (wide * size.height) / size.width;
    Object.assign(this.element, { width: Math.round(wide * ratio), height: Math.round(high * ratio) });
    this.#draw();
  }

  #draw(): void {
    const context = context2d(this.element);
    const { width, height } = this.element;
    const pen = new Pen(context, width / this.#size.width, window.devicePixelRatio);
    context.clearRect(0, 0, width, height);
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
