// The desktop on the page: sends the user's actions, keeps the trail, and knows the elements on the screen.

import type { Pixels } from '../../runtime/protocol/frame.ts';
import type { Action, Element, Point, UserAction } from '../../runtime/protocol/play.ts';
import { findElement } from '../shared/dom.ts';
import { messageOf } from '../shared/errors.ts';
import type { PlayLink } from './link.ts';
import { drawMarks } from './marks.ts';
import { elementLabel, entryLabel, extendTrail, type Trail, type TrailEntry } from './trail.ts';
import { DesktopCanvas } from './view.ts';

interface DeskOptions {
  readonly request: PlayLink['request'];
  readonly onAction: (steps: number) => void;
  readonly showStatus: (text: string) => void;
}

const tip = findElement('tip', HTMLParagraphElement);

export class Desk {
  readonly view: DesktopCanvas;
  readonly #options: DeskOptions;
  readonly #overlays = { trail: false, elements: false };
  #locked = true;
  #elements: readonly Element[] = [];
  #trail: Trail = [];
  #next: TrailEntry | undefined;
  #drag: { readonly from: Point; readonly to: Point } | undefined;
  #pointer: Point | undefined;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.view = new DesktopCanvas(() => this.#draw());
    this.#draw();
  }

  /** Ignores input while a solution plays, and after the verdict. */
  set locked(locked: boolean) {
    this.#locked = locked;
    this.view.glass.classList.toggle('locked', locked);
  }

  send(gesture: UserAction): void {
    if (this.#locked) return;
    this.#addToTrail(gesture);
    this.#options.request('act', { action: gesture }).then(
      ({ steps }) => this.#options.onAction(steps),
      (error: unknown) => this.#options.showStatus(messageOf(error)),
    );
  }

  show(pixels: Pixels): void {
    this.view.show(pixels);
    this.#options.request('elements', {}).then(
      ({ elements }) => {
        this.#elements = elements;
        this.#draw();
      },
      // The request fails while there is no desktop: then there are no elements to show.
      () => undefined,
    );
  }

  /** The next action of a solution; undefined after its last. */
  announce(action: Action | undefined): void {
    if (this.#next !== undefined) this.#trail = extendTrail(this.#trail, this.#next);
    this.#next = action === undefined ? undefined : this.#entry(action);
    this.#options.showStatus(this.#next === undefined ? '' : entryLabel(this.#next));
    this.#draw();
  }

  clear(): void {
    this.#trail = [];
    this.#next = undefined;
    this.#drag = undefined;
    this.#options.showStatus('');
    this.#draw();
  }

  toggle(what: 'trail' | 'elements'): boolean {
    this.#overlays[what] = !this.#overlays[what];
    this.#draw();
    return this.#overlays[what];
  }

  elementAt(at: Point): Element | undefined {
    return this.#elements.findLast(
      ({ box }) => at.x >= box.x && at.y >= box.y && at.x < box.x + box.width && at.y < box.y + box.height,
    );
  }

  dragging(from: Point | undefined, to: Point | undefined): void {
    const drag = from === undefined || to === undefined || this.#locked ? undefined : { from, to };
    if (drag === undefined && this.#drag === undefined) return;
    this.#drag = drag;
    this.#draw();
  }

  hovering(at: Point | undefined): void {
    this.#pointer = at;
    if (this.#overlays.elements) this.#draw();
  }

  #entry(action: UserAction | Action): TrailEntry {
    const at = action.kind === 'drag' ? action.from : 'at' in action ? action.at : undefined;
    return { action, on: at === undefined ? '' : elementLabel(this.elementAt(at)) };
  }

  #addToTrail(gesture: UserAction): void {
    this.#trail = extendTrail(this.#trail, this.#entry(gesture));
    const last = this.#trail.at(-1);
    this.#options.showStatus(last === undefined ? '' : entryLabel(last));
    this.#draw();
  }

  #draw(): void {
    // The canvas calls back once during its construction.
    if (this.view === undefined) return;
    const hovered =
      this.#overlays.elements && this.#pointer !== undefined ? this.elementAt(this.#pointer) : undefined;
    drawMarks(this.view, {
      trail: this.#trail,
      withTrail: this.#overlays.trail,
      next: this.#next,
      drag: this.#drag,
      elements: this.#overlays.elements ? this.#elements : [],
      hovered,
    });
    this.#showTip(hovered);
  }

  #showTip(element: Element | undefined): void {
    tip.hidden = element === undefined;
    if (element === undefined) return;
    const { value, states, box } = element;
    const parts = [elementLabel(element) + (value === '' ? '' : ` = “${value}”`), ...states];
    tip.textContent = parts.join(' · ');
    const canvas = this.view.canvas;
    const [across, down] = [canvas.clientWidth / canvas.width, canvas.clientHeight / canvas.height];
    const below = (box.y + box.height) * down + 6;
    const fits = below + tip.offsetHeight < canvas.clientHeight;
    tip.style.top = `${fits ? below : Math.max(0, box.y * down - tip.offsetHeight - 6)}px`;
    tip.style.left = `${Math.max(0, Math.min(box.x * across, canvas.clientWidth - tip.offsetWidth))}px`;
  }
}
