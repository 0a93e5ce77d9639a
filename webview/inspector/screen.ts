// A large screenshot with the action drawn on it.

import { context2d, make } from '../shared/dom.ts';
import { type ScreenMarks, StepMarks } from './step-marks.ts';

/** The aspect ratio before the first picture. */
const DEFAULT_SIZE = { width: 4, height: 3 };
/** The maximum share of the window's height, so that the controls stay visible. */
const MAX_HEIGHT_SHARE = 0.52;

export class ScreenView {
  readonly element: HTMLElement;
  readonly #picture = make('canvas', { class: 'picture' });
  readonly #marks = new StepMarks();
  readonly #frame: HTMLElement;
  #size = DEFAULT_SIZE;

  constructor() {
    this.#picture.setAttribute('aria-hidden', 'true');
    this.#frame = make('div', { class: 'frame' }, this.#picture, this.#marks.element);
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

  /** There is no picture: that of another step or trajectory must not stay. */
  clear(): void {
    context2d(this.#picture).clearRect(0, 0, this.#picture.width, this.#picture.height);
  }

  mark(marked: ScreenMarks, label: string): void {
    this.#marks.mark(marked, label);
  }

  #fit(): void {
    const { width, height } = this.#size;
    const room = this.element.clientWidth;
    if (room === 0) return;
    const wide = Math.min(room, (window.innerHeight * MAX_HEIGHT_SHARE * width) / height);
    Object.assign(this.#frame.style, { width: `${wide}px`, height: `${(wide * height) / width}px` });
    // Below a magnification of 1.5, smoothing looks better than sharp pixels.
    this.#picture.dataset['sharp'] = String(wide * window.devicePixelRatio >= 1.5 * width);
    this.#marks.fit(this.#size, wide);
  }
}
