// The mouse on the screen becomes actions.

import type { Element, Point, UserAction } from '../../runtime/protocol/play.ts';
import type { View } from './view.ts';

/** A press that moved less than this many pixels of the desktop is a click. */
const DRAG = 3;
/** What a browser reports for a notch of an ordinary wheel. */
const NOTCH = 100;
/** Within so many milliseconds the turns of a wheel are sent as one. */
const TOGETHER = 60;
/** Where a second click means another click, however soon it comes. */
const BUTTONS = new Set([
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

export interface Pointing {
  readonly view: View;
  readonly send: (gesture: UserAction) => void;
  readonly elementAt: (at: Point) => Element | undefined;
  /** Where a press began and where it is now; undefined when none is under way. */
  readonly dragging: (from: Point | undefined, to: Point | undefined) => void;
  readonly hovering: (at: Point | undefined) => void;
}

export function listenToPointer({ view, send, elementAt, dragging, hovering }: Pointing): void {
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
    const soon = before !== undefined && event.timeStamp - before.time < 400 && near(before.at, from);
    if (soon && !BUTTONS.has(elementAt(from)?.role ?? '')) {
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
    const notches = Math.min(100, Math.round(Math.abs(turned) / NOTCH));
    // A touchpad's small movements add up to a notch.
    if (notches === 0) return;
    wheel.x = 0;
    wheel.y = 0;
    const direction = isDown ? (turned > 0 ? 'down' : 'up') : turned > 0 ? 'right' : 'left';
    send({ kind: 'scroll', at: wheel.at, direction, notches });
  };
  glass.addEventListener(
    'wheel',
    event => {
      // With ctrl it enlarges the page.
      if (event.ctrlKey) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? NOTCH / 3 : 1;
      wheel.x += (event.shiftKey ? event.deltaY : event.deltaX) * unit;
      wheel.y += (event.shiftKey ? 0 : event.deltaY) * unit;
      wheel.at = view.pixelAt(event);
      if (wheel.waiting) return;
      wheel.waiting = true;
      setTimeout(roll, TOGETHER);
    },
    { passive: false },
  );
}

const near = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) < DRAG && Math.abs(a.y - b.y) < DRAG;
