// What the pointer does: it finds the widget under it and has it react. Windows come to the front when they are pressed, and
// an open menu hears of every press first.

import type { Direction } from '../../../core/action.ts';
import { contains, type Point } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import { type Item, layerAt, type Ways } from './scene.ts';
import type { DesktopShell } from './shell.ts';

export class Pointer {
  readonly #shell: DesktopShell;

  constructor(shell: DesktopShell) {
    this.#shell = shell;
  }

  press(at: Point): void {
    const item = this.#reach(at, ['press', 'drag', 'type']);
    if (item === undefined) return;
    // A menu leaves the focus where it is: its choices are about what has it.
    if (item.widget.describe?.role !== 'menu') this.#focus(item);
    item.widget.on?.press?.(at, this.#shell.ui, item.box);
  }

  doublePress(at: Point): void {
    const menu = this.#shell.popup !== undefined;
    this.press(at);
    // With a menu open the first press chooses or closes; the second is not meant for what lies below.
    if (menu) return;
    this.#shell.compose();
    const item = this.#under(at, ['double', 'press']);
    const { double, press } = item?.widget.on ?? {};
    if (item !== undefined) (double ?? press)?.(at, this.#shell.ui, item.box);
  }

  /** The secondary button: choices for what is under it. */
  menu(at: Point): void {
    const item = this.#reach(at, ['menu']);
    if (item === undefined) return;
    const items = item.widget.on?.menu?.(at, item.box) ?? [];
    this.#focus(item);
    if (items.length > 0) this.#shell.show(items, box(at.x, at.y, 0, 0));
  }

  drag(from: Point, to: Point): void {
    const item = this.#reach(from, ['drag', 'payload']);
    if (item === undefined) return;
    this.#focus(item);
    const { drag, payload } = item.widget.on ?? {};
    if (payload === undefined) {
      drag?.(from, to, item.box);
      return;
    }
    // The press may have brought a window to the front.
    this.#shell.compose();
    this.#under(to, ['drop'])?.widget.on?.drop?.(payload);
  }

  wheel(at: Point, direction: Direction, notches: number): void {
    if (this.#shell.popup !== undefined) return;
    const item = this.#under(at, ['wheel']);
    item?.widget.on?.wheel?.(direction, notches, item.box);
  }

  #focus({ widget }: Item): void {
    if (widget.key !== undefined) this.#shell.focus(widget.key);
  }

  #under(at: Point, ways: Ways): Item | undefined {
    return this.#shell.reacting(layerAt(this.#shell.scene, at), at, ways);
  }

  /** What a press reaches: it closes an open menu beside it, and brings the window under it to the front. */
  #reach(at: Point, ways: Ways): Item | undefined {
    const { popup, windows, scene } = this.#shell;
    if (popup !== undefined && !contains(popup.box, at)) {
      this.#shell.popup = undefined;
      return undefined;
    }
    const layer = layerAt(scene, at);
    const window = windows.all.find(({ app }) =>
      [`window ${app.id}`, `dialog ${app.id}`].includes(layer?.id ?? ''),
    );
    if (window !== undefined && window !== windows.active) windows.raise(window);
    return this.#shell.reacting(layer, at, ways);
  }
}
