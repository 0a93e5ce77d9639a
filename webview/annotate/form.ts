// What can be said of the trajectory that is looked at. It decides nothing: it says what a person wants said.

import type { Marked, Remark } from '../../runtime/protocol/daemon/remarks.ts';
import type { WholeTrajectory } from '../../runtime/protocol/daemon/trajectories.ts';
import { area, button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { inWords, trimmed } from './state.ts';

interface Uses {
  say(remark: Remark): void;
  undo(): void;
  at(): number;
}

export class Form {
  readonly element: HTMLElement;
  readonly #uses: Uses;
  readonly #accept;
  readonly #reject;
  readonly #key;
  readonly #undo;
  readonly #uncut;
  readonly #instruction;
  readonly #note;
  readonly #marks = make('p', { class: 'faint marks-said' });
  #whole: WholeTrajectory | undefined;
  /** What the fields said when they were filled last. */
  readonly #filled = { instruction: '', note: '' };

  constructor(uses: Uses) {
    this.#uses = uses;
    const key = (text: string) => make('kbd', { text });
    this.#accept = button({ text: 'Accept', kind: 'primary', title: 'Into the success pool (a)' }, () =>
      this.decide(true),
    );
    this.#reject = button({ text: 'Reject', title: 'Not worth learning from (r)' }, () => this.decide(false));
    this.#key = button({ text: 'Key step', title: 'This step is what matters (k)' }, () => this.keyStep());
    const from = button({ text: 'Start', title: 'Cut off what comes before this step ([)' }, () =>
      this.cut('from'),
    );
    const to = button({ text: 'End', title: 'Cut off what comes after this step (])' }, () => this.cut('to'));
    this.#uncut = button({ text: 'Whole', title: 'Cut nothing off (\\)' }, () => this.uncut());
    this.#undo = button({ text: 'Undo', title: 'Take back what was said last (u)' }, () => uses.undo());
    this.#instruction = area({ label: 'Instruction' }, () => undefined);
    this.#note = area({ label: 'Note', placeholder: 'What is worth knowing about it' }, () => undefined);
    this.#instruction.element.addEventListener('focusout', () => this.#saidText('instruction'));
    this.#note.element.addEventListener('focusout', () => this.#saidText('note'));
    for (const [control, sign] of [
      [this.#accept, 'a'],
      [this.#reject, 'r'],
      [this.#key, 'k'],
      [from, '['],
      [to, ']'],
      [this.#undo, 'u'],
    ] as const)
      control.element.append(key(sign));
    this.element = make(
      'section',
      { class: 'form' },
      make(
        'div',
        { class: 'decide' },
        ...[this.#accept, this.#reject, this.#undo].map(each => each.element),
        make('span', { class: 'gap' }),
        ...[this.#key, from, to, this.#uncut].map(each => each.element),
      ),
      this.#marks,
      labelled('Instruction', 'i', this.#instruction.element),
      labelled('Note', 'n', this.#note.element),
    );
    this.element.setAttribute('aria-label', 'Annotation');
  }

  /** What was typed and not said yet stays, as long as it is the same trajectory. */
  show(whole: WholeTrajectory | undefined, canUndo: string | undefined): void {
    const isOther = whole?.trajectory !== this.#whole?.trajectory;
    this.#whole = whole;
    // Nothing is said of what nobody could see yet.
    this.element.setAttribute('aria-busy', String(whole === undefined));
    this.#undo.enable(canUndo !== undefined);
    this.#undo.element.title =
      canUndo === undefined ? 'Nothing to take back (u)' : `Take back: ${canUndo} (u)`;
    if (whole === undefined) return;
    const { marked, instruction } = whole;
    this.#fill('instruction', marked.instruction ?? instruction, isOther);
    this.#fill('note', marked.note ?? '', isOther);
    this.#accept.press(marked.isInPool === true);
    this.#reject.press(marked.isInPool === false);
    this.#uncut.enable(marked.trim !== undefined);
    this.#marks.textContent = said(marked);
    this.moved();
  }

  /** It is at another step: what is said of a step is said of that one. */
  moved(): void {
    this.#key.press(this.#whole?.marked.keySteps.includes(this.#uses.at()) ?? false);
  }

  decide(isMember: boolean): void {
    if (this.#whole !== undefined) this.#uses.say({ kind: 'pool', isMember });
  }

  keyStep(): void {
    const step = this.#uses.at();
    if (this.#whole === undefined || step >= this.#whole.each.length) return;
    const isKey = !this.#whole.marked.keySteps.includes(step);
    this.#uses.say({ kind: 'key-step', step, isKey });
  }

  cut(edge: 'from' | 'to'): void {
    const step = this.#uses.at();
    if (this.#whole === undefined || step >= this.#whole.each.length) return;
    const { marked, each } = this.#whole;
    this.#uses.say({ kind: 'trim', part: trimmed(marked.trim, edge, step, each.length) });
  }

  uncut(): void {
    if (this.#whole?.marked.trim !== undefined) this.#uses.say({ kind: 'trim', part: null });
  }

  edit(what: 'instruction' | 'note'): void {
    (what === 'instruction' ? this.#instruction : this.#note).element.focus();
  }

  /** What somebody typed and could not be said, as when the connection was lost, is said when the field is left the next time. */
  #fill(what: 'instruction' | 'note', text: string, isOther: boolean): void {
    const field = what === 'instruction' ? this.#instruction : this.#note;
    if (isOther || field.value === this.#filled[what]) field.value = text;
    this.#filled[what] = text;
  }

  /** Said when the field is left, and only where it is not what it was. */
  #saidText(kind: 'instruction' | 'note'): void {
    if (this.#whole === undefined) return;
    const { marked, instruction } = this.#whole;
    const text = (kind === 'instruction' ? this.#instruction : this.#note).value.trim();
    const before = kind === 'instruction' ? (marked.instruction ?? instruction) : (marked.note ?? '');
    if (text === before) return;
    // The instruction it had is none of one's own.
    this.#uses.say({ kind, text: kind === 'instruction' && text === instruction ? '' : text });
  }
}

function labelled(text: string, sign: string, control: HTMLElement): HTMLElement {
  const name = make('span', { class: 'name', text });
  if (sign !== '') name.append(make('kbd', { text: sign }));
  return make('div', { class: 'labelled' }, name, control);
}

function said({ keySteps, trim }: Marked): string {
  const parts = [
    ...(keySteps.length === 0 ? [] : [`key steps ${keySteps.map(step => step + 1).join(', ')}`]),
    ...(trim === undefined ? [] : [inWords({ kind: 'trim', part: trim })]),
  ];
  return parts.join(' · ');
}
