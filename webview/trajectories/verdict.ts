// A verdict given by hand: it takes the evaluator's place. A run that trains is told by the daemon, and weighs the group anew.

import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { DaemonLink } from '../shared/link/link.ts';

interface Uses {
  readonly link: DaemonLink;
  who(): string;
  judged(trajectory: string): void;
  complain(error: unknown): void;
}

export class HandVerdict {
  readonly element: HTMLElement;
  readonly #uses: Uses;
  readonly #says = make('span', { class: 'faint' });
  readonly #success;
  readonly #failure;
  #whole: TrajectoryDetail | undefined;

  constructor(uses: Uses) {
    this.#uses = uses;
    this.#success = button({ text: '✓ Success', label: 'Success, by your verdict' }, () => this.#judge(true));
    this.#failure = button({ text: '✗ Failure', label: 'Failure, by your verdict' }, () =>
      this.#judge(false),
    );
    this.element = make(
      'div',
      { class: 'verdict' },
      this.#says,
      this.#success.element,
      this.#failure.element,
    );
  }

  show(whole: TrajectoryDetail | undefined): void {
    this.#whole = whole;
    this.element.hidden = whole === undefined || !this.#uses.link.supports('annotate');
    const { verdict } = whole?.marked ?? {};
    this.#success.press(verdict === true);
    this.#failure.press(verdict === false);
    this.#says.textContent = verdict === undefined ? 'Not right? Your verdict counts:' : 'Judged by hand:';
  }

  #judge(success: boolean): void {
    const { link, who, judged, complain } = this.#uses;
    if (this.#whole === undefined) return;
    const { trajectory, marked } = this.#whole;
    // Pressed again, it is taken back.
    const remark = { kind: 'verdict' as const, success: marked.verdict === success ? null : success };
    link.request('annotate', { trajectory, remark, who: who() }).then(() => judged(trajectory), complain);
  }
}
