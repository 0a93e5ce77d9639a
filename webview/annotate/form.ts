// The form of the panel Annotate: buttons and text fields that send remarks on the open trajectory.

import type { ModelSuggestion } from '../../runtime/protocol/daemon/annotation.ts';
import type { AnnotationMarks, AnnotationRemark } from '../../runtime/protocol/daemon/remarks.ts';
import type { TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { button, textArea } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { PageHost } from '../shared/host.ts';
import { type DraftField, Drafts } from './drafts.ts';
import { votesLabel } from './review.ts';
import { remarkLabel, trimAt } from './state.ts';
import { hasVoted, suggestionWithReason } from './suggestions.ts';

const TEXTS: readonly DraftField[] = ['instruction', 'note'];

interface Options {
  readonly storage: Pick<PageHost, 'read' | 'keep'>;
  /** Resolves to false if the daemon rejected the remark. */
  send(trajectory: string, remark: AnnotationRemark): Promise<boolean>;
  undo(): void;
  at(): number;
  /** Signs remarks. */
  who(): string;
}

export class AnnotationForm {
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #accept;
  readonly #reject;
  readonly #key;
  readonly #undo;
  readonly #uncut;
  readonly #instruction;
  readonly #note;
  readonly #marks = make('p', { class: 'faint marks-said' });
  readonly #suggestionText = make('p');
  readonly #reveal;
  readonly #suggestion: HTMLElement;
  readonly #drafts: Drafts;
  /** Texts that are being sent. */
  readonly #sending = new Set<string>();
  #whole: TrajectoryDetail | undefined;
  /** The trajectory that is shown, or will be: texts belong to it. */
  #shown: string | undefined;
  #suggested: ModelSuggestion | undefined;
  /** Trajectories and the person who asked for their suggestion before the vote. */
  readonly #revealed = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
    this.#drafts = new Drafts(options.storage);
    const key = (text: string) => make('kbd', { text });
    this.#accept = button({ text: 'Accept', kind: 'primary', title: 'Add it to the success pool (a)' }, () =>
      this.decide(true),
    );
    this.#reject = button({ text: 'Reject', title: 'Do not learn from it (r)' }, () => this.decide(false));
    this.#key = button({ text: 'Key step', title: 'Mark this step as a key step (k)' }, () => this.keyStep());
    const from = button({ text: 'Trim start', title: 'Remove the steps before this one ([)' }, () =>
      this.cut('from'),
    );
    const to = button({ text: 'Trim end', title: 'Remove the steps after this one (])' }, () =>
      this.cut('to'),
    );
    this.#uncut = button({ text: 'Untrim', title: 'Remove the trim (\\)' }, () => this.uncut());
    this.#undo = button({ text: 'Undo', title: 'Undo the last remark (u)' }, () => options.undo());
    this.#instruction = textArea({ label: 'Instruction' }, text => this.#typed('instruction', text));
    this.#reveal = button(
      { text: 'Show suggestion', title: 'Show what a model suggests, before your vote (s)' },
      () => this.reveal(),
    );
    this.#suggestion = make('div', { class: 'suggestion' }, this.#reveal.element, this.#suggestionText);
    this.#suggestion.hidden = true;
    const placeholder = 'A comment on this trajectory';
    this.#note = textArea({ label: 'Note', placeholder }, text => this.#typed('note', text));
    for (const what of TEXTS)
      this.#field(what).element.addEventListener('focusout', () => this.#sendDraft(what));
    for (const [control, sign] of [
      [this.#accept, 'a'],
      [this.#reject, 'r'],
      [this.#key, 'k'],
      [from, '['],
      [to, ']'],
      [this.#undo, 'u'],
      [this.#reveal, 's'],
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
      this.#suggestion,
      labelled('Instruction', 'i', this.#instruction.element),
      labelled('Note', 'n', this.#note.element),
    );
    this.element.setAttribute('aria-label', 'Annotation');
  }

  /** Sends the drafts of the previous trajectory; a draft that cannot be sent stays stored. */
  show(
    trajectory: string | undefined,
    whole: TrajectoryDetail | undefined,
    suggestion: ModelSuggestion | undefined,
    canUndo: string | undefined,
  ): void {
    if (whole?.trajectory !== this.#whole?.trajectory) this.#sendDrafts();
    const isOther = trajectory !== this.#shown;
    this.#shown = trajectory;
    this.#whole = whole;
    this.#suggested = suggestion;
    // The form is busy until the trajectory is visible.
    this.element.setAttribute('aria-busy', String(whole === undefined));
    this.#undo.setEnabled(canUndo !== undefined);
    this.#undo.element.title = canUndo === undefined ? 'Nothing to undo (u)' : `Undo: ${canUndo} (u)`;
    if (isOther || whole !== undefined) for (const what of TEXTS) this.#fill(what);
    if (whole === undefined) return;
    const { marked } = whole;
    const who = this.#options.who();
    const own = marked.votes?.find(vote => vote.who === who)?.isMember;
    this.#accept.setPressed(own === true);
    this.#reject.setPressed(own === false);
    this.#uncut.setEnabled(marked.trim !== undefined);
    this.#marks.textContent = marksLabel(marked, who);
    this.#showSuggestion(whole);
    this.stepChanged();
  }

  /** The user went to another step. */
  stepChanged(): void {
    this.#key.setPressed(this.#whole?.marked.keySteps.includes(this.#options.at()) ?? false);
  }

  decide(isMember: boolean): void {
    // The next trajectory follows, so the drafts are sent first.
    this.#sendDrafts();
    this.#send({ kind: 'pool', isMember });
  }

  keyStep(): void {
    const step = this.#options.at();
    if (this.#whole === undefined || step >= this.#whole.each.length) return;
    const isKey = !this.#whole.marked.keySteps.includes(step);
    this.#send({ kind: 'key-step', step, isKey });
  }

  cut(edge: 'from' | 'to'): void {
    const step = this.#options.at();
    if (this.#whole === undefined || step >= this.#whole.each.length) return;
    const { marked, each } = this.#whole;
    this.#send({ kind: 'trim', part: trimAt(marked.trim, edge, step, each.length) });
  }

  uncut(): void {
    if (this.#whole?.marked.trim !== undefined) this.#send({ kind: 'trim', part: null });
  }

  /** Shows the suggestion before the vote. */
  reveal(): void {
    if (this.#whole === undefined) return;
    this.#revealed.add(revealedBy(this.#options.who(), this.#whole.trajectory));
    this.#showSuggestion(this.#whole);
  }

  edit(what: DraftField): void {
    this.#field(what).element.focus();
  }

  #showSuggestion({ trajectory, marked }: TrajectoryDetail): void {
    const suggestion = this.#suggested;
    const who = this.#options.who();
    const isShown = this.#revealed.has(revealedBy(who, trajectory)) || hasVoted(marked, who);
    this.#suggestion.hidden = suggestion === undefined;
    this.#reveal.element.hidden = isShown;
    this.#suggestionText.textContent =
      suggestion !== undefined && isShown ? suggestionWithReason(suggestion) : '';
  }

  #field(what: DraftField) {
    return what === 'instruction' ? this.#instruction : this.#note;
  }

  /** Empty without a draft until the trajectory is loaded. */
  #fill(what: DraftField): void {
    const draft = this.#shown === undefined ? undefined : this.#drafts.get(this.#shown, what);
    this.#field(what).value = draft ?? (this.#whole === undefined ? '' : currentText(what, this.#whole));
  }

  #typed(what: DraftField, text: string): void {
    if (this.#shown !== undefined) this.#drafts.set(this.#shown, what, text);
  }

  #sendDrafts(): void {
    for (const what of TEXTS) this.#sendDraft(what);
  }

  /** Sends a draft if it differs from the current text: when the field loses focus, and before another trajectory. */
  #sendDraft(what: DraftField): void {
    const whole = this.#whole;
    const draft = whole && this.#drafts.get(whole.trajectory, what);
    if (whole === undefined || draft === undefined) return;
    const { trajectory } = whole;
    const remark = remarkOf(what, draft.trim(), whole);
    const key = JSON.stringify([trajectory, remark]);
    if (this.#sending.has(key)) return;
    this.#sending.add(key);
    const sent = remark === undefined ? Promise.resolve(true) : this.#options.send(trajectory, remark);
    void sent.then(isAccepted => {
      this.#sending.delete(key);
      // The draft stays if it was not accepted, or if the user has changed it meanwhile.
      if (isAccepted && this.#drafts.get(trajectory, what) === draft)
        this.#drafts.set(trajectory, what, undefined);
    });
  }

  #send(remark: AnnotationRemark): void {
    if (this.#whole !== undefined) void this.#options.send(this.#whole.trajectory, remark);
  }
}

const revealedBy = (who: string, trajectory: string): string => JSON.stringify([who, trajectory]);

/** Undefined if the text is unchanged. */
function remarkOf(what: DraftField, text: string, whole: TrajectoryDetail): AnnotationRemark | undefined {
  if (text === currentText(what, whole)) return undefined;
  // The original instruction removes the correction.
  return { kind: what, text: what === 'instruction' && text === whole.instruction ? '' : text };
}

const currentText = (what: DraftField, { marked, instruction }: TrajectoryDetail): string =>
  what === 'instruction' ? (marked.instruction ?? instruction) : (marked.note ?? '');

function labelled(text: string, sign: string, control: HTMLElement): HTMLElement {
  const name = make('span', { class: 'name', text });
  if (sign !== '') name.append(make('kbd', { text: sign }));
  return make('div', { class: 'labelled' }, name, control);
}

function marksLabel(marked: AnnotationMarks, who: string): string {
  const { keySteps, trim } = marked;
  const votes = votesLabel(marked, who);
  const parts = [
    ...(votes === '' ? [] : [votes]),
    ...(keySteps.length === 0 ? [] : [`key steps ${keySteps.map(step => step + 1).join(', ')}`]),
    ...(trim === undefined ? [] : [remarkLabel({ kind: 'trim', part: trim })]),
  ];
  return parts.join(' · ');
}
