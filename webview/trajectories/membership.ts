// Whether a trajectory is in the success pool, and how it gets in or out: the panel Annotate asks only of those of whom nobody has said it.

import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { DaemonLink } from '../shared/link/link.ts';

interface Uses {
  readonly link: DaemonLink;
  who(): string;
  changed(): void;
  complain(error: unknown): void;
}

export class Membership {
  readonly element: HTMLElement;
  readonly #uses: Uses;
  readonly #button;
  #whole: TrajectoryDetail | undefined;

  constructor(uses: Uses) {
    this.#uses = uses;
    this.#button = button({ text: 'Success pool' }, () => this.#turn());
    this.element = make('div', { class: 'membership' }, this.#button.element);
  }

  /** Failures are never in it. */
  show(whole: TrajectoryDetail | undefined): void {
    this.#whole = whole;
    const { isInPool } = whole?.marked ?? {};
    const may = isInPool === true || whole?.outcome === 'success';
    this.element.hidden = !may || !this.#uses.link.supports('annotate');
    this.#button.press(isInPool === true);
    this.#button.element.title =
      isInPool === true ? 'Take it out of the success pool' : 'Every run of the folder learns from it then';
  }

  #turn(): void {
    const { link, who, changed, complain } = this.#uses;
    if (this.#whole === undefined) return;
    const { trajectory, marked } = this.#whole;
    const remark = { kind: 'pool' as const, isMember: marked.isInPool === true ? null : true };
    link.request('annotate', { trajectory, remark, who: who() }).then(changed, complain);
  }
}
