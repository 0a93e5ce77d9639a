// The lifecycle of a mail that is written: begin, send, store as a draft or discard. One mail at a time; changes are
// discarded only after a question.

import type { Dialog, ShellServices } from '../../shell/app.ts';
import type { KeyStroke, Widget } from '../../toolkit/widget.ts';
import type { PocketWorld } from '../../world.ts';
import { DialogSlot } from '../dialogs.ts';
import { bareAddress, recipients, recipientsFault } from './address.ts';
import { composeView, contentOf, firstEmptyField, isChanged, type Letter, letterOf } from './compose.ts';
import { type Content, put } from './mailbox.ts';

export class Writing {
  readonly #dialog = new DialogSlot();
  #letter: Letter | undefined;

  constructor(
    private readonly world: PocketWorld,
    private readonly shell: ShellServices,
  ) {}

  get dialog(): Dialog | undefined {
    return this.#dialog.current;
  }

  get open(): boolean {
    return this.#letter !== undefined;
  }

  get title(): string {
    return this.#letter?.subject.text || 'New mail';
  }

  get #isChanged(): boolean {
    return this.#letter !== undefined && isChanged(this.#letter);
  }

  begin(content: Content, draft?: number): void {
    this.putAside();
    this.#letter = letterOf(content, draft);
    this.shell.focus(firstEmptyField(this.#letter));
  }

  /** Closes the letter; a changed one becomes a draft. */
  putAside(): void {
    if (this.#isChanged) this.#save();
    this.#close();
  }

  view(): Widget | undefined {
    const letter = this.#letter;
    if (letter === undefined) return undefined;
    return composeView(letter, {
      contacts: this.world.contacts,
      send: () => this.#send(),
      save: () => this.#save(),
      discard: () => this.#discard(),
      focus: key => this.shell.focus(key),
    });
  }

  /** Returns false after opening a question, which closes the window later. */
  mayClose(): boolean {
    const isChanged = this.#isChanged;
    if (isChanged) this.#askToDiscard(true);
    else this.#close();
    return !isChanged;
  }

  stroke(stroke: KeyStroke): void {
    if (stroke === 'ctrl+enter') this.#send();
    else if (stroke === 'ctrl+s') this.#save();
    else if (stroke === 'esc') this.#discard();
  }

  #send(): void {
    const letter = this.#letter;
    if (letter === undefined) return;
    letter.fault = recipientsFault(letter.to.text);
    if (letter.fault !== undefined) this.shell.focus('To');
    else if (contentOf(letter).subject !== '') this.#deliver(letter);
    else {
      this.#dialog.ask({
        title: 'No subject',
        text: 'Send this mail without a subject?',
        answers: [{ name: 'Send anyway', choose: () => this.#deliver(letter) }],
      });
    }
  }

  #deliver(letter: Letter): void {
    const content = contentOf(letter);
    const to = recipients(content.to).map(bareAddress).join(', ');
    put(this.world, { ...content, to }, 'Sent', letter.draft);
    this.#close();
    this.shell.toast('Mail sent');
  }

  #save(): void {
    if (this.#letter === undefined) return;
    put(this.world, contentOf(this.#letter), 'Drafts', this.#letter.draft);
    this.#close();
    this.shell.toast('Saved to Drafts');
  }

  #discard(): void {
    if (this.#isChanged) this.#askToDiscard(false);
    else this.#close();
  }

  #close(): void {
    this.#letter = undefined;
    this.#dialog.close();
  }

  /** `closing`: the window closes after the answer. */
  #askToDiscard(closing: boolean): void {
    const finish = (end: () => void) => () => {
      end();
      if (closing) this.shell.close('mail');
    };
    const keep = { name: 'Keep draft', choose: finish(() => this.#save()) };
    const discard = { name: 'Discard it', choose: finish(() => this.#close()) };
    this.#dialog.ask({
      title: closing ? 'Keep this mail?' : 'Discard this mail?',
      text: 'What you wrote has not been sent. Without a draft it is lost.',
      answers: closing ? [discard, keep] : [keep, discard],
      width: 196,
    });
  }
}
