// The canvas of the desktop's screen. It is scaled by whole numbers, so that pixels stay sharp.

import type { Pixels } from '../../runtime/protocol/frame.ts';
import type { Point } from '../../runtime/protocol/play.ts';
import { context2d, findElement } from '../shared/dom.ts';

export class DesktopCanvas {
  readonly canvas = findElement('screen', HTMLCanvasElement);
  /** Receives mouse and keyboard events. */
  readonly glass = findElement('glass', HTMLDivElement);
  readonly marks = findElement('marks', HTMLCanvasElement);
  readonly #room = findElement('room', HTMLDivElement);
  readonly #frame = findElement('frame', HTMLDivElement);
  readonly #context = context2d(this.canvas);
  readonly #resized: () => void;
  /** Device pixels per pixel of the desktop. */
  scale = 1;

  constructor(resized: () => void) {
    this.#resized = resized;
    // Focusable, since the desktop takes keyboard input.
    this.glass.tabIndex = 0;
    new ResizeObserver(() => this.#fit()).observe(this.#room);
    this.#fit();
  }

  show({ layout, width, height, data }: Pixels): void {
    if (this.canvas.width !== width || this.canvas.height !== height) {
      Object.assign(this.canvas, { width, height });
      this.#fit();
    }
    const image = this.#context.createImageData(width, height);
    const channels = layout.length;
    for (let from = 0, to = 0; from < data.length; from += channels, to += 4) {
      for (let channel = 0; channel < 3; channel++) image.data[to + channel] = data[from + channel] ?? 0;
      image.data[to + 3] = 255;
    }
    this.#context.putImageData(image, 0, 0);
  }

  /** The desktop's pixel under a point of the page; the nearest one if the point is outside the screen. */
  pixelAt({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point {
    const box = this.canvas.getBoundingClientRect();
    const along = (at: number, start: number, length: number, pixels: number): number =>
      Math.min(pixels - 1, Math.max(0, Math.floor(((at - start) / length) * pixels)));
    return {
      x: along(clientX, box.left, box.width, this.canvas.width),
      y: along(clientY, box.top, box.height, this.canvas.height),
    };
  }

  #fit(): void {
    const { width, height } = this.canvas;
    const ratio = window.devicePixelRatio;
    const [across, down] = [this.#room.clientWidth, this.#room.clientHeight];
    this.scale = Math.max(1, Math.floor(Math.min(across / width, down / height) * ratio));
    const [wide, high] = [(width * this.scale) / ratio, (height * this.scale) / ratio];
    this.#frame.style.width = `${wide}px`;
    this.#frame.style.height = `${high}px`;
    Object.assign(this.marks, { width: width * this.scale, height: height * this.scale });
    this.#resized();
  }
}
