// The form in which a mail is written: its fields and its view. writing.ts sends and stores it.

import { column, growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textArea, textField } from '../../toolkit/field.ts';
import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { extendWidget, type MenuItem, type Widget } from '../../toolkit/widget.ts';
import type { Contact } from '../../world.ts';
import { suggested, unfinished, withAddress } from './address.ts';
import type { Content } from './mailbox.ts';

export interface Letter {
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
export const letterOf = (content: Content, draft?: number): Letter => ({
  to: editing(content.to),
  subject: editing(content.subject),
  body: draft === undefined ? { text: content.body, caret: 0, anchor: 0 } : editing(content.body),
  fault: undefined,
  draft,
  original: trimmed(content),
});

export const contentOf = ({ to, subject, body }: Letter): Content =>
  trimmed({ to: to.text, subject: subject.text, body: body.text });

/** Removes invisible white space; the start of a body may be indented on purpose. */
const trimmed = ({ to, subject, body }: Content): Content => ({
  to: to.trim(),
  subject: subject.trim(),
  body: body.trimEnd(),
});

export function isChanged(letter: Letter): boolean {
  const [now, { original }] = [contentOf(letter), letter];
  return now.to !== original.to || now.subject !== original.subject || now.body !== original.body;
}

/** The key of the first empty field. */
export const firstEmptyField = ({ to, subject }: Letter): string =>
  to.text === '' ? 'To' : subject.text === '' ? 'Subject' : 'Body';

/** More names would not fit on the screen. */
const MAX_SUGGESTIONS = 14;

interface ComposeOptions {
  readonly contacts: readonly Contact[];
  readonly send: () => void;
  readonly save: () => void;
  readonly discard: () => void;
  readonly focus: (key: string) => void;
}

export function composeView(
  letter: Letter,
  { contacts, send, save, discard, focus }: ComposeOptions,
): Widget {
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
        button('Send', { primary: true, press: send }),
        button('Save draft', { press: save }),
        space(),
        button('Discard', { press: discard }),
      ]),
      withTitle(menuButton('To...', people), to),
      withTitle(label('Subject'), subject),
      body,
      ...(letter.fault === undefined ? [] : [label(letter.fault, { warning: true })]),
    ],
    { gap: 3, margin: 4, grow: 1 },
  );
}

const withTitle = (title: Widget, field: Widget): Widget =>
  row([sized(title, { width: 38 }), growing(field)], { align: 'centre' });

/** A button that opens a menu. */
function menuButton(name: string, items: () => readonly MenuItem[]): Widget {
  const plain = button(name, { press: () => {} });
  return extendWidget(plain, {
    on: {
      press: (_at, ui, area) => ui.popup(items(), area),
      stroke: (stroke, ui, area) => {
        if (stroke !== 'enter' && stroke !== 'space' && stroke !== 'down') return false;
        ui.popup(items(), area);
        return true;
      },
    },
  });
}
