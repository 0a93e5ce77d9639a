// The panel High-Entropy Steps: a gallery of the steps with the highest entropy. A card opens its trajectory at that step.

import type { ListedAgent } from '../../runtime/protocol/daemon/agents.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { OUTCOMES, type StepDetail, type UncertainStep } from '../../runtime/protocol/daemon/trajectories.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { agentOptions } from '../shared/agents.ts';
import { button, type SelectControl, select, spinner } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { messageOf } from '../shared/errors.ts';
import { OUTCOME_LABELS } from '../shared/labels.ts';
import { Limiter } from '../shared/limiter.ts';
import type { Panel, PanelContext } from '../shared/panel.ts';
import { emptyState, errorState } from '../shared/placeholders.ts';
import { Refill } from '../shared/refill.ts';
import { drawCard, makeCard } from './card.ts';
import {
  type GalleryChoices,
  galleryQuery,
  groupSteps,
  parseChoices,
  type StepGroup,
  scaleLine,
  sectionTitle,
  shownAgents,
} from './state.ts';

const STORAGE_KEY = 'uncertain';
/** As many as of frames. */
const MAX_CONCURRENT_REQUESTS = 4;

const OPTIONS = {
  by: [
    { value: '', text: 'Not grouped' },
    { value: 'task', text: 'Group by task' },
    { value: 'outcome', text: 'Group by outcome' },
  ],
  outcome: [
    { value: '', text: 'Any outcome' },
    ...OUTCOMES.map(value => ({ value, text: OUTCOME_LABELS[value] })),
  ],
  tier: [
    { value: '', text: 'All tiers' },
    ...[1, 2, 3, 4].map(tier => ({ value: `${tier}`, text: `Tier ${tier}` })),
  ],
};

const LABELS = { by: 'Group by', outcome: 'Outcome', tier: 'Tier' };
const NAMES = ['by', 'outcome', 'tier'] as const;

interface FoundSteps {
  readonly steps: readonly UncertainStep[];
  readonly agents: readonly ListedAgent[];
  /** The agent of the steps; undefined if only one agent has played. */
  readonly agent: string | undefined;
}

export class UncertainPanel implements Panel {
  readonly element: HTMLElement;
  readonly #context: PanelContext;
  readonly #gallery = make('div', { class: 'gallery' });
  readonly #says = make('p', { class: 'faint says', text: scaleLine(undefined) });
  readonly #agent: SelectControl;
  readonly #observer: IntersectionObserver;
  readonly #steps = new WeakMap<Element, UncertainStep>();
  /** The steps of the trajectories of visible cards. */
  readonly #trajectories = new Map<string, Promise<readonly StepDetail[]>>();
  readonly #requests = new Limiter(MAX_CONCURRENT_REQUESTS);
  #choices: GalleryChoices;
  #place: PanelPlace = { panel: 'uncertain' };
  #isConnected = false;
  #generation = 0;
  #isEmpty = false;
  #opened: HTMLElement | undefined;
  readonly #refill = new Refill({ isEmpty: () => this.#isEmpty, fetch: () => this.#fetch() });

