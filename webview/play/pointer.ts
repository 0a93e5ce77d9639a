// Translates mouse events on the screen into actions.

import type { Element, Point, UserAction } from '../../runtime/protocol/play.ts';
import type { DesktopCanvas } from './view.ts';

/** A shorter movement, in pixels of the desktop, is a click. */
const MIN_DRAG_PX = 3;
/** The wheel delta of one notch in browsers. */
const DELTA_PER_NOTCH = 100;
/** Wheel events within this time become one action. */
const WHEEL_WINDOW_MS = 60;
/** Two clicks within this time are a double click. */
const DOUBLE_CLICK_MS = 400;
/** On these roles, two quick clicks are two clicks and not a double click. */
const SINGLE_CLICK_ROLES = new Set([
  'button',
  'checkbox',
  'radio',
  'tab',
  'columnheader',
  'menuitem',
  'menu',
  'slider',
  'spinner',
  'dropdown',
  'scrollbar',
]);

interface PointerOptions {
  readonly view: DesktopCanvas;
  readonly send: (gesture: UserAction) => void;
  readonly elementAt: (at: Point) => Element | undefined;
  /** The start and the current end of a drag; undefined if there is none. */
  readonly dragging: (from: Point | undefined, to: Point | undefined) => void;
  readonly hovering: (at: Point | undefined) => void;
}

export function listenToPointer({ view, send, elementAt, dragging, hovering }: PointerOptions): void {
  const { glass } = view;
  let pressed: Point | undefined;
  let before: { readonly at: Point; readonly time: number } | undefined;

  glass.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    glass.setPointerCapture(event.pointerId);
    pressed = view.pixelAt(event);
  });

  glass.addEventListener('pointermove', event => {
    const at = view.pixelAt(event);
    hovering(at);
    if (pressed !== undefined && !near(pressed, at)) dragging(pressed, at);
  });

  glass.addEventListener('pointerleave', () => hovering(undefined));

  glass.addEventListener('pointerup', event => {
    if (event.button !== 0 || pressed === undefined) return;
    const [from, to] = [pressed, view.pixelAt(event)];
    pressed = undefined;
    dragging(undefined, undefined);
    if (!near(from, to)) {
      before = undefined;
      send({ kind: 'drag', from, to });
      return;
    }
    const soon =
      before !== undefined && event.timeStamp - before.time < DOUBLE_CLICK_MS && near(before.at, from);
    if (soon && !SINGLE_CLICK_ROLES.has(elementAt(from)?.role ?? '')) {
      before = undefined;
      send({ kind: 'double_click', at: from });
      return;
    }
    before = { at: from, time: event.timeStamp };
    send({ kind: 'click', at: from });
  });

  glass.addEventListener('pointercancel', () => {
    pressed = undefined;
    dragging(undefined, undefined);
  });

  glass.addEventListener('contextmenu', event => {
    event.preventDefault();
    send({ kind: 'right_click', at: view.pixelAt(event) });
  });

  const wheel = { x: 0, y: 0, at: { x: 0, y: 0 }, waiting: false };
  const roll = (): void => {
    wheel.waiting = false;
    const isDown = Math.abs(wheel.y) >= Math.abs(wheel.x);
    const turned = isDown ? wheel.y : wheel.x;
    const notches = Math.min(100, Math.round(Math.abs(turned) / DELTA_PER_NOTCH));
    // Small movements of a touchpad accumulate to a notch.
    if (notches === 0) return;
    wheel.x = 0;
    wheel.y = 0;
    const direction = isDown ? (turned > 0 ? 'down' : 'up') : turned > 0 ? 'right' : 'left';
    send({ kind: 'scroll', at: wheel.at, direction, notches });
  };
  glass.addEventListener(
    'wheel',
    event => {
      // Ctrl and wheel zoom the page.
      if (event.ctrlKey) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? DELTA_PER_NOTCH / 3 : 1;
      wheel.x += (event.shiftKey ? event.deltaY : event.deltaX) * unit;
      wheel.y += (event.shiftKey ? 0 : event.deltaY) * unit;
      wheel.at = view.pixelAt(event);
      if (wheel.waiting) return;
      wheel.waiting = true;
      setTimeout(roll, WHEEL_WINDOW_MS);
    },
    { passive: false },
  );
}

const near = (a: Point, b: Point): boolean =>
  Math.abs(a.x - b.x) < MIN_DRAG_PX && Math.abs(a.y - b.y) < MIN_DRAG_PX;
