// One row of the list. Rows are reused while the list scrolls.

import type { TrajectoryRow } from '../../runtime/protocol/daemon/trajectories.ts';
import { showAge } from '../shared/age.ts';
import { make, signWithText } from '../shared/dom.ts';
import {
  COMPACT,
  formatNats,
  formatPercent,
  OUTCOME_LABELS,
  OUTCOME_SIGNS,
  plural,
  rowVersions,
  usageLabel,
} from '../shared/labels.ts';

export const ROW_HEIGHT_PX = 54;

interface Parts {
  readonly sign: HTMLElement;
  readonly title: HTMLElement;
  readonly line: HTMLElement;
  readonly fill: HTMLElement;
  readonly bar: HTMLElement;
  /** In place of the bar for a language model. */
  readonly nats: HTMLElement;
  readonly when: HTMLElement;
  readonly star: HTMLElement;
  /** The value of the bar, for screen readers. */
  readonly unsure: HTMLElement;
}

const parts = new WeakMap<HTMLElement, Parts>();

function partsOf(element: HTMLElement): Parts {
  const existing = parts.get(element);
  if (existing !== undefined) return existing;
  const fill = make('span', { class: 'fill' });
  const made = {
    sign: make('span', { class: 'sign' }),
    title: make('span', { class: 'instruction' }),
    line: make('span', { class: 'line faint' }),
    fill,
    bar: make('span', { class: 'meter', title: 'Highest uncertainty of its steps' }, fill),
    nats: make('span', { class: 'nats faint', title: 'Highest entropy of its replies' }),
    when: make('span', { class: 'when faint' }),
    star: make(
      'span',
      { class: 'star', title: 'In the success pool' },
      ...signWithText('★', ', in the success pool'),
    ),
    unsure: make('span', { class: 'hidden' }),
  };
  element.append(made.sign, made.title, made.when, made.line, made.star, made.bar, made.nats, made.unsure);
  parts.set(element, made);
  return made;
}

/** `opened` is 1 for the open trajectory, and 2 for the one that is open beside it. `withAgent`: agents differ between rows. */
export function fillRow(
  element: HTMLElement,
  row: TrajectoryRow | undefined,
  opened: 0 | 1 | 2,
  now: number,
  withAgent: boolean,
): void {
  const { sign, title, line, fill, bar, nats, when, star, unsure } = partsOf(element);
  element.dataset['empty'] = String(row === undefined);
  element.dataset['open'] = String(opened);
  if (row === undefined) {
    element.setAttribute('aria-label', 'Loading');
    return;
  }
  const { outcome, instruction, marked, task, steps, maxUncertainty, endedAt, agent = COMPACT, usage } = row;
  sign.className = `sign ${outcome}`;
  sign.replaceChildren(...signWithText(OUTCOME_SIGNS[outcome], `${OUTCOME_LABELS[outcome]}: `));
  title.textContent = marked.instruction ?? instruction;
  const parts = [
    withAgent ? agent : '',
    ...[task, plural(steps, 'step'), rowVersions(row), usageLabel(usage), marked.label ?? ''],
  ];
  line.textContent = parts.filter(part => part !== '').join(' · ');
  showAge(when, endedAt, now);
  star.hidden = marked.isInPool !== true;
  // The entropy of a language model is in nats, which has no maximum: a bar would compare it with shares.
  bar.hidden = maxUncertainty === undefined || usage !== undefined;
  nats.hidden = maxUncertainty === undefined || usage === undefined;
  nats.textContent = formatNats(maxUncertainty ?? 0);
  fill.style.width = `${100 * Math.min(1, maxUncertainty ?? 0)}%`;
  unsure.textContent =
    maxUncertainty === undefined || usage !== undefined
      ? ''
      : `, uncertainty up to ${formatPercent(maxUncertainty)}`;
  element.removeAttribute('aria-label');
}
