// The form in which a contact is filled in or changed. Nothing reaches the contacts before it is saved.

import type { Dialog } from '../../shell/app.ts';
import { column, gap, growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { type Editing, editing } from '../../toolkit/text-edit.ts';
import type { Widget } from '../../toolkit/widget.ts';
import type { Contact } from '../../world.ts';
import { wrongWith } from './book.ts';

type Field = keyof Contact;

/** In the order in which they are filled in; the names are those of the fields on the screen. */
const FIELDS: readonly (readonly [field: Field, name: string])[] = [
  ['name', 'Name'],
  ['phone', 'Phone'],
  ['mail', 'Mail'],
  ['company', 'Company'],
];

export interface Form {
  readonly values: Record<Field, Editing>;
  /** The contact that is being changed; undefined where it is a new one. */
  readonly contact: Contact | undefined;
  wrong: string | undefined;
}

export const formFor = (values: Contact, contact?: Contact): Form => ({
  values: {
    name: editing(values.name),
    phone: editing(values.phone),
    mail: editing(values.mail),
    company: editing(values.company),
  },
  contact,
  wrong: undefined,
});

const filledIn = ({ values }: Form): Contact => ({
  name: values.name.text.trim(),
  phone: values.phone.text.trim(),
  mail: values.mail.text.trim(),
  company: values.company.text.trim(),
});

interface Options {
  readonly save: (contact: Contact) => void;
  readonly cancel: () => void;
  readonly focus: (key: string) => void;
}

export function formDialog(form: Form, { save, cancel, focus }: Options): Dialog {
  const submit = () => {
    const contact = filledIn(form);
    const wrong = wrongWith(contact);
    form.wrong = wrong?.why;
    if (wrong === undefined) save(contact);
    else focus(FIELDS.find(([field]) => field === wrong.field)?.[1] ?? 'Name');
  };
  const line = ([field, name]: (typeof FIELDS)[number]): Widget => {
    const input = textField(name, form.values[field], {
      change: state => {
        form.values[field] = state;
        form.wrong = undefined;
      },
      enter: submit,
    });
    return row([sized(label(name), { width: 46 }), growing(input)], { align: 'centre' });
  };
  return {
    title: form.contact === undefined ? 'New contact' : 'Edit contact',
    width: 204,
    focus: 'Name',
    accept: submit,
    dismiss: cancel,
    content: column(
      [
        ...FIELDS.map(line),
        // Its room is kept free, so that nothing jumps when it comes.
        form.wrong === undefined ? gap(0, 10) : label(form.wrong, { warning: true }),
        row([space(), button('Cancel', { press: cancel }), button('Save', { primary: true, press: submit })]),
      ],
      { gap: 3, margin: 6 },
    ),
  };
}
