// The filter bar above the list of trajectories.

import type { ListedAgent } from '../../runtime/protocol/daemon/agents.ts';
import { OUTCOMES, PROVENANCES, PURPOSES } from '../../runtime/protocol/daemon/trajectories.ts';
import { agentOptions } from '../shared/agents.ts';
import {
  type SelectControl,
  type SelectOption,
  select,
  type TextControl,
  textField,
} from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { capitalize, OUTCOME_LABELS, PROVENANCE_LABELS, PURPOSE_LABELS } from '../shared/labels.ts';
import { type ListFilters, parseFilters } from './query.ts';

const optionsOf = <V extends string>(
  words: Readonly<Record<V, string>>,
  values: readonly V[],
): readonly SelectOption[] => values.map(value => ({ value, text: capitalize(words[value]) }));

const CHOICES = {
  outcome: ['Outcome', [{ value: '', text: 'Outcome' }, ...optionsOf(OUTCOME_LABELS, OUTCOMES)]],
  tier: [
    'Tier',
    [{ value: '', text: 'Tier' }, ...[1, 2, 3, 4].map(tier => ({ value: `${tier}`, text: `Tier ${tier}` }))],
  ],
  purpose: ['Purpose', [{ value: '', text: 'Purpose' }, ...optionsOf(PURPOSE_LABELS, PURPOSES)]],
  provenance: ['Source', [{ value: '', text: 'Source' }, ...optionsOf(PROVENANCE_LABELS, PROVENANCES)]],
  pool: [
    'Success pool',
    [
      { value: '', text: 'Success pool' },
      { value: 'in', text: 'In the pool' },
      { value: 'out', text: 'Not in the pool' },
    ],
  ],
  sort: [
    'Sort by',
    [
      { value: 'endedAt', text: 'Sort by time' },
      { value: 'steps', text: 'Sort by steps' },
      { value: 'maxUncertainty', text: 'Sort by highest uncertainty' },
      { value: 'meanUncertainty', text: 'Sort by mean uncertainty' },
      { value: 'score', text: 'Sort by score' },
      { value: 'newest', text: 'Sort by weights version' },
    ],
  ],
  order: [
    'Direction',
    [
      { value: 'down', text: '↓ Descending' },
      { value: 'up', text: '↑ Ascending' },
    ],
  ],
} as const satisfies Readonly<Record<string, readonly [string, readonly SelectOption[]]>>;

type Name = keyof typeof CHOICES;
const NAMES = [
  'outcome',
  'tier',
  'purpose',
  'provenance',
  'pool',
  'sort',
  'order',
] as const satisfies readonly Name[];

/** The list is fetched after this pause in typing. */
const TYPING_PAUSE_MS = 200;

export class FilterBar {
  readonly element = make('div', { class: 'filters' });
  readonly #choices: readonly { readonly name: Name; readonly choice: SelectControl }[];
  readonly #text: TextControl;
  readonly #agent: SelectControl;
  #agents: readonly ListedAgent[] = [];
  #filters: ListFilters;
  #typingTimer: ReturnType<typeof setTimeout> | undefined;

  /** `compare` is beside the agents, and hidden with them. */
  constructor(filters: ListFilters, compare: HTMLElement, onChange: (filters: ListFilters) => void) {
    this.#filters = filters;
    const change = (part: Readonly<Record<string, string>>) => {
      this.#filters = parseFilters({ ...this.#filters, ...part });
      onChange(this.#filters);
    };
    this.#text = textField({ label: 'Search instructions and tasks', placeholder: 'Search…' }, text => {
      clearTimeout(this.#typingTimer);
      this.#typingTimer = setTimeout(() => change({ text }), TYPING_PAUSE_MS);
    });
    this.#choices = NAMES.map(name => ({
      name,
      choice: select(CHOICES[name][0], value => change({ [name]: value })),
    }));
    this.#agent = select('Agent', agent => change({ agent }));
    const of = (...names: readonly Name[]) =>
      this.#choices.flatMap(each => (names.includes(each.name) ? [each.choice.element] : []));
    const more = make(
      'details',
      { class: 'more' },
      make('summary', { text: 'More filters' }),
      make('div', { class: 'filters' }, ...of('purpose', 'provenance', 'pool')),
    );
    // An active filter is never hidden.
    more.open = filters.purpose !== '' || filters.provenance !== '' || filters.pool !== '';
    this.element.append(
      ...[
        this.#text.element,
        ...of('outcome', 'tier'),
        this.#agent.element,
        compare,
        ...of('sort', 'order'),
        more,
      ],
    );
    this.element.setAttribute('role', 'search');
    this.show(filters);
  }

  show(filters: ListFilters): void {
    this.#filters = filters;
    this.#text.value = filters.text;
    for (const each of this.#choices) each.choice.setOptions(CHOICES[each.name][1], filters[each.name]);
    this.#showAgents();
  }

  /** The agents that have played. The filter is hidden if there is only one. */
  setAgents(agents: readonly ListedAgent[]): void {
    this.#agents = agents;
    // A text that is being typed stays.
    this.#showAgents();
  }

  #showAgents(): void {
    const { agent } = this.#filters;
    this.#agent.element.hidden = this.#agents.length < 2 && agent === '';
    this.#agent.setOptions([{ value: '', text: 'All agents' }, ...agentOptions(this.#agents, agent)], agent);
  }
}
