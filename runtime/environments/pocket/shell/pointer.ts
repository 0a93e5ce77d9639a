// Pointer input. It goes to the widget under the pointer; a press raises the window, and an open menu receives every press
// first.

import type { Direction } from '../../../core/action.ts';
import { contains, type Point } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import { type EventNames, type Item, layerAt } from './scene.ts';
import type { DesktopShell } from './shell.ts';

export class Pointer {
  constructor(private readonly shell: DesktopShell) {}

  press(at: Point): void {
    const item = this.#pressTarget(at, ['press', 'drag', 'type']);
    if (item === undefined) return;
    // Menu items act on the focused widget, so a menu does not take the focus.
    if (item.widget.describe?.role !== 'menu') this.#focus(item);
    item.widget.on?.press?.(at, this.shell.ui, item.box);
  }

  doublePress(at: Point): void {
    const menu = this.shell.popup !== undefined;
    this.press(at);
    // The first press acted on the open menu; the second must not act on what is below it.
    if (menu) return;
    this.shell.compose();
    const item = this.#under(at, ['double', 'press']);
    const { double, press } = item?.widget.on ?? {};
    if (item !== undefined) (double ?? press)?.(at, this.shell.ui, item.box);
  }

  /** The right button: opens the context menu. */
  menu(at: Point): void {
    const item = this.#pressTarget(at, ['menu']);
    if (item === undefined) return;
    const items = item.widget.on?.menu?.(at, item.box) ?? [];
    this.#focus(item);
    if (items.length > 0) this.shell.show(items, box(at.x, at.y, 0, 0));
  }

  drag(from: Point, to: Point): void {
    const item = this.#pressTarget(from, ['drag', 'payload']);
    if (item === undefined) return;
    this.#focus(item);
    const { drag, payload } = item.widget.on ?? {};
    if (payload === undefined) {
      drag?.(from, to, item.box);
      return;
    }
    // The press may have raised a window.
    this.shell.compose();
    this.#under(to, ['drop'])?.widget.on?.drop?.(payload);
  }

  wheel(at: Point, direction: Direction, notches: number): void {
    if (this.shell.popup !== undefined) return;
    const item = this.#under(at, ['wheel']);
    item?.widget.on?.wheel?.(direction, notches, item.box);
  }

  #focus({ widget }: Item): void {
    if (widget.key !== undefined) this.shell.focus(widget.key);
  }

  #under(at: Point, events: EventNames): Item | undefined {
    return this.shell.target(layerAt(this.shell.scene, at), at, events);
  }

  /** The target of a press. A press beside an open menu closes it; a press on a window raises it. */
  #pressTarget(at: Point, events: EventNames): Item | undefined {
    const { popup, windows, scene } = this.shell;
    if (popup !== undefined && !contains(popup.box, at)) {
      this.shell.popup = undefined;
      return undefined;
    }
    const layer = layerAt(scene, at);
    const window = windows.all.find(({ app }) =>
      [`window ${app.id}`, `dialog ${app.id}`].includes(layer?.id ?? ''),
    );
    if (window !== undefined && window !== windows.active) windows.raise(window);
    return this.shell.target(layer, at, events);
  }
}
