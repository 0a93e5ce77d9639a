// The panel High-entropy steps: a gallery of the decisions that the agent was least sure of; each opens its trajectory.

import { OUTCOMES, type StepDetail, type UncertainStep } from '../../runtime/protocol/daemon/trajectories.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { button, choice, waiting } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { Around, Panel } from '../shared/panel.ts';
import { nothing, troubled } from '../shared/states.ts';
import { OUTCOME_WORDS } from '../shared/words.ts';
import { card, drawCard } from './card.ts';
import { askedFor, type Choices, choicesOf, grouped } from './state.ts';

const KEPT = 'uncertain';

const OPTIONS = {
  by: [
    { value: '', text: 'All together' },
    { value: 'task', text: 'By task' },
    { value: 'outcome', text: 'By outcome' },
  ],
  outcome: [
    { value: '', text: 'Any outcome' },
    ...OUTCOMES.map(value => ({ value, text: OUTCOME_WORDS[value] })),
  ],
  tier: [
    { value: '', text: 'All tiers' },
    ...[1, 2, 3, 4].map(tier => ({ value: `${tier}`, text: `Tier ${tier}` })),
  ],
};

const LABELS = { by: 'Group', outcome: 'Outcome', tier: 'Tier' };
const NAMES = ['by', 'outcome', 'tier'] as const;

export class Uncertain implements Panel {
  readonly element: HTMLElement;
  readonly #around: Around;
  readonly #gallery = make('div', { class: 'gallery' });
  readonly #observer: IntersectionObserver;
  readonly #steps = new WeakMap<Element, UncertainStep>();
  /** What was done in all steps of those that are in sight. */
  readonly #wholes = new Map<string, Promise<readonly StepDetail[]>>();
  #choices: Choices;
  #place: PanelPlace = { panel: 'uncertain' };
  #isConnected = false;
  #count = 0;
  #opened: HTMLElement | undefined;

  constructor(around: Around) {
    this.#around = around;
    this.#choices = choicesOf(around.host.read(KEPT));
    const bars = NAMES.map(name => {
      const made = choice(LABELS[name], value => {
        this.#choices = choicesOf({ ...this.#choices, [name]: value });
        around.host.keep(KEPT, this.#choices);
        this.#fetch();
      });
      made.show(OPTIONS[name], this.#choices[name]);
      return made.element;
    });
    const again = button({ text: 'Refresh' }, () => this.#fetch());
    this.element = make(
      'div',
      { class: 'uncertain' },
      make(
        'div',
        { class: 'filters' },
        make('p', {
          class: 'faint says',
          text: 'Where the agent hesitated most: these steps teach the most.',
        }),
        ...bars,
        again.element,
      ),
      this.#gallery,
    );
    this.#observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) {
          const step = this.#steps.get(target);
          if (!isIntersecting || step === undefined) continue;
          this.#observer.unobserve(target);
          drawCard(target, step, around.frames, this.#done(step));
        }
      },
      { rootMargin: '300px' },
    );
  }

  show(place: PanelPlace): void {
    const isOther = place.run !== this.#place.run;
    this.#place = place;
    if (isOther && this.#isConnected) this.#fetch();
    // Back from its trajectory, one goes on from there.
    else this.#opened?.focus({ preventScroll: true });
    this.#opened = undefined;
  }

  connected(): void {
    this.#isConnected = true;
    this.#fetch();
  }

  heard(): void {}

  runs(): void {}

  pressed(): boolean {
    return false;
  }

  #fetch(): void {
    const count = ++this.#count;
    if (this.#gallery.childElementCount === 0)
      this.#gallery.replaceChildren(waiting('Looking for uncertain steps…'));
    this.#around.host.link.request('steps.uncertain', askedFor(this.#choices, this.#place.run)).then(
      ({ steps }) => {
        if (count === this.#count) this.#fill(steps);
      },
      (error: unknown) => {
        if (count !== this.#count) return;
        const why = error instanceof Error ? error.message : String(error);
        this.#gallery.replaceChildren(troubled('The steps could not be fetched.', why, () => this.#fetch()));
      },
    );
  }

  #fill(steps: readonly UncertainStep[]): void {
    this.#observer.disconnect();
    this.#wholes.clear();
    if (steps.length === 0) {
      const remedy = 'They appear once a training has finished some attempts; filters above may hide them.';
      this.#gallery.replaceChildren(nothing('No uncertain steps', remedy));
      return;
    }
    this.#gallery.replaceChildren(
      ...grouped(steps, this.#choices.by).map(group => {
        const cards = group.steps.map(step => this.#card(step));
        const grid = make('div', { class: 'cards' }, ...cards);
        return group.title === '' ? grid : make('section', {}, make('h2', { text: group.title }), grid);
      }),
    );
  }

  async #done({ trajectory, step }: UncertainStep): Promise<StepDetail | undefined> {
    const { link } = this.#around.host;
    const known =
      this.#wholes.get(trajectory) ?? link.request('trajectory.get', { trajectory }).then(({ each }) => each);
    this.#wholes.set(trajectory, known);
    return (await known)[step];
  }

  #card(step: UncertainStep): HTMLElement {
    const { trajectory, step: at } = step;
    const { run } = this.#place;
    const made = card(step, () => {
      this.#opened = made;
      this.#around.go({ panel: 'trajectories', run, trajectory, step: at }, true);
    });
    this.#steps.set(made, step);
    this.#observer.observe(made);
    return made;
  }
}
