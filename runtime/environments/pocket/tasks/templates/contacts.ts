// Tasks about contacts: add, change, and delete people.

import type { Contact } from '../../world.ts';
import { all, onlyChanged, recordsAre } from '../conditions.ts';
import { itemAt } from '../draw.ts';
import { addContact, addSender, changePhone, deleteContact } from '../outcomes/contacts.ts';
import { choose, click, doubleClick, fill, openApp, press, steps, write } from '../scripted-user.ts';
import { inFront } from '../starting-world.ts';
import type { PocketTemplate } from '../template.ts';
import { deskTemplate, type MailDesk } from './mail-desk.ts';

const apps = ['contacts'];

const editContact = (name: string) => steps(openApp('Contacts'), doubleClick('listitem', name));

/** Without a line break at its end, the text is not saved. */
const change = (name: string, field: string, text: string) =>
  steps(editContact(name), fill('textfield', field, text));

const askToDelete = (name: string) => steps(openApp('Contacts'), choose('listitem', name, 'Delete...'));

/** The contacts of this name, by some fields; how many more contacts there are in all; and nothing else changed. */
const contactsAre = (
  desk: MailDesk,
  name: string,
  wanted: readonly Partial<Contact>[],
  more: number,
  ...changed: readonly string[]
) => all(recordsAre('contacts', { name }, wanted), desk.moreContacts(more), onlyChanged(...changed));

export const CONTACTS: readonly PocketTemplate[] = [
  deskTemplate('contacts-add', { tier: 2, apps }, (desk, draw) => {
    const byPhone = draw.chance(0.5);
    const { name, phone, mail } = desk.stranger(desk.person());
    const value = byPhone ? phone : mail;
    const newContact = click('button', 'New');
    const toField = byPhone ? press('tab') : steps(press('tab'), press('tab'));
    const add = (who: string, text: string) => steps(newContact, write(who), toField, write(text));
    return {
      instruction: draw.phrase(...addContact(name, byPhone ? 'phone number' : 'mail address', value).ways),
      open: inFront('contacts'),
      evaluator: contactsAre(
        desk,
        name,
        [{ phone: byPhone ? phone : '', mail: byPhone ? '' : mail, company: '' }],
        1,
        `contacts.${name}`,
      ),
      solve: add(name, `${value}\n`),
      misses: {
        'filled in, but not saved': add(name, value),
        'the name alone': steps(newContact, write(`${name}\n`)),
        'the first name alone': add(itemAt(name.split(' '), 0), `${value}\n`),
        'added twice': steps(add(name, `${value}\n`), add(name, `${value}\n`)),
      },
    };
  }),

  deskTemplate('contacts-phone', { tier: 2, apps }, (desk, draw) => {
    const { name, ...person } = desk.person();
    const namesake = desk.namesake({ name, ...person });
    const number = draw.phone();
    return {
      instruction: draw.phrase(...changePhone(name, number).ways),
      open: draw.nearby('contacts'),
      evaluator: contactsAre(desk, name, [{ ...person, phone: number }], 0, `contacts.${name}.phone`),
      solve: change(name, 'Phone', `${number}\n`),
      misses: {
        'somebody with a similar name': change(namesake.name, 'Phone', `${number}\n`),
        'written, but not saved': change(name, 'Phone', number),
        'added to the old number': steps(
          editContact(name),
          click('textfield', 'Phone'),
          press('end'),
          write(`${number}\n`),
        ),
      },
    };
  }),

  deskTemplate('contacts-delete', { tier: 2, apps }, (desk, draw) => {
    const person = desk.person();
    const namesake = desk.namesake(person);
    const remove = ({ name }: Contact) => steps(askToDelete(name), click('button', 'Delete contact'));
    return {
      instruction: draw.phrase(...deleteContact(person.name).ways),
      open: draw.somewhere('contacts'),
      evaluator: contactsAre(desk, person.name, [], -1, `contacts.${person.name}`),
      solve: remove(person),
      misses: {
        'somebody with a similar name': remove(namesake),
        'both of them': steps(remove(person), remove(namesake)),
        'asked, but not done': steps(askToDelete(person.name), click('button', 'Cancel')),
      },
    };
  }),

  deskTemplate('contacts-missing-infeasible', { tier: 1, apps }, (desk, draw) => {
    const person = desk.person();
    // One of the two names is a contact's; nobody has both.
    const { name } = desk.stranger(person);
    return {
      instruction: draw.phrase(
        `Change ${name}'s phone number to ${draw.phone()}.`,
        `Delete ${name} from my contacts.`,
        `Give ${name} the company ${draw.pick(draw.words.company)} in my contacts.`,
      ),
      open: inFront('contacts'),
      misses: {
        'somebody with a similar name instead': change(person.name, 'Phone', `${draw.phone()}\n`),
      },
    };
  }),

  deskTemplate('contacts-copy', { tier: 3, apps }, (desk, draw) => {
    const [field, label] = draw.pick([
      ['company', 'Company'],
      ['phone', 'Phone'],
    ] as const);
    const [from, to, third] = desk.trio();
    [from.company, to.company, third.company] = draw.sample(draw.words.company, 3);
    const { name, ...rest } = structuredClone(to);
    const copyFrom = (person: Contact) =>
      steps(openApp('Contacts'), click('listitem', person.name), change(name, label, `${person[field]}\n`));
    const what = field === 'phone' ? 'phone number' : 'company';
    return {
      instruction: draw.phrase(
        `Give ${name} the same ${what} as ${from.name} in my contacts.`,
        `${name} and ${from.name} have the same ${what}. Only ${from.name}'s is right in Contacts: correct the other.`,
        `Look up ${from.name}'s ${what} and enter it for ${name} too.`,
      ),
      open: draw.somewhere('contacts'),
      evaluator: contactsAre(desk, name, [{ ...rest, [field]: from[field] }], 0, `contacts.${name}.${field}`),
      solve: copyFrom(from),
      misses: {
        'the other way round': change(from.name, label, `${to[field]}\n`),
        'from somebody else': copyFrom(third),
        'written, but not saved': change(name, label, from[field]),
      },
    };
  }),

  deskTemplate('contacts-from-mail', { tier: 2, apps: ['mail', 'contacts'] }, (desk, draw) => {
    const [person, another] = [desk.stranger(), desk.stranger()];
    const mail = desk.put({}, person);
    const other = desk.put({}, another);
    const add = (sender: typeof mail, name: string) =>
      steps(openApp('Mail'), choose('row', desk.row(sender), 'Add to Contacts...'), write(name));
    const { name, mail: address } = person;
    return {
      instruction: draw.phrase(...addSender(mail.subject, name).ways),
      open: draw.somewhere('mail'),
      evaluator: contactsAre(
        desk,
        name,
        [{ phone: '', mail: address, company: '' }],
        1,
        `contacts.${name}`,
        `mails.${mail.id}.read`,
      ),
      solve: add(mail, `${name}\n`),
      misses: {
        'the address of another sender': add(other, `${name}\n`),
        'under another name': add(mail, `${another.name}\n`),
        'filled in, but not saved': add(mail, name),
      },
    };
  }),
];
