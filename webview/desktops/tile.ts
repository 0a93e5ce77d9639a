// One desktop on the wall: a small screen, its use, its task, and its step.

import type { DesktopView } from '../../runtime/protocol/daemon/desktops.ts';
import { desktopTitle } from '../../runtime/protocol/desktop-title.ts';
import { context2d, make } from '../shared/dom.ts';
import { stepLabel, USE_LABELS } from './state.ts';

export class DesktopTile {
  readonly element: HTMLButtonElement;
  readonly #canvas = make('canvas');
  readonly #use = make('span', { class: 'use' });
  readonly #step = make('span', { class: 'faint' });
  readonly #instruction = make('span', { class: 'instruction' });
  readonly #task = make('span', { class: 'faint line' });

  constructor(desktop: string, open: () => void) {
    this.#canvas.setAttribute('aria-hidden', 'true');
    const top = make('span', { class: 'top' }, make('strong', { text: desktopTitle(desktop) }), this.#use);
    this.element = make(
      'button',
      { class: 'card tile', title: 'Show this desktop in full size' },
      ...[this.#canvas, top, this.#instruction, this.#task, this.#step],
    );
    this.element.type = 'button';
    this.element.addEventListener('click', open);
  }

  show(view: DesktopView): void {
    const { use, doing } = view;
    this.#use.dataset['use'] = use;
    this.#use.textContent = USE_LABELS[use];
    this.#instruction.textContent = doing?.instruction ?? 'No task yet';
    this.#task.textContent = doing?.task ?? '';
    this.#step.textContent = stepLabel(view);
  }

  /** Its host is lost, so its picture is old. */
  setStale(isStale: boolean): void {
    this.element.dataset['stale'] = String(isStale);
  }

  draw(picture: ImageBitmap): void {
    const { width, height } = picture;
    if (this.#canvas.width !== width || this.#canvas.height !== height)
      Object.assign(this.#canvas, { width, height });
    this.#canvas.style.aspectRatio = `${width} / ${height}`;
    context2d(this.#canvas).drawImage(picture, 0, 0);
  }
}
