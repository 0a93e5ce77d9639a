// Tells whether the last press began to drag an element. The browser reports such a drag a little later.

/// <reference lib="dom" />
import { windowsOf } from './windows.ts';

let start: DragEvent | undefined;
window.addEventListener(
  'pointerdown',
  () => {
    start = undefined;
  },
  { capture: true, passive: true },
);
window.addEventListener(
  'dragstart',
  event => {
    start = event;
  },
  { capture: true, passive: true },
);

/** In this window: the page began a drag, and no listener prevented it. */
export const isDragBegunHere = (): boolean => start !== undefined && !start.defaultPrevented;

export const isDragBegun = (): boolean => windowsOf(window).some(each => each.dartboard?.isDragBegunHere());
