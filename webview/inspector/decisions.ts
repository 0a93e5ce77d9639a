// One step in detail: its uncertainty, its decisions with their alternatives, and its use in training.

import type { DecisionDetail, StepDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { make } from '../shared/dom.ts';
import { ACTION_LABELS, formatCount, formatPercent, formatSigned, plural } from '../shared/labels.ts';
import { decisionRows } from './decision-rows.ts';
import { uncertaintyOf } from './state.ts';

const HEADS: Readonly<Record<string, string>> = {
  kind: 'Action',
  pointer: 'Pointer target',
  text: 'Text',
  key: 'Key',
};

export class DecisionList {
  readonly element = make('div', { class: 'decisions' });

  /** `mayTrain` is false if the trajectory never trains. */
  show(step: StepDetail | undefined, mayTrain: boolean): void {
    if (step === undefined) {
      this.element.replaceChildren(make('p', { class: 'faint', text: 'The screen after the last step.' }));
      return;
    }
    const { chosen } = step;
    this.element.replaceChildren(
      make('h3', { text: step.says }),
      ...(chosen === undefined
        ? [
            make('p', {
              class: 'faint',
              text: 'No policy chose this step, so there are no probabilities.',
            }),
          ]
        : [gauge(step), facts(step, mayTrain), ...chosen.decisions.map(decisionSection)]),
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
  const useInTraining =
    training === undefined
      ? ''
      : training.kept
        ? `trained: ≥ ${formatPercent(training.threshold)}`
        : `masked: < ${formatPercent(training.threshold)}`;
  return make(
    'p',
    {
      class: 'gauge',
      title: `The entropy of its decisions as a share of the maximum, under the weights that ${training === undefined ? 'chose the step' : 'trained on it'}. Only the most uncertain steps of a group train.`,
    },
    make('span', { text: 'Uncertainty' }),
    make('strong', { text: formatPercent(share) }),
    make('span', { class: 'trains faint', text: useInTraining }),
    track,
  );
}

function facts({ chosen, training }: StepDetail, mayTrain: boolean): HTMLElement {
  const list = make('dl', { class: 'facts' });
  const add = (name: string, value: string, title: string) =>
    list.append(make('div', { title }, make('dt', { text: name }), make('dd', { text: value })));
  if (chosen !== undefined) {
    const { probability } = chosen;
    if (probability !== undefined)
      add('Probability', formatPercent(probability), 'The joint probability of all decisions of this step.');
    add('Weights', formatCount(chosen.version), 'The version of the weights that chose the step.');
  }
  const { advantage } = training ?? {};
  if (advantage !== undefined)
    add(
      'Advantage',
      formatSigned(advantage),
      'The reward relative to the group of the rollout, or to the value of the step where critics learn it.',
    );
  if (training === undefined && mayTrain)
    add('Trained', 'not yet', 'No batch has contained this step so far.');
  return list;
}

const isActionKind = (kind: string): kind is keyof typeof ACTION_LABELS => kind in ACTION_LABELS;

const actionLabel = (kind: string): string => (isActionKind(kind) ? ACTION_LABELS[kind] : kind);

function decisionSection(decision: DecisionDetail): HTMLElement {
  const { head, choices, entropy } = decision;
  const { rows, others } = decisionRows(decision);
  const list = make('ol');
  for (const { label: raw = 'another choice', probability, isChosen } of rows) {
    const label = head === 'kind' ? actionLabel(raw) : raw;
    const fill = make('span', { class: 'fill' });
    fill.style.width = `${100 * probability}%`;
    const item = make(
      'li',
      { title: label },
      fill,
      make('span', { class: 'label', text: label }),
      make('span', { class: 'share', text: formatPercent(probability) }),
    );
    if (isChosen) {
      item.dataset['chosen'] = 'true';
      item.append(make('span', { class: 'hidden', text: ', chosen' }));
    }
    list.append(item);
  }
  if (others !== undefined)
    list.append(
      make(
        'li',
        { class: 'rest' },
        make('span', { class: 'label', text: `${formatCount(others.count)} more` }),
        make('span', { class: 'share', text: formatPercent(others.probability) }),
      ),
    );
  const about = `${plural(choices, 'choice')} · ${entropy.toFixed(2)} nats`;
  return make(
    'section',
    { class: 'decision' },
    make('h4', { text: HEADS[head] ?? head }, make('span', { class: 'faint', text: ` ${about}` })),
    list,
  );
}
