// The button that adds a trajectory to the success pool or removes it. The panel Annotate lists only undecided trajectories.

import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import { nextVote } from './pool-vote.ts';

interface Options {
  readonly link: DaemonLink;
  who(): string;
  onChange(): void;
  showError(error: unknown): void;
}

export class PoolToggle {
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #button;
  #whole: TrajectoryDetail | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#button = button({ text: 'Success pool' }, () => this.#turn());
    this.element = make('div', { class: 'membership' }, this.#button.element);
  }

  /** Hidden for failures and evaluations: they are never added to the pool. */
  show(whole: TrajectoryDetail | undefined): void {
    this.#whole = whole;
    const { isInPool } = whole?.marked ?? {};
    const mayJoin = whole?.outcome === 'success' && whole.purpose !== 'evaluate';
    this.element.hidden = !(isInPool === true || mayJoin) || !this.#options.link.supports('annotate');
    this.#button.setPressed(isInPool === true);
    this.#button.element.title =
      isInPool === true ? 'Remove it from the success pool' : titleOf(whole, this.#options.who());
  }

  #turn(): void {
    const { link, who, onChange, showError } = this.#options;
    if (this.#whole === undefined) return;
    const { trajectory, marked } = this.#whole;
    const isMember = nextVote(marked, who());
    link
      .request('annotate', { trajectory, remark: { kind: 'pool', isMember }, who: who() })
      .then(onChange, showError);
  }
}

const titleOf = (whole: TrajectoryDetail | undefined, who: string): string => {
  const rejecting = (whole?.marked.votes ?? []).filter(vote => !vote.isMember && vote.who !== who);
  return rejecting.length === 0
    ? 'Add it to the success pool: all runs in this folder learn from it'
    : `Rejected by ${rejecting.map(vote => vote.who).join(', ')}: it joins the success pool only without rejections`;
};