  constructor(context: PanelContext) {
    this.#context = context;
    this.#choices = parseChoices(context.host.read(STORAGE_KEY));
    const choose = (part: Readonly<Record<string, string>>) => {
      this.#choices = parseChoices({ ...this.#choices, ...part });
      context.host.keep(STORAGE_KEY, this.#choices);
      this.#fetch();
    };
    this.#agent = select('Agent', agent => choose({ agent }));
    this.#agent.element.hidden = true;
    const bars = NAMES.map(name => {
      const made = select(LABELS[name], value => choose({ [name]: value }));
      made.setOptions(OPTIONS[name], this.#choices[name]);
      return made.element;
    });
    const again = button({ text: 'Refresh' }, () => this.#fetch());
    this.element = make(
      'div',
      { class: 'uncertain' },
      make('div', { class: 'filters' }, this.#says, this.#agent.element, ...bars, again.element),
      this.#gallery,
    );
    this.#observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) {
          const step = this.#steps.get(target);
          if (!isIntersecting || step === undefined) continue;
          this.#observer.unobserve(target);
          drawCard(target, step, context.frames, this.#stepDetail(step));
        }
      },
      { rootMargin: '300px' },
    );
  }

  show(place: PanelPlace): void {
    const isOther = place.run !== this.#place.run;
    this.#place = place;
    if (isOther && this.#isConnected) this.#fetch();
    // Back from a trajectory, the focus returns to its card.
    else this.#opened?.focus({ preventScroll: true });
    this.#opened = undefined;
  }

  connected(): void {
    this.#isConnected = true;
    this.#fetch();
  }

  stateChanged(state: RunState): void {
    const { run = state.run } = this.#place;
    if (run === state.run) this.#refill.stateChanged(state);
  }

  runsChanged(): void {}

  keyPressed(): boolean {
    return false;
  }

  #fetch(): void {
    this.#isEmpty = false;
    const generation = ++this.#generation;
    if (this.#gallery.childElementCount === 0) this.#gallery.replaceChildren(spinner('Loading steps…'));
    this.#search(generation).then(
      ({ steps, agents, agent }) => {
        if (generation !== this.#generation) return;
        this.#agent.element.hidden = agent === undefined;
        if (agent !== undefined) this.#agent.setOptions(agentOptions(agents, agent), agent);
        this.#fill(steps);
      },
      (error: unknown) => {
        if (generation !== this.#generation) return;
        const why = messageOf(error);
        this.#gallery.replaceChildren(errorState('The steps could not be loaded.', why, () => this.#fetch()));
      },
    );
  }

  /** Ends early when the user has made another choice. */
  async #search(generation: number): Promise<FoundSteps> {
    const { link } = this.#context.host;
    const { run } = this.#place;
    const choices = this.#choices;
    const { agents } = await link.request('agents.list', {});
    const hasSeveral = agents.length > 1 || choices.agent !== '';
    let found: FoundSteps = { steps: [], agents, agent: undefined };
    for (const agent of hasSeveral ? shownAgents(choices, agents) : [undefined]) {
      const { steps } = await link.request('steps.uncertain', galleryQuery(choices, run, agent));
      found = { steps, agents, agent };
      if (steps.length > 0 || generation !== this.#generation) break;
    }
    return found;
  }

  #fill(steps: readonly UncertainStep[]): void {
    this.#observer.disconnect();
    this.#trajectories.clear();
    const groups = groupSteps(steps, this.#choices.by);
    this.#says.textContent = scaleLine(groups[0]?.scale);
    this.#isEmpty = steps.length === 0;
    if (this.#isEmpty) {
      const remedy =
        'They appear once a run has finished its first episodes; evaluations are not searched. The filters above may hide steps.';
      this.#gallery.replaceChildren(emptyState('No uncertain steps', remedy));
      return;
    }
    this.#gallery.replaceChildren(
      ...groups.map(group => {
        const cards = group.steps.map(step => this.#card(step, group));
        const grid = make('div', { class: 'cards' }, ...cards);
        const title = sectionTitle(group, groups);
        return title === '' ? grid : make('section', {}, make('h2', { text: title }), grid);
      }),
    );
  }

  async #stepDetail({ trajectory, step }: UncertainStep): Promise<StepDetail | undefined> {
    const { link } = this.#context.host;
    const generation = this.#generation;
    const steps =
      this.#trajectories.get(trajectory) ??
      this.#requests.run(async () =>
        // Cards that were replaced meanwhile need nothing.
        generation === this.#generation ? (await link.request('trajectory.get', { trajectory })).each : [],
      );
    this.#trajectories.set(trajectory, steps);
    return (await steps)[step];
  }

  #card(step: UncertainStep, { maximum }: StepGroup): HTMLElement {
    const { trajectory, step: at } = step;
    const { run } = this.#place;
    const made = makeCard(step, maximum, () => {
      this.#opened = made;
      this.#context.go({ panel: 'trajectories', run, trajectory, step: at }, true);
    });
    this.#steps.set(made, step);
    this.#observer.observe(made);
    return made;
  }
}
