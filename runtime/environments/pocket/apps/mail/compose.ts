// The sheet on which a mail is written: what it holds, and how it looks. Sending and keeping it is the application's.

import { column, growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textArea, textField } from '../../toolkit/field.ts';
import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { extendWidget, type MenuItem, type UiServices, type Widget } from '../../toolkit/widget.ts';
import type { Contact } from '../../world.ts';
import { suggested, unfinished, withAddress } from './address.ts';
import type { Content } from './mailbox.ts';

export interface Letter {
  to: Editing;
  subject: Editing;
  body: Editing;
  /** Why it could not be sent. */
  wrong: string | undefined;
  /** The draft that it is kept in. */
  draft: number | undefined;
  /** As it was when it was opened or last kept: whatever differs would be lost. */
  kept: Content;
}

/** An answer is written above what it answers: the caret of the body stands at its start. */
export const letterOf = (content: Content, draft?: number): Letter => ({
  to: editing(content.to),
  subject: editing(content.subject),
  body: draft === undefined ? { text: content.body, caret: 0, anchor: 0 } : editing(content.body),
  wrong: undefined,
  draft,
  kept: trimmed(content),
});

export const contentOf = ({ to, subject, body }: Letter): Content =>
  trimmed({ to: to.text, subject: subject.text, body: body.text });

/** Without blanks that nobody sees; how a body begins is the writer's. */
const trimmed = ({ to, subject, body }: Content): Content => ({
  to: to.trim(),
  subject: subject.trim(),
  body: body.trimEnd(),
});

export function isChanged(letter: Letter): boolean {
  const [now, { kept }] = [contentOf(letter), letter];
  return now.to !== kept.to || now.subject !== kept.subject || now.body !== kept.body;
}

/** The first field that is still to be filled in. */
export const firstGap = ({ to, subject }: Letter): string =>
  to.text === '' ? 'To' : subject.text === '' ? 'Subject' : 'Body';

/** A list of people longer than this would not fit on the screen. */
const MOST = 14;

interface Options {
  readonly contacts: readonly Contact[];
  readonly send: () => void;
  readonly save: () => void;
  readonly discard: () => void;
  readonly focus: (key: string) => void;
}

export function composing(letter: Letter, { contacts, send, save, discard, focus }: Options): Widget {
  const write = (list: string) => {
    letter.to = editing(list);
    letter.wrong = undefined;
  };
  const people = (): readonly MenuItem[] => {
    const found = suggested(contacts, letter.to.text);
    if (found.length === 0)
      return [{ name: 'No contacts with a mail address', enabled: false, choose: () => {} }];
    const shown: MenuItem[] = found.slice(0, MOST).map(({ name, mail }) => ({
      name,
      shortcut: mail,
      choose: () => {
        write(withAddress(letter.to.text, mail));
        focus('To');
      },
    }));
    if (found.length > MOST)
      shown.push({ name: 'Type a part of the name to see others', enabled: false, choose: () => {} });
    return shown;
  };
  /** Enter in To finishes a name that only one contact fits, and else goes on to what is next. */
  const finish = () => {
    const found = unfinished(letter.to.text) === '' ? [] : suggested(contacts, letter.to.text);
    const [only] = found;
    if (only !== undefined && found.length === 1) write(withAddress(letter.to.text, only.mail));
    else focus('Subject');
  };
  return column(
    [
      row([
        button('Send', { primary: true, press: send }),
        button('Save draft', { press: save }),
        space(),
        button('Discard', { press: discard }),
      ]),
      titled(
        opening('To...', people),
        textField('To', letter.to, {
          hint: 'name@host.org, ...',
          change: state => {
            letter.to = state;
            letter.wrong = undefined;
          },
          enter: finish,
        }),
      ),
      titled(
        label('Subject'),
        textField('Subject', letter.subject, {
          change: state => {
            letter.subject = state;
          },
          enter: () => focus('Body'),
        }),
      ),
      textArea('Body', letter.body, {
        change: state => {
          letter.body = state;
        },
      }),
      ...(letter.wrong === undefined ? [] : [label(letter.wrong, { warning: true })]),
    ],
    { gap: 3, margin: 4, grow: 1 },
  );
}

const titled = (title: Widget, field: Widget): Widget =>
  row([sized(title, { width: 38 }), growing(field)], { align: 'centre' });

/** A button that opens a list of choices. */
function opening(name: string, choices: () => readonly MenuItem[]): Widget {
  const plain = button(name, { press: () => {} });
  return extendWidget(plain, {
    on: {
      press: (_at, ui, area) => ui.popup(choices(), area),
      stroke: (stroke: string, ui: UiServices, area) => {
        if (stroke !== 'enter' && stroke !== 'space' && stroke !== 'down') return false;
        ui.popup(choices(), area);
        return true;
      },
    },
  });
}
