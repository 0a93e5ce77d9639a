// Tasks in which a mail says what is to be changed in Contacts.

import type { ScriptedUser } from '../scripted-user.ts';
import { all, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { lookUp, openMail } from './chores.ts';
import { MailDesk, somewhere } from './mail-desk.ts';

const signature: PocketTemplate = {
  id: 'across-add-contact',
  tier: 4,
  apps: ['mail', 'contacts'],
  make: draw => {
    const desk = new MailDesk(draw);
    const contact = desk.stranger();
    const { name, phone, mail: address, company } = contact;
    const signed = draw.say(
      `${name}\n${company}\nPhone ${phone}`,
      `Best wishes\n${name}, ${company}\n${phone}`,
      `Yours\n${name}\n--\n${company}, ${phone}`,
    );
    const mail = desk.put({ body: `${desk.sentence()}.\n\n${signed}` }, contact);
    const added = (values: typeof contact, end: (hand: ScriptedUser) => void) => (hand: ScriptedUser) => {
      openMail(hand, desk.row(mail));
      hand.click('menu', 'Message');
      hand.click('menuitem', 'Add to Contacts...');
      hand.type(values.name);
      hand.keys('tab');
      hand.type(values.phone);
      hand.keys('tab');
      hand.keys('tab');
      hand.type(values.company);
      end(hand);
    };
    const save = (hand: ScriptedUser) => hand.click('button', 'Save');
    return {
      instruction: draw.say(
        `Whoever wrote the mail "${mail.subject}" is not in Contacts yet. Add them: name, phone number, mail address and company, as the mail tells.`,
        `Make a contact from the mail "${mail.subject}", with all that it says about its writer: name, phone, mail, company.`,
        `Add the writer of "${mail.subject}" to Contacts, with name, phone, mail address and company.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('contacts', { name }, [{ phone, mail: address, company }]),
        onlyChanged('mails.*.read', `contacts.${name}`),
      ),
      solve: added(contact, save),
      misses: {
        'without the company': added({ ...contact, company: '' }, save),
        'with another digit': added(
          { ...contact, phone: phone.replace(/.$/, last => `${9 - Number(last)}`) },
          save,
        ),
        'filled in but not saved': added(contact, hand => hand.click('button', 'Cancel')),
      },
    };
  },
};

const newNumber: PocketTemplate = {
  id: 'across-new-number',
  tier: 4,
  apps: ['mail', 'contacts'],
  make: draw => {
    const desk = new MailDesk(draw);
    const person = desk.person();
    const alike = desk.namesake(person);
    const [phone, old] = [draw.phone(), person.phone];
    const mail = desk.put(
      {
        body: `${draw.say(
          `My phone number is no longer ${old}. From today on it is ${phone}.`,
          `I have a new phone: ${phone}. Please forget ${old}.`,
          `Please call me on ${phone} from now on; ${old} is out of use.`,
        )}\n\n${person.name}`,
      },
      person,
    );
    const changed =
      (contact: typeof person, number: string, end: (hand: ScriptedUser) => void) => (hand: ScriptedUser) => {
        openMail(hand, desk.row(mail));
        lookUp(hand, contact);
        hand.keys('f2');
        hand.keys('tab');
        hand.keys('ctrl', 'a');
        hand.type(number);
        end(hand);
      };
    const save = (hand: ScriptedUser) => hand.keys('enter');
    return {
      instruction: draw.say(
        `${person.name} has a new phone number, see the mail "${mail.subject}". Correct it in Contacts.`,
        `Bring Contacts up to date with what ${person.name} writes in "${mail.subject}".`,
        `Change the number of ${person.name} in Contacts to the new one in the mail "${mail.subject}".`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('contacts', { name: person.name }, [{ ...person, phone }]),
        onlyChanged('mails.*.read', `contacts.${person.name}.phone`),
      ),
      solve: changed(person, phone, save),
      misses: {
        'a namesake': changed(alike, phone, save),
        'not saved': changed(person, phone, hand => hand.keys('esc')),
        'both numbers': changed(person, `${old} / ${phone}`, save),
        'a second contact of the same name': hand => {
          hand.open('Contacts');
          hand.click('button', 'New');
          hand.type(person.name);
          hand.keys('tab');
          hand.type(`${phone}\n`);
        },
      },
    };
  },
};

export const ACROSS_CONTACTS: readonly PocketTemplate[] = [signature, newNumber];
