// The header of a trajectory: its instruction, its outcome, and the other rollouts of its group.

import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { showAge } from '../shared/age.ts';
import { make } from '../shared/dom.ts';
import {
  COMPACT,
  OUTCOME_LABELS,
  OUTCOME_SIGNS,
  PROVENANCE_LABELS,
  PURPOSE_LABELS,
  plural,
  rowVersions,
  usageLabel,
} from '../shared/labels.ts';
import { type ReasonPart, reasonParts } from './reason.ts';

export class TrajectoryHeader {
  readonly element = make('header', { class: 'about-it' });
  readonly #open: (trajectory: string, isBeside: boolean) => void;
  #trajectory: TrajectoryDetail | undefined;

  constructor(open: (trajectory: string, isBeside: boolean) => void) {
    this.#open = open;
  }

  show(whole: TrajectoryDetail, now: number): void {
    if (whole === this.#trajectory) return;
    this.#trajectory = whole;
    const { instruction, marked, outcome, why, frames } = whole;
    const title = make('h2', { text: marked.instruction ?? instruction });
    title.tabIndex = -1;
    const badge = make('span', {
      class: `outcome ${outcome}`,
      text: `${OUTCOME_SIGNS[outcome]} ${OUTCOME_LABELS[outcome]}`,
    });
    const age = make('span');
    showAge(age, whole.endedAt, now);
    const facts = make('p', { class: 'faint facts-line', text: `${factsOf(whole)} · ` });
    facts.append(age);
    const lines: HTMLElement[] = [make('div', { class: 'headline' }, badge, title), facts];
    if (marked.instruction !== undefined && marked.instruction !== instruction)
      lines.push(make('p', { class: 'faint', text: `Original instruction: ${instruction}` }));
    lines.push(...reasonParts(why).map(reasonElement));
    if (marked.note !== undefined) lines.push(make('p', { class: 'why', text: `Note: ${marked.note}` }));
    if (frames.doubt !== undefined) lines.push(make('p', { class: 'doubt', text: frames.doubt }));
    // Rollouts of an evaluation form no group.
    if (whole.purpose !== 'evaluate' && whole.siblings.length > 1) lines.push(this.#siblings(whole));
    this.element.replaceChildren(...lines);
  }

  #siblings({ siblings, trajectory }: TrajectoryDetail): HTMLElement {
    const solved = siblings.filter(({ outcome }) => outcome === 'success').length;
    const list = make('ul', { class: 'siblings' });
    for (const [index, sibling] of siblings.entries()) {
      const { outcome, steps } = sibling;
      const chip = make('button', {
        class: `chip ${outcome}`,
        text: OUTCOME_SIGNS[outcome],
        title: `${OUTCOME_LABELS[outcome]} in ${plural(steps, 'step')}. Ctrl or Cmd opens it beside this one.`,
      });
      chip.type = 'button';
      chip.setAttribute(
        'aria-label',
        `Rollout ${index + 1}: ${OUTCOME_LABELS[outcome]} in ${plural(steps, 'step')}`,
      );
      if (sibling.trajectory === trajectory) chip.setAttribute('aria-current', 'true');
      chip.addEventListener('click', event => this.#open(sibling.trajectory, event.ctrlKey || event.metaKey));
      list.append(make('li', {}, chip));
    }
    const text = `Group: ${solved} of ${siblings.length} solved`;
    return make('div', { class: 'group' }, make('span', { class: 'faint', text }), list);
  }
}

const reasonElement = ({ isCode, text }: ReasonPart): HTMLElement =>
  isCode ? make('p', { class: 'why' }, make('code', { text })) : make('p', { class: 'why', text });

function factsOf(whole: TrajectoryDetail): string {
  const { task, tier, seed, steps, maxSteps, agent, usage } = whole;
  const { purpose, provenance, source } = whole;
  const parts = [
    task,
    ...(tier === undefined ? [] : [`tier ${tier}`]),
    `seed ${seed}`,
    `${steps} of max. ${plural(maxSteps, 'step')}`,
    ...(agent === undefined || agent === COMPACT ? [] : [`agent ${agent}`]),
    rowVersions(whole),
    usageLabel(usage),
    `${PURPOSE_LABELS[purpose]}, ${PROVENANCE_LABELS[provenance]}${source === undefined ? '' : ` (${source})`}`,
  ];
  return parts.filter(part => part !== '').join(' · ');
}
