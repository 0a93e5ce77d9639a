// A verdict by hand, which overrides the evaluator. If the run still trains, its data module evaluates the group again.

import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { DaemonLink } from '../shared/link/link.ts';

interface Options {
  readonly link: DaemonLink;
  who(): string;
  onChange(trajectory: string): void;
  showError(error: unknown): void;
}

export class VerdictButtons {
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #label = make('span', { class: 'faint' });
  readonly #success;
  readonly #failure;
  #whole: TrajectoryDetail | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#success = button({ text: '✓ Success', label: 'Set the verdict to success' }, () =>
      this.#judge(true),
    );
    this.#failure = button({ text: '✗ Failure', label: 'Set the verdict to failure' }, () =>
      this.#judge(false),
    );
    this.element = make(
      'div',
      { class: 'verdict' },
      this.#label,
      this.#success.element,
      this.#failure.element,
    );
  }

  show(whole: TrajectoryDetail | undefined): void {
    this.#whole = whole;
    this.element.hidden = whole === undefined || !this.#options.link.supports('annotate');
    const { verdict } = whole?.marked ?? {};
    this.#success.setPressed(verdict === true);
    this.#failure.setPressed(verdict === false);
    this.#label.textContent = verdict === undefined ? 'Your verdict:' : 'Verdict by hand:';
  }

  #judge(success: boolean): void {
    const { link, who, onChange, showError } = this.#options;
    if (this.#whole === undefined) return;
    const { trajectory, marked } = this.#whole;
    // A second press removes the verdict.
    const remark = { kind: 'verdict' as const, success: marked.verdict === success ? null : success };
    link.request('annotate', { trajectory, remark, who: who() }).then(() => onChange(trajectory), showError);
  }
}
