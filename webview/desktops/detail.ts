// One live desktop: its full screen with the last action on it, and its task. It takes no input until a person takes it over.

import type { DesktopView } from '../../runtime/protocol/daemon/desktops.ts';
import { desktopTitle } from '../../runtime/protocol/desktop-title.ts';
import { ScreenView } from '../inspector/screen.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { stepLabel, USE_LABELS } from './state.ts';

interface DetailOptions {
  readonly back: () => void;
  readonly turn: (by: 1 | -1) => void;
  readonly takeOver: () => void;
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
  readonly #takeOver;
  #isPlaying = false;
  #isOffered = false;
  /** The daemon answers soon. */
  #isTaking = false;

  constructor({ back, turn, takeOver }: DetailOptions) {
    this.#previous = button({ text: 'Previous', title: 'Left arrow' }, () => turn(-1));
    this.#next = button({ text: 'Next', title: 'Right arrow' }, () => turn(1));
    const all = button({ text: 'All desktops', title: 'Escape' }, back);
    const why = 'Use this desktop yourself: its episode is played again on another one';
    this.#takeOver = button({ text: TAKE_OVER, title: why, kind: 'primary' }, takeOver);
    const steering = make('div', { class: 'filters' }, this.#title, this.#use, this.#takeOver.element);
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
    this.gone();
    this.#screen.picture(undefined);
    this.#screen.mark({ step: undefined, withHeat: false, elements: [] }, desktopTitle(desktop));
  }

  /** Keeps the last screen: the desktop has left the run. */
  gone(): void {
    this.#isPlaying = false;
    this.#showTakeOver();
    delete this.#use.dataset['use'];
    for (const text of [this.#use, this.#instruction, this.#task, this.#action]) text.textContent = '';
  }

  neighbours(previous: boolean, next: boolean): void {
    this.#previous.setEnabled(previous);
    this.#next.setEnabled(next);
  }

  /** Read-only runs offer none. */
  offerTakeOver(isOffered: boolean): void {
    this.#isOffered = isOffered;
    this.#showTakeOver();
  }

  taking(isTaking: boolean): void {
    this.#isTaking = isTaking;
    this.#showTakeOver();
  }

  focus(): void {
    this.#title.focus({ preventScroll: true });
  }

  show(view: DesktopView): void {
    const { use, doing } = view;
    this.#use.dataset['use'] = use;
    this.#use.textContent = USE_LABELS[use];
    this.#isPlaying = use === 'playing';
    this.#showTakeOver();
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

  #showTakeOver(): void {
    this.#takeOver.element.hidden = !this.#isOffered;
    this.#takeOver.setText(this.#isTaking ? 'Taking over…' : TAKE_OVER);
    this.#takeOver.setEnabled(this.#isPlaying && !this.#isTaking);
  }
}

const TAKE_OVER = 'Take over';
