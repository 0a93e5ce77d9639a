// Tasks about contacts in which what is to be entered stands elsewhere on the screen: with another contact, or in a mail.

import type { Contact, Mail } from '../../world.ts';
import { toAddSender } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { change, count } from './contacts.ts';
import { MailDesk, somewhere } from './mail-desk.ts';

const FIELDS = [
  ['company', 'Company'],
  ['phone', 'Phone'],
] as const;

const copy: PocketTemplate = {
  id: 'contacts-copy',
  tier: 3,
  apps: ['contacts'],
  make: draw => {
    const desk = new MailDesk(draw);
    const [field, label] = draw.one(FIELDS);
    const [from = desk.person(), to = desk.person(), third = desk.person()] = desk.people(3);
    const [one, two, other] = draw.some(draw.words.company, 3);
    Object.assign(from, { company: one });
    Object.assign(to, { company: two });
    Object.assign(third, { company: other });
    const { name, ...rest } = structuredClone(to);
    const look = (hand: ScriptedUser, who: Contact) => {
      hand.open('Contacts');
      hand.click('listitem', who.name);
    };
    const what = field === 'phone' ? 'phone number' : 'company';
    return {
      instruction: draw.say(
        `Give ${name} the same ${what} as ${from.name} in my contacts.`,
        `${name} and ${from.name} have the same ${what}. Only ${from.name}'s is right in Contacts: correct the other.`,
        `Look up ${from.name}'s ${what} and enter it for ${name} too.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'contacts'),
      evaluator: all(
        recordsAre('contacts', { name }, [{ ...rest, [field]: from[field] }]),
        count(desk, 0),
        onlyChanged(`contacts.${name}.${field}`),
      ),
      solve: hand => {
        look(hand, from);
        change(name, label, `${from[field]}\n`)(hand);
      },
      misses: {
        'the other way round': change(from.name, label, `${to[field]}\n`),
        'from somebody else': hand => {
          look(hand, third);
          change(name, label, `${third[field]}\n`)(hand);
        },
        'written, but not saved': change(name, label, from[field]),
      },
    };
  },
};

const fromMail: PocketTemplate = {
  id: 'contacts-from-mail',
  tier: 2,
  apps: ['mail', 'contacts'],
  make: draw => {
    const desk = new MailDesk(draw);
    const [person, another] = [desk.stranger(), desk.stranger()];
    const mail = desk.put({}, person);
    const other = desk.put({}, another);
    const keep = (from: Mail, words: string) => (hand: ScriptedUser) => {
      hand.open('Mail');
      hand.choose('row', desk.row(from), 'Add to Contacts...');
      hand.type(words);
    };
    const { name, mail: address } = person;
    return {
      instruction: draw.say(...toAddSender(mail.subject, name)),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('contacts', { name }, [{ phone: '', mail: address, company: '' }]),
        count(desk, 1),
        onlyChanged(`contacts.${name}`, `mails.${mail.id}.read`),
      ),
      solve: keep(mail, `${name}\n`),
      misses: {
        'the address of another sender': keep(other, `${name}\n`),
        'under another name': keep(mail, `${another.name}\n`),
        'filled in, but not saved': keep(mail, name),
      },
    };
  },
};

export const CONTACTS_COPYING: readonly PocketTemplate[] = [copy, fromMail];
