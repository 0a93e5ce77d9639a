// The screen with all that lies over it: sends what a person does, keeps the trail, and knows what is where.

import type { Pixels } from '../../runtime/protocol/frame.ts';
import type { Action, Element, Point, UserAction } from '../../runtime/protocol/play.ts';
import { need } from '../shared/dom.ts';
import type { Link } from './link.ts';
import { drawMarks } from './marks.ts';
import { called, type Entry, extended, inWords, type Trail } from './trail.ts';
import { View } from './view.ts';

interface Surroundings {
  readonly ask: Link['ask'];
  readonly acted: (steps: number) => void;
  readonly say: (text: string) => void;
}

const tip = need('tip', HTMLParagraphElement);

export class Desk {
  readonly view: View;
  readonly #around: Surroundings;
  readonly #shown = { trail: false, elements: false };
  #locked = true;
  #elements: readonly Element[] = [];
  #trail: Trail = [];
  #next: Entry | undefined;
  #drag: { readonly from: Point; readonly to: Point } | undefined;
  #pointer: Point | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
    this.view = new View(() => this.#draw());
    this.#draw();
  }

  /** A locked desk takes no input: a solution is being shown, or the task was judged. */
  set locked(locked: boolean) {
    this.#locked = locked;
    this.view.glass.classList.toggle('locked', locked);
  }

  send(gesture: UserAction): void {
    if (this.#locked) return;
    this.#note(gesture);
    this.#around.ask('acted', { call: 'act', action: gesture }).then(
      ({ steps }) => this.#around.acted(steps),
      (error: unknown) => this.#around.say(error instanceof Error ? error.message : String(error)),
    );
  }

  show(pixels: Pixels): void {
    this.view.show(pixels);
    this.#around.ask('elements', { call: 'elements' }).then(
      ({ elements }) => {
        this.#elements = elements;
        this.#draw();
      },
      // Without a desktop there are no elements.
      () => undefined,
    );
  }

  /** The action that a solution is about to take; undefined when there is none any more. */
  announce(action: Action | undefined): void {
    if (this.#next !== undefined) this.#trail = extended(this.#trail, this.#next);
    this.#next = action === undefined ? undefined : this.#entry(action);
    this.#around.say(this.#next === undefined ? '' : inWords(this.#next));
    this.#draw();
  }

  clear(): void {
    this.#trail = [];
    this.#next = undefined;
    this.#drag = undefined;
    this.#around.say('');
    this.#draw();
  }

  toggle(what: 'trail' | 'elements'): boolean {
    this.#shown[what] = !this.#shown[what];
    this.#draw();
    return this.#shown[what];
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
    if (this.#shown.elements) this.#draw();
  }

  #entry(action: UserAction | Action): Entry {
    const at = action.kind === 'drag' ? action.from : 'at' in action ? action.at : undefined;
    return { action, on: at === undefined ? '' : called(this.elementAt(at)) };
  }

  #note(gesture: UserAction): void {
    this.#trail = extended(this.#trail, this.#entry(gesture));
    const last = this.#trail.at(-1);
    this.#around.say(last === undefined ? '' : inWords(last));
    this.#draw();
  }

  #draw(): void {
    // The view draws once while it is being made.
    if (this.view === undefined) return;
    const hovered =
      this.#shown.elements && this.#pointer !== undefined ? this.elementAt(this.#pointer) : undefined;
    drawMarks(this.view, {
      trail: this.#trail,
      withTrail: this.#shown.trail,
      next: this.#next,
      drag: this.#drag,
      elements: this.#shown.elements ? this.#elements : [],
      hovered,
    });
    this.#showTip(hovered);
  }

  #showTip(element: Element | undefined): void {
    tip.hidden = element === undefined;
    if (element === undefined) return;
    const { value, states, box } = element;
    const parts = [called(element) + (value === '' ? '' : ` = “${value}”`), ...states];
    tip.textContent = parts.join(' · ');
    const canvas = this.view.canvas;
    const [across, down] = [canvas.clientWidth / canvas.width, canvas.clientHeight / canvas.height];
    const below = (box.y + box.height) * down + 6;
    const fits = below + tip.offsetHeight < canvas.clientHeight;
    tip.style.top = `${fits ? below : Math.max(0, box.y * down - tip.offsetHeight - 6)}px`;
    tip.style.left = `${Math.max(0, Math.min(box.x * across, canvas.clientWidth - tip.offsetWidth))}px`;
  }
}
