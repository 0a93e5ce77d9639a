// A verdict given by hand: it takes the evaluator's place. While the run trains, the run is told, so that it weighs the group anew.

import type { WholeTrajectory } from '../../runtime/protocol/daemon/trajectories.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { Link } from '../shared/link/link.ts';

interface Uses {
  readonly link: Link;
  who(): string;
  isTraining(run: string): boolean;
  judged(trajectory: string): void;
  complain(error: unknown): void;
}

export class HandVerdict {
  readonly element: HTMLElement;
  readonly #uses: Uses;
  readonly #says = make('span', { class: 'faint' });
  readonly #success;
  readonly #failure;
  #whole: WholeTrajectory | undefined;

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

  show(whole: WholeTrajectory | undefined): void {
    this.#whole = whole;
    this.element.hidden = whole === undefined || !this.#uses.link.does('annotate');
    const { verdict } = whole?.marked ?? {};
    this.#success.press(verdict === true);
    this.#failure.press(verdict === false);
    this.#says.textContent = verdict === undefined ? 'Not right? Your verdict counts:' : 'Judged by hand:';
  }

  #judge(success: boolean): void {
    const { link, who, isTraining, judged, complain } = this.#uses;
    if (this.#whole === undefined) return;
    const { trajectory, run, marked } = this.#whole;
    const isLive = run !== undefined && isTraining(run);
    // Pressed again, it is taken back; a run that trains only takes another one.
    const remark = { kind: 'verdict' as const, success: marked.verdict === success ? null : success };
    const done = isLive
      ? link.ask('verdict', { run, trajectory, success, who: who() })
      : link.ask('annotate', { trajectory, remark, who: who() });
    done.then(() => judged(trajectory), complain);
  }
}
