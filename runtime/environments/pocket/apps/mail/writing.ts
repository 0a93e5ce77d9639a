// Writing a mail, from its opening until it is sent, kept as a draft or given up. One mail is written at a time; nothing
// that was written is lost unless somebody says so.

import type { Dialog, ShellServices } from '../../shell/app.ts';
import type { KeyStroke, Widget } from '../../toolkit/widget.ts';
import type { PocketWorld } from '../../world.ts';
import { question } from '../dialogs.ts';
import { bareAddress, recipients, wrongWith } from './address.ts';
import { composing, contentOf, firstGap, isChanged, type Letter, letterOf } from './compose.ts';
import { type Content, put } from './mailbox.ts';

type Asking = 'discard' | 'close' | 'subject';

export class Writing {
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  #letter: Letter | undefined;
  #asking: Asking | undefined;

  constructor(world: PocketWorld, shell: ShellServices) {
    this.#world = world;
    this.#shell = shell;
  }

  get open(): boolean {
    return this.#letter !== undefined;
  }

  get title(): string {
    return this.#letter?.subject.text || 'New mail';
  }

  begin(content: Content, draft?: number): void {
    this.putAside();
    this.#letter = letterOf(content, draft);
    this.#shell.focus(firstGap(this.#letter));
  }

  /** Makes room for something else: what would be lost becomes a draft. */
  putAside(): void {
    if (this.#letter !== undefined && isChanged(this.#letter)) this.save();
    this.#close();
  }

  view(): Widget | undefined {
    const letter = this.#letter;
    if (letter === undefined) return undefined;
    return composing(letter, {
      contacts: this.#world.contacts,
      send: () => this.send(),
      save: () => this.save(),
      discard: () => this.leave(),
      focus: key => this.#shell.focus(key),
    });
  }

  send(): void {
    const letter = this.#letter;
    if (letter === undefined) return;
    letter.wrong = wrongWith(letter.to.text);
    if (letter.wrong !== undefined) this.#shell.focus('To');
    else if (contentOf(letter).subject === '') this.#asking = 'subject';
    else this.#deliver(letter);
  }

  #deliver(letter: Letter): void {
    const content = contentOf(letter);
    const to = recipients(content.to).map(bareAddress).join(', ');
    put(this.#world, { ...content, to }, 'Sent', letter.draft);
    this.#close();
    this.#shell.toast('Mail sent');
  }

  save(): void {
    if (this.#letter === undefined) return;
    put(this.#world, contentOf(this.#letter), 'Drafts', this.#letter.draft);
    this.#close();
    this.#shell.toast('Saved to Drafts');
  }

  /** Gives the mail up; asks first where something would be lost. */
  leave(): void {
    if (this.#letter !== undefined && isChanged(this.#letter)) this.#asking = 'discard';
    else this.#close();
  }

  /** Whether the window may close now; where not, it asks, and closes it after the answer. */
  mayClose(): boolean {
    if (this.#letter !== undefined && isChanged(this.#letter)) {
      this.#asking = 'close';
      return false;
    }
    this.#close();
    return true;
  }

  #close(): void {
    this.#letter = undefined;
    this.#asking = undefined;
  }

  dialog(): Dialog | undefined {
    const letter = this.#letter;
    if (letter === undefined || this.#asking === undefined) return undefined;
    const closing = this.#asking === 'close';
    const cancel = () => {
      this.#asking = undefined;
    };
    if (this.#asking === 'subject') {
      return question({
        title: 'No subject',
        text: 'Send this mail without a subject?',
        answers: [{ name: 'Send anyway', choose: () => this.#deliver(letter) }],
        cancel,
      });
    }
    const finish = (end: () => void) => () => {
      end();
      if (closing) this.#shell.close('mail');
    };
    const keep = { name: 'Keep draft', choose: finish(() => this.save()) };
    const drop = { name: 'Discard it', choose: finish(() => this.#close()) };
    return question({
      title: closing ? 'Keep this mail?' : 'Discard this mail?',
      text: 'What you wrote has not been sent. Without a draft it is lost.',
      answers: closing ? [drop, keep] : [keep, drop],
      cancel,
      width: 196,
    });
  }

  stroke(stroke: KeyStroke): boolean {
    if (stroke === 'ctrl+enter') this.send();
    else if (stroke === 'ctrl+s') this.save();
    else if (stroke === 'esc') this.leave();
    else return false;
    return true;
  }
}
