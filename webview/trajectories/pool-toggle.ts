// The button that adds a trajectory to the success pool or removes it. The panel Annotate lists only undecided trajectories.

import type { AnnotationMarks } from '../../runtime/protocol/daemon/remarks.ts';
import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { DaemonLink } from '../shared/link/link.ts';

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

  /** Hidden for failures: they are never added to the pool. */
  show(whole: TrajectoryDetail | undefined): void {
    this.#whole = whole;
    const { isInPool } = whole?.marked ?? {};
    const isAllowed = isInPool === true || whole?.outcome === 'success';
    this.element.hidden = !isAllowed || !this.#options.link.supports('annotate');
    this.#button.setPressed(isInPool === true);
    this.#button.element.title =
      isInPool === true
        ? 'Remove it from the success pool'
        : 'Add it to the success pool: all runs in this folder learn from it';
  }

  #turn(): void {
    const { link, who, onChange, showError } = this.#options;
    if (this.#whole === undefined) return;
    const { trajectory, marked } = this.#whole;
    const isMember = marked.isInPool === true ? (hasOtherVotes(marked, who()) ? false : null) : true;
    link
      .request('annotate', { trajectory, remark: { kind: 'pool', isMember }, who: who() })
      .then(onChange, showError);
  }
}

/** Another person's acceptance remains when the own one is withdrawn. */
const hasOtherVotes = ({ votes = [] }: AnnotationMarks, who: string): boolean =>
  votes.some(vote => vote.who !== who);
