// What the list can be narrowed to and ordered by, as a bar of controls.

import { OUTCOMES, PROVENANCES, PURPOSES } from '../../runtime/protocol/daemon/trajectories.ts';
import { type Choice, choice, type Field, field, type Option } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { OUTCOME_WORDS, PROVENANCE_WORDS, PURPOSE_WORDS } from '../shared/words.ts';
import { type Filters, filtersOf } from './query.ts';

const capital = (text: string): string => (text[0]?.toUpperCase() ?? '') + text.slice(1);

const worded = <V extends string>(
  words: Readonly<Record<V, string>>,
  values: readonly V[],
): readonly Option[] => values.map(value => ({ value, text: capital(words[value]) }));

const CHOICES = {
  outcome: ['Outcome', [{ value: '', text: 'Outcome' }, ...worded(OUTCOME_WORDS, OUTCOMES)]],
  tier: [
    'Tier',
    [{ value: '', text: 'Tier' }, ...[1, 2, 3, 4].map(tier => ({ value: `${tier}`, text: `Tier ${tier}` }))],
  ],
  purpose: ['Purpose', [{ value: '', text: 'Purpose' }, ...worded(PURPOSE_WORDS, PURPOSES)]],
  provenance: ['Source', [{ value: '', text: 'Source' }, ...worded(PROVENANCE_WORDS, PROVENANCES)]],
  pool: [
    'Success pool',
    [
      { value: '', text: 'Pool' },
      { value: 'in', text: 'In the pool' },
      { value: 'out', text: 'Not in the pool' },
    ],
  ],
  sort: [
    'Order by',
    [
      { value: 'endedAt', text: 'By time' },
      { value: 'steps', text: 'By length' },
      { value: 'maxUncertainty', text: 'By highest uncertainty' },
      { value: 'meanUncertainty', text: 'By mean uncertainty' },
      { value: 'score', text: 'By score' },
      { value: 'newest', text: 'By weights' },
    ],
  ],
  order: [
    'Direction',
    [
      { value: 'down', text: '↓ Falling' },
      { value: 'up', text: '↑ Rising' },
    ],
  ],
} as const satisfies Readonly<Record<string, readonly [string, readonly Option[]]>>;

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

/** Long enough that a word is typed, short enough not to be noticed. */
const TYPING = 200;

export class FilterBar {
  readonly element = make('div', { class: 'filters' });
  readonly #choices: readonly { readonly name: Name; readonly choice: Choice }[];
  readonly #text: Field;
  #shown: Filters;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(shown: Filters, changed: (filters: Filters) => void) {
    this.#shown = shown;
    const change = (part: Readonly<Record<string, string>>) => {
      this.#shown = filtersOf({ ...this.#shown, ...part });
      changed(this.#shown);
    };
    this.#text = field({ label: 'Find in instructions and tasks', placeholder: 'Find…' }, text => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => change({ text }), TYPING);
    });
    this.#choices = NAMES.map(name => ({
      name,
      choice: choice(CHOICES[name][0], value => change({ [name]: value })),
    }));
    const of = (...names: readonly Name[]) =>
      this.#choices.flatMap(each => (names.includes(each.name) ? [each.choice.element] : []));
    const more = make(
      'details',
      { class: 'more' },
      make('summary', { text: 'More filters' }),
      make('div', { class: 'filters' }, ...of('purpose', 'provenance', 'pool')),
    );
    // What narrows the list is never hidden.
    more.open = shown.purpose !== '' || shown.provenance !== '' || shown.pool !== '';
    this.element.append(this.#text.element, ...of('outcome', 'tier', 'sort', 'order'), more);
    this.element.setAttribute('role', 'search');
    this.show(shown);
  }

  show(filters: Filters): void {
    this.#shown = filters;
    this.#text.value = filters.text;
    for (const each of this.#choices) each.choice.show(CHOICES[each.name][1], filters[each.name]);
  }
}
