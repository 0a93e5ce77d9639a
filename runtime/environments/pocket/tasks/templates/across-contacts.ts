// Tasks in which a mail tells what to change in Contacts.

import type { Contact } from '../../world.ts';
import { all, onlyChanged, recordsAre } from '../conditions.ts';
import { click, openApp, press, steps, write } from '../scripted-user.ts';
import type { PocketTemplate } from '../template.ts';
import { deskTemplate } from './mail-desk.ts';
import { lookUp, openMail, selectAll } from './scripts.ts';

const apps = ['mail', 'contacts'];

export const ACROSS_CONTACTS: readonly PocketTemplate[] = [
  deskTemplate('across-add-contact', { tier: 4, apps }, (desk, draw) => {
    const contact = desk.stranger();
    const { name, phone, mail: address, company } = contact;
    const signature = draw.phrase(
      `${name}\n${company}\nPhone ${phone}`,
      `Best wishes\n${name}, ${company}\n${phone}`,
      `Yours\n${name}\n--\n${company}, ${phone}`,
    );
    const mail = desk.put({ body: `${draw.sentence()}.\n\n${signature}` }, contact);
    const fillIn = (values: Contact) =>
      steps(
        openMail(desk.row(mail)),
        click('menu', 'Message'),
        click('menuitem', 'Add to Contacts...'),
        write(values.name),
        press('tab'),
        write(values.phone),
        press('tab'),
        press('tab'),
        write(values.company),
      );
    const save = click('button', 'Save');
    const otherPhone = phone.replace(/.$/, last => `${9 - Number(last)}`);
    return {
      instruction: draw.phrase(
        `Whoever wrote the mail "${mail.subject}" is not in Contacts yet. Add them: name, phone number, mail address and company, as the mail tells.`,
        `Make a contact from the mail "${mail.subject}", with all that it says about its writer: name, phone, mail, company.`,
        `Add the writer of "${mail.subject}" to Contacts, with name, phone, mail address and company.`,
      ),
      open: draw.somewhere('mail'),
      evaluator: all(
        recordsAre('contacts', { name }, [{ phone, mail: address, company }]),
        onlyChanged('mails.*.read', `contacts.${name}`),
      ),
      solve: steps(fillIn(contact), save),
      misses: {
        'without the company': steps(fillIn({ ...contact, company: '' }), save),
        'with another digit': steps(fillIn({ ...contact, phone: otherPhone }), save),
        'filled in but not saved': steps(fillIn(contact), click('button', 'Cancel')),
      },
    };
  }),

  deskTemplate('across-new-number', { tier: 4, apps }, (desk, draw) => {
    const person = desk.person();
    const namesake = desk.namesake(person);
    const [phone, old] = [draw.phone(), person.phone];
    const mail = desk.receive(
      person,
      `My phone number is no longer ${old}. From today on it is ${phone}.`,
      `I have a new phone: ${phone}. Please forget ${old}.`,
      `Please call me on ${phone} from now on; ${old} is out of use.`,
    );
    const fillIn = (contact: Contact, number: string) =>
      steps(openMail(desk.row(mail)), lookUp(contact), press('f2'), press('tab'), selectAll, write(number));
    const save = press('enter');
    return {
      instruction: draw.phrase(
        `${person.name} has a new phone number, see the mail "${mail.subject}". Correct it in Contacts.`,
        `Bring Contacts up to date with what ${person.name} writes in "${mail.subject}".`,
        `Change the number of ${person.name} in Contacts to the new one in the mail "${mail.subject}".`,
      ),
      open: draw.somewhere('mail'),
      evaluator: all(
        recordsAre('contacts', { name: person.name }, [{ ...person, phone }]),
        onlyChanged('mails.*.read', `contacts.${person.name}.phone`),
      ),
      solve: steps(fillIn(person, phone), save),
      misses: {
        'a namesake': steps(fillIn(namesake, phone), save),
        'not saved': steps(fillIn(person, phone), press('esc')),
        'both numbers': steps(fillIn(person, `${old} / ${phone}`), save),
        'a second contact of the same name': steps(
          openApp('Contacts'),
          click('button', 'New'),
          write(person.name),
          press('tab'),
          write(`${phone}\n`),
        ),
      },
    };
  }),
];
