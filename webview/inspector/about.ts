// What a trajectory is, above its pictures: what was asked, how it ended, and how the others of its group did.

import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { make } from '../shared/dom.ts';
import {
  ago,
  OUTCOME_SIGNS,
  OUTCOME_WORDS,
  PROVENANCE_WORDS,
  PURPOSE_WORDS,
  plural,
  versionsInWords,
} from '../shared/words.ts';
import { piecesOf, type Why } from './why.ts';

export class About {
  readonly element = make('header', { class: 'about-it' });
  readonly #open: (trajectory: string, isBeside: boolean) => void;
  #shown: TrajectoryDetail | undefined;

  constructor(open: (trajectory: string, isBeside: boolean) => void) {
    this.#open = open;
  }

  show(whole: TrajectoryDetail, now: number): void {
    if (whole === this.#shown) return;
    this.#shown = whole;
    const { instruction, marked, outcome, why, frames } = whole;
    const title = make('h2', { text: marked.instruction ?? instruction });
    title.tabIndex = -1;
    const badge = make('span', {
      class: `outcome ${outcome}`,
      text: `${OUTCOME_SIGNS[outcome]} ${OUTCOME_WORDS[outcome]}`,
    });
    const lines: HTMLElement[] = [
      make('div', { class: 'headline' }, badge, title),
      make('p', { class: 'faint facts-line', text: factsOf(whole, now) }),
    ];
    if (marked.instruction !== undefined && marked.instruction !== instruction)
      lines.push(make('p', { class: 'faint', text: `It was asked: ${instruction}` }));
    lines.push(...piecesOf(why).map(shownWhy));
    if (marked.note !== undefined) lines.push(make('p', { class: 'why', text: `Note: ${marked.note}` }));
    if (frames.doubt !== undefined) lines.push(make('p', { class: 'doubt', text: frames.doubt }));
    // Those of an evaluation were not compared with one another.
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
        title: `${OUTCOME_WORDS[outcome]} in ${plural(steps, 'step')}; with Ctrl or Cmd beside this one`,
      });
      chip.type = 'button';
      chip.setAttribute(
        'aria-label',
        `Attempt ${index + 1}: ${OUTCOME_WORDS[outcome]} in ${plural(steps, 'step')}`,
      );
      if (sibling.trajectory === trajectory) chip.setAttribute('aria-current', 'true');
      chip.addEventListener('click', event => this.#open(sibling.trajectory, event.ctrlKey || event.metaKey));
      list.append(make('li', {}, chip));
    }
    const text = `Its group solved ${solved} of ${siblings.length}`;
    return make('div', { class: 'group' }, make('span', { class: 'faint', text }), list);
  }
}

const shownWhy = ({ isCode, text }: Why): HTMLElement =>
  isCode ? make('p', { class: 'why' }, make('code', { text })) : make('p', { class: 'why', text });

function factsOf(whole: TrajectoryDetail, now: number): string {
  const { task, tier, seed, steps, maxSteps, oldest, newest, purpose, provenance, source, endedAt } = whole;
  const parts = [
    task,
    ...(tier === undefined ? [] : [`tier ${tier}`]),
    `seed ${seed}`,
    `${steps} of at most ${plural(maxSteps, 'step')}`,
    versionsInWords(oldest, newest),
    `${PURPOSE_WORDS[purpose]}, ${PROVENANCE_WORDS[provenance]}${source === undefined ? '' : ` (${source})`}`,
    ago(endedAt, now),
  ];
  return parts.filter(part => part !== '').join(' · ');
}
