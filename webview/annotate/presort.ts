// The control that lets a model agent pre-sort the queue: starts it, shows its progress, cancels it. The agent makes suggestions; people
// decide.

import {
  isPresortRunning,
  MAX_PRESORTED,
  type PresortState,
} from '../../runtime/protocol/daemon/annotation.ts';
import { button, select, textField } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { formatCount } from '../shared/labels.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import { presortCount, presortLabel, presortProblem } from './suggestions.ts';

interface PresortOptions {
  readonly link: () => DaemonLink;
  /** The run whose queue is shown; undefined for all. */
  readonly run: () => string | undefined;
  /** Shows the queue in the order of the suggestions. */
  readonly show: () => void;
  readonly failed: (error: unknown) => void;
}

const DEFAULT_COUNT = 20;

export class PresortControl {
  readonly element = make('section', { class: 'presort' });
  readonly #options: PresortOptions;
  readonly #open = button({ text: '' }, () => this.#toggle(true));
  readonly #agents = select('Agent', agent => {
    this.#agent = agent;
  });
  readonly #count = textField({ label: 'Number of trajectories' }, () => undefined);
  readonly #form: HTMLElement;
  readonly #text = make('p', { class: 'faint' });
  readonly #problem = make('p', { class: 'faint problem' });
  readonly #progress = make('progress');
  readonly #cancel = button({ text: 'Cancel' }, () => this.#stop());
  readonly #show;
  #agent = '';
  #state: PresortState | undefined;
  /** Replies to earlier rounds are ignored. */
  #round = 0;

  constructor(options: PresortOptions) {
    this.#options = options;
    this.#show = button({ text: 'Show these first' }, options.show);
    this.#count.value = String(DEFAULT_COUNT);
    this.#text.setAttribute('role', 'status');
    this.#progress.setAttribute('aria-label', 'Pre-sorted');
    this.element.setAttribute('aria-label', 'Pre-sort');
    this.#form = make(
      'div',
      { class: 'presort-form' },
      make('p', {
        class: 'faint',
        text: 'The model is asked once about each trajectory, the most informative first. Its answers order the queue; they are no votes. The limits of the agent apply.',
      }),
      this.#agents.element,
      this.#count.element,
      button({ text: 'Start', kind: 'primary' }, () => this.#start()).element,
      button({ text: 'Close' }, () => this.#toggle(false)).element,
    );
    this.element.append(
      this.#open.element,
      this.#form,
      this.#text,
      this.#progress,
      this.#problem,
      this.#cancel.element,
      this.#show.element,
    );
    this.element.hidden = true;
    this.#toggle(false);
  }

  /** Finds the agents, and shows the latest pre-sort: it may have ended during a lost connection. A new daemon knows none. */
  connected(): void {
    const link = this.#options.link();
    if (!link.supports('presort.start')) {
      this.element.hidden = true;
      return;
    }
    const round = ++this.#round;
    link.request('presort.now', {}).then(
      ({ agents, presort }) => {
        if (round !== this.#round) return;
        const [first = ''] = agents;
        this.#agent = agents.includes(this.#agent) ? this.#agent : first;
        this.element.hidden = first === '';
        this.#open.setText(agents.length === 1 ? `Pre-sort with ${first}…` : 'Pre-sort with a model…');
        this.#agents.setOptions(
          agents.map(value => ({ value, text: value })),
          this.#agent,
        );
        this.#agents.element.hidden = agents.length < 2;
        this.#state = presort;
        this.#draw();
        if (presort !== undefined) void this.#follow(presort, round);
      },
      // The queue reports a daemon that does not answer.
      () => undefined,
    );
  }

  #toggle(isOpen: boolean): void {
    this.#form.hidden = !isOpen;
    this.#draw();
    if (isOpen) this.#count.element.focus();
  }

  #start(): void {
    const count = presortCount(this.#count.value);
    if (count === undefined) {
      this.#options.failed(
        new RangeError(
          `'${this.#count.value}' is no number of trajectories from 1 to ${formatCount(MAX_PRESORTED)}. Correct it.`,
        ),
      );
      return;
    }
    const { link, run, failed } = this.#options;
    const round = ++this.#round;
    const ofRun = run();
    const params = { agent: this.#agent, count, ...(ofRun !== undefined && { run: ofRun }) };
    link()
      .request('presort.start', params)
      .then(state => {
        this.#form.hidden = true;
        return this.#follow(state, round);
      })
      .catch(failed);
  }

  async #follow(first: PresortState, round: number): Promise<void> {
    const { link, failed } = this.#options;
    try {
      for (let state = first; round === this.#round; ) {
        this.#state = state;
        this.#draw();
        if (!isPresortRunning(state)) return;
        const { presort, change } = state;
        state = await link().request('presort.follow', { presort, after: change });
      }
    } catch (error) {
      if (round === this.#round) failed(error);
    }
  }

  #stop(): void {
    const { link, failed } = this.#options;
    if (this.#state !== undefined)
      link().request('presort.cancel', { presort: this.#state.presort }).catch(failed);
  }

  #draw(): void {
    const state = this.#state;
    const isRunning = state !== undefined && isPresortRunning(state);
    this.#open.element.hidden = isRunning || !this.#form.hidden;
    this.#text.textContent = state === undefined ? '' : presortLabel(state);
    this.#problem.textContent = state === undefined ? '' : presortProblem(state);
    this.#problem.hidden = this.#problem.textContent === '';
    this.#progress.hidden = !isRunning;
    this.#cancel.element.hidden = !isRunning;
    this.#show.element.hidden = isRunning || state === undefined || state.suggested === 0;
    if (state === undefined) return;
    const { total, suggested, unreadable, failed } = state;
    Object.assign(this.#progress, { max: Math.max(1, total), value: suggested + unreadable + failed });
  }
}
