// One live desktop: its full screen with the last action on it, and its task. It takes no input.

import type { DesktopView } from '../../runtime/protocol/daemon/desktops.ts';
import { ScreenView } from '../inspector/screen.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { desktopTitle, stepLabel, USE_LABELS } from './state.ts';

interface DetailOptions {
  readonly back: () => void;
  readonly turn: (by: 1 | -1) => void;
}

export class DesktopDetail {
  readonly element: HTMLElement;
  readonly #screen = new ScreenView();
  readonly #title = make('h2');
  readonly #use = make('span', { class: 'use' });
  readonly #instruction = make('p', { class: 'instruction' });
  readonly #task = make('p', { class: 'faint' });
  readonly #action = make('p', { class: 'action' });
  readonly #previous;
  readonly #next;

  constructor({ back, turn }: DetailOptions) {
    this.#previous = button({ text: 'Previous', title: 'Left arrow' }, () => turn(-1));
    this.#next = button({ text: 'Next', title: 'Right arrow' }, () => turn(1));
    const all = button({ text: 'All desktops', title: 'Escape' }, back);
    const steering = make('div', { class: 'filters' }, this.#title, this.#use);
    steering.append(all.element, this.#previous.element, this.#next.element);
    this.#title.tabIndex = -1;
    this.element = make(
      'section',
      { class: 'close-up' },
      ...[steering, this.#instruction, this.#screen.element, this.#action, this.#task],
    );
  }

  /** Clears the screen of the previous desktop. */
  open(desktop: string): void {
    this.#title.textContent = desktopTitle(desktop);
    this.#screen.picture(undefined);
    this.#screen.mark({ step: undefined, withHeat: false, elements: [] }, '');
  }

  neighbours(previous: boolean, next: boolean): void {
    this.#previous.setEnabled(previous);
    this.#next.setEnabled(next);
  }

  focus(): void {
    this.#title.focus({ preventScroll: true });
  }

  show(view: DesktopView): void {
    const { use, doing } = view;
    this.#use.dataset['use'] = use;
    this.#use.textContent = USE_LABELS[use];
    this.#instruction.textContent = doing?.instruction ?? 'No task yet';
    this.#task.textContent = [doing?.task, stepLabel(view)].filter(Boolean).join(' · ');
    this.#action.textContent = doing?.says === undefined ? '' : `Last action: ${doing.says}`;
  }

  draw(picture: ImageBitmap, { desktop, doing }: DesktopView): void {
    this.#screen.picture(picture);
    const { action, says } = doing ?? {};
    const step = action === undefined || says === undefined ? undefined : { action, says, meant: [] };
    const label = `${desktopTitle(desktop)}, ${says === undefined ? 'at the start' : `after: ${says}`}`;
    this.#screen.mark({ step, withHeat: false, elements: [] }, label);
  }
}
