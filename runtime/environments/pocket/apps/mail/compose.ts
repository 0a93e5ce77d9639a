// Writes a mail: the form, and the lifecycle of begin, send, store as a draft or discard. One mail at a time; changes are
// discarded only after a question.

import type { Dialog, ShellServices } from '../../shell/app.ts';
import { column, growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textArea, textField } from '../../toolkit/field.ts';
import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { extendWidget, type KeyStroke, type MenuItem, onKeys, type Widget } from '../../toolkit/widget.ts';
import type { PocketWorld } from '../../world.ts';
import { DialogSlot } from '../app.ts';
import {
  bareAddress,
  type Content,
  put,
  recipients,
  recipientsFault,
  suggested,
  unfinished,
  withAddress,
} from './mailbox.ts';

interface Letter {
  to: Editing;
  subject: Editing;
  body: Editing;
  /** Why it cannot be sent. */
  fault: string | undefined;
  /** The id of its draft. */
  readonly draft: number | undefined;
  /** The content when it was opened. */
  readonly original: Content;
}

/** The caret of a new letter is at the start of the body, above a quoted mail. */
const letterOf = (content: Content, draft?: number): Letter => ({
  to: editing(content.to),
  subject: editing(content.subject),
  body: draft === undefined ? { text: content.body, caret: 0, anchor: 0 } : editing(content.body),
  fault: undefined,
  draft,
  original: trimmed(content),
});

const contentOf = ({ to, subject, body }: Letter): Content =>
  trimmed({ to: to.text, subject: subject.text, body: body.text });

/** Removes invisible white space; the start of a body may be indented on purpose. */
const trimmed = ({ to, subject, body }: Content): Content => ({
  to: to.trim(),
  subject: subject.trim(),
  body: body.trimEnd(),
});

function isChanged(letter: Letter): boolean {
  const [now, { original }] = [contentOf(letter), letter];
  return now.to !== original.to || now.subject !== original.subject || now.body !== original.body;
}

/** The key of the first empty field. */
const firstEmptyField = ({ to, subject }: Letter): string =>
  to.text === '' ? 'To' : subject.text === '' ? 'Subject' : 'Body';

/** More names would not fit on the screen. */
const MAX_SUGGESTIONS = 14;

const withTitle = (title: Widget, field: Widget): Widget =>
  row([sized(title, { width: 38 }), growing(field)], { align: 'centre' });

/** A button that opens a menu. */
function menuButton(name: string, items: () => readonly MenuItem[]): Widget {
  const plain = button(name, { press: () => {} });
  return extendWidget(plain, {
    on: {
      press: (_at, ui, area) => ui.popup(items(), area),
      stroke: onKeys(['enter', 'space', 'down'], (ui, area) => ui.popup(items(), area)),
    },
  });
}

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
    const { contacts } = this.world;
    const focus = (key: string) => this.shell.focus(key);
    const setRecipients = (to: Editing) => {
      letter.to = to;
      letter.fault = undefined;
    };
    const addRecipient = (mail: string) => setRecipients(editing(withAddress(letter.to.text, mail)));
    const note = (name: string): MenuItem => ({ name, enabled: false, choose: () => {} });
    const people = (): readonly MenuItem[] => {
      const found = suggested(contacts, letter.to.text);
      if (found.length === 0) return [note('No contacts with a mail address')];
      const items = found.slice(0, MAX_SUGGESTIONS).map(({ name, mail }) => ({
        name,
        shortcut: mail,
        choose: () => {
          addRecipient(mail);
          focus('To');
        },
      }));
      const more = found.length > MAX_SUGGESTIONS ? [note('Type a part of the name to see others')] : [];
      return [...items, ...more];
    };
    /** Enter in To completes the address if only one contact matches, and otherwise goes to the subject. */
    const complete = () => {
      const found = unfinished(letter.to.text) === '' ? [] : suggested(contacts, letter.to.text);
      const [only] = found;
      if (only !== undefined && found.length === 1) addRecipient(only.mail);
      else focus('Subject');
    };
    const to = textField('To', letter.to, {
      hint: 'name@host.org, ...',
      change: setRecipients,
      enter: complete,
    });
    const subject = textField('Subject', letter.subject, {
      change: state => {
        letter.subject = state;
      },
      enter: () => focus('Body'),
    });
    const body = textArea('Body', letter.body, {
      change: state => {
        letter.body = state;
      },
    });
    return column(
      [
        row([
          button('Send', { primary: true, press: () => this.#send() }),
          button('Save draft', { press: () => this.#save() }),
          space(),
          button('Discard', { press: () => this.#discard() }),
        ]),
        withTitle(menuButton('To...', people), to),
        withTitle(label('Subject'), subject),
        body,
        ...(letter.fault === undefined ? [] : [label(letter.fault, { warning: true })]),
      ],
      { gap: 3, margin: 4, grow: 1 },
    );
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
