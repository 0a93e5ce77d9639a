// What can be said of the trajectory that is looked at. It decides nothing: it says what a person wants said.

import type { AnnotationMarks, AnnotationRemark } from '../../runtime/protocol/daemon/remarks.ts';
import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { area, button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { Host } from '../shared/host.ts';
import { Drafts, type Text } from './drafts.ts';
import { inWords, trimmed } from './state.ts';

const TEXTS: readonly Text[] = ['instruction', 'note'];

interface Uses {
  readonly kept: Pick<Host, 'read' | 'keep'>;
  /** Resolves with whether it could be said. */
  say(trajectory: string, remark: AnnotationRemark): Promise<boolean>;
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
  readonly #drafts: Drafts;
  /** Texts that are being said. */
  readonly #underway = new Set<string>();
  #whole: TrajectoryDetail | undefined;

  constructor(uses: Uses) {
    this.#uses = uses;
    this.#drafts = new Drafts(uses.kept);
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
    this.#instruction = area({ label: 'Instruction' }, text => this.#typed('instruction', text));
    const placeholder = 'What is worth knowing about it';
    this.#note = area({ label: 'Note', placeholder }, text => this.#typed('note', text));
    for (const what of TEXTS)
      this.#field(what).element.addEventListener('focusout', () => this.#sayText(what));
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

  /** What was typed of the one before is said, and stays with it where it cannot be. */
  show(whole: TrajectoryDetail | undefined, canUndo: string | undefined): void {
    if (whole?.trajectory !== this.#whole?.trajectory) this.#sayTexts();
    this.#whole = whole;
    // Nothing is said of what nobody could see yet.
    this.element.setAttribute('aria-busy', String(whole === undefined));
    this.#undo.enable(canUndo !== undefined);
    this.#undo.element.title =
      canUndo === undefined ? 'Nothing to take back (u)' : `Take back: ${canUndo} (u)`;
    if (whole === undefined) return;
    const { marked } = whole;
    for (const what of TEXTS) this.#fill(what, whole);
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
    // What was typed and not said is said first: the next one comes.
    this.#sayTexts();
    this.#say({ kind: 'pool', isMember });
  }

  keyStep(): void {
    const step = this.#uses.at();
    if (this.#whole === undefined || step >= this.#whole.each.length) return;
    const isKey = !this.#whole.marked.keySteps.includes(step);
    this.#say({ kind: 'key-step', step, isKey });
  }

  cut(edge: 'from' | 'to'): void {
    const step = this.#uses.at();
    if (this.#whole === undefined || step >= this.#whole.each.length) return;
    const { marked, each } = this.#whole;
    this.#say({ kind: 'trim', part: trimmed(marked.trim, edge, step, each.length) });
  }

  uncut(): void {
    if (this.#whole?.marked.trim !== undefined) this.#say({ kind: 'trim', part: null });
  }

  edit(what: Text): void {
    this.#field(what).element.focus();
  }

  #field(what: Text) {
    return what === 'instruction' ? this.#instruction : this.#note;
  }

  #fill(what: Text, whole: TrajectoryDetail): void {
    this.#field(what).value = this.#drafts.of(whole.trajectory, what) ?? saidOf(what, whole);
  }

  #typed(what: Text, text: string): void {
    if (this.#whole !== undefined) this.#drafts.keep(this.#whole.trajectory, what, text);
  }

  #sayTexts(): void {
    for (const what of TEXTS) this.#sayText(what);
  }

  /** When the field is left, and whenever one goes on; only what was typed, and is not what holds already. */
  #sayText(what: Text): void {
    const whole = this.#whole;
    const draft = whole && this.#drafts.of(whole.trajectory, what);
    if (whole === undefined || draft === undefined) return;
    const { trajectory } = whole;
    const remark = remarkOf(what, draft.trim(), whole);
    const key = JSON.stringify([trajectory, remark]);
    if (this.#underway.has(key)) return;
    this.#underway.add(key);
    const saying = remark === undefined ? Promise.resolve(true) : this.#uses.say(trajectory, remark);
    void saying.then(isSaid => {
      this.#underway.delete(key);
      // It stays, to be said later, where it could not be said or is another by now.
      if (isSaid && this.#drafts.of(trajectory, what) === draft)
        this.#drafts.keep(trajectory, what, undefined);
    });
  }

  #say(remark: AnnotationRemark): void {
    if (this.#whole !== undefined) void this.#uses.say(this.#whole.trajectory, remark);
  }
}

/** Undefined where that holds already. */
function remarkOf(what: Text, text: string, whole: TrajectoryDetail): AnnotationRemark | undefined {
  if (text === saidOf(what, whole)) return undefined;
  // The instruction it had is none of one's own.
  return { kind: what, text: what === 'instruction' && text === whole.instruction ? '' : text };
}

const saidOf = (what: Text, { marked, instruction }: TrajectoryDetail): string =>
  what === 'instruction' ? (marked.instruction ?? instruction) : (marked.note ?? '');

function labelled(text: string, sign: string, control: HTMLElement): HTMLElement {
  const name = make('span', { class: 'name', text });
  if (sign !== '') name.append(make('kbd', { text: sign }));
  return make('div', { class: 'labelled' }, name, control);
}

function said({ keySteps, trim }: AnnotationMarks): string {
  const parts = [
    ...(keySteps.length === 0 ? [] : [`key steps ${keySteps.map(step => step + 1).join(', ')}`]),
    ...(trim === undefined ? [] : [inWords({ kind: 'trim', part: trim })]),
  ];
  return parts.join(' · ');
}
