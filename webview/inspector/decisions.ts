// What is known of one step: how sure it was, what it nearly did instead, and what training made of it.

import type { DecisionDetail, StepDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { make } from '../shared/dom.ts';
import { counted, percent, signed } from '../shared/words.ts';
import { uncertaintyOf } from './state.ts';

const HEADS: Readonly<Record<string, string>> = {
  kind: 'What to do',
  pointer: 'Where to point',
  text: 'What to type',
  key: 'Which key',
};

/** More would not be read. */
const MOST = 6;

export class Decisions {
  readonly element = make('div', { class: 'decisions' });

  /** `mayTrain` is false where no batch will ever have it. */
  show(step: StepDetail | undefined, mayTrain: boolean): void {
    if (step === undefined) {
      this.element.replaceChildren(make('p', { class: 'faint', text: 'This is what the last step left.' }));
      return;
    }
    const { chosen } = step;
    this.element.replaceChildren(
      make('h3', { text: step.says }),
      ...(chosen === undefined
        ? [
            make('p', {
              class: 'faint',
              text: 'No agent of ours chose this step: there is nothing to weigh.',
            }),
          ]
        : [gauge(step), facts(step, mayTrain), ...chosen.decisions.map(decided)]),
    );
  }
}

function gauge(step: StepDetail): HTMLElement {
  const share = uncertaintyOf(step) ?? 0;
  const track = make('span', { class: 'track' }, make('span', { class: 'fill' }));
  const [fill] = track.children;
  if (fill instanceof HTMLElement) fill.style.width = `${100 * Math.min(1, share)}%`;
  const { training } = step;
  if (training !== undefined) {
    const line = make('span', { class: 'threshold' });
    line.style.left = `${100 * Math.min(1, training.threshold)}%`;
    track.append(line);
  }
  track.setAttribute('aria-hidden', 'true');
  const says =
    training === undefined
      ? ''
      : training.kept
        ? `trained: above ${percent(training.threshold)}`
        : `left out: below ${percent(training.threshold)}`;
  return make(
    'p',
    {
      class: 'gauge',
      title:
        'The entropy of its decisions, as a share of the most that it could be. Of a group only the most uncertain steps train.',
    },
    make('span', { text: 'Uncertainty' }),
    make('strong', { text: percent(share) }),
    make('span', { class: 'trains faint', text: says }),
    track,
  );
}

function facts({ chosen, training }: StepDetail, mayTrain: boolean): HTMLElement {
  const list = make('dl', { class: 'facts' });
  const add = (name: string, value: string, title: string) =>
    list.append(make('div', { title }, make('dt', { text: name }), make('dd', { text: value })));
  if (chosen !== undefined) {
    add('Probability', percent(chosen.probability), 'Of all that was decided in this step, together.');
    add('Weights', counted(chosen.version), 'The version that chose it.');
  }
  const { advantage } = training ?? {};
  if (advantage !== undefined)
    add(
      'Advantage',
      signed(advantage),
      'How much better this attempt did than its group: what training follows.',
    );
  if (training === undefined && mayTrain)
    add('Trained', 'not yet', 'Whether a batch had it, as far as is known.');
  return list;
}

function decided({ head, choices, entropy, alternatives }: DecisionDetail): HTMLElement {
  const rest = 1 - alternatives.slice(0, MOST).reduce((sum, { probability }) => sum + probability, 0);
  const list = make('ol');
  for (const { label, probability, isChosen } of alternatives.slice(0, MOST)) {
    const fill = make('span', { class: 'fill' });
    fill.style.width = `${100 * probability}%`;
    const item = make(
      'li',
      { title: label },
      fill,
      make('span', { class: 'label', text: label }),
      make('span', { class: 'share', text: percent(probability) }),
    );
    if (isChosen) {
      item.dataset['chosen'] = 'true';
      item.append(make('span', { class: 'hidden', text: ', chosen' }));
    }
    list.append(item);
  }
  if (rest > 0.01 && choices > alternatives.length)
    list.append(
      make(
        'li',
        { class: 'rest' },
        make('span', {
          class: 'label',
          text: `${counted(choices - Math.min(MOST, alternatives.length))} more`,
        }),
        make('span', { class: 'share', text: percent(rest) }),
      ),
    );
  const about = `of ${counted(choices)} · ${entropy.toFixed(2)} nats`;
  return make(
    'section',
    { class: 'decision' },
    make('h4', { text: HEADS[head] ?? head }, make('span', { class: 'faint', text: ` ${about}` })),
    list,
  );
}
