// Tasks about contacts: adding people, changing what is known of them, and deleting them.

import type { Contact } from '../../world.ts';
import { toAddContact, toChangePhone, toDeleteContact } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import {
  all,
  type EndCondition,
  infeasible,
  onlyChanged,
  type PocketTemplate,
  recordsAre,
  stateIs,
} from '../template.ts';
import { MailDesk, nearby, somewhere } from './mail-desk.ts';

const APPS = ['contacts'];
const open = [{ app: 'contacts' }];

/** So many people more in the address book: the same person twice would not show among the changes. */
export const count = (desk: MailDesk, more: number): EndCondition =>
  stateIs('contacts.length', desk.world.contacts.length + more);

/** Opens a contact's form and writes into a field, whatever was there. */
export const change = (name: string, field: string, text: string) => (hand: ScriptedUser) => {
  hand.open('Contacts');
  hand.double('listitem', name);
  hand.fill('textfield', field, text);
};

const add: PocketTemplate = {
  id: 'contacts-add',
  tier: 2,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const byPhone = draw.chance(0.5);
    const { name, phone, mail } = desk.stranger(desk.person());
    const known = byPhone ? phone : mail;
    const fill = (hand: ScriptedUser, who: string, what: string) => {
      hand.click('button', 'New');
      hand.type(who);
      hand.keys('tab');
      if (!byPhone) hand.keys('tab');
      hand.type(what);
    };
    const way = byPhone ? 'phone number' : 'mail address';
    return {
      instruction: draw.say(...toAddContact(name, way, known)),
      world: desk.world,
      open,
      evaluator: all(
        recordsAre('contacts', { name }, [
          { phone: byPhone ? phone : '', mail: byPhone ? '' : mail, company: '' },
        ]),
        count(desk, 1),
        onlyChanged(`contacts.${name}`),
      ),
      solve: hand => {
        fill(hand, name, `${known}\n`);
      },
      misses: {
        'filled in, but not saved': hand => fill(hand, name, known),
        'the name alone': hand => {
          hand.click('button', 'New');
          hand.type(`${name}\n`);
        },
        'the first name alone': hand => fill(hand, name.split(' ')[0] ?? '', `${known}\n`),
        'added twice': hand => {
          fill(hand, name, `${known}\n`);
          fill(hand, name, `${known}\n`);
        },
      },
    };
  },
};

const phone: PocketTemplate = {
  id: 'contacts-phone',
  tier: 2,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const { name, ...person } = desk.person();
    const namesake = desk.namesake({ name, ...person });
    const number = draw.phone();
    return {
      instruction: draw.say(...toChangePhone(name, number)),
      world: desk.world,
      open: nearby(draw, 'contacts'),
      evaluator: all(
        recordsAre('contacts', { name }, [{ ...person, phone: number }]),
        count(desk, 0),
        onlyChanged(`contacts.${name}.phone`),
      ),
      solve: change(name, 'Phone', `${number}\n`),
      misses: {
        'somebody with a similar name': change(namesake.name, 'Phone', `${number}\n`),
        'written, but not saved': change(name, 'Phone', number),
        'added to the old number': hand => {
          hand.open('Contacts');
          hand.double('listitem', name);
          hand.click('textfield', 'Phone');
          hand.keys('end');
          hand.type(`${number}\n`);
        },
      },
    };
  },
};

const remove: PocketTemplate = {
  id: 'contacts-delete',
  tier: 2,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const person = desk.person();
    const namesake = desk.namesake(person);
    const drop = (doomed: Contact) => (hand: ScriptedUser) => {
      hand.open('Contacts');
      hand.choose('listitem', doomed.name, 'Delete...');
      hand.click('button', 'Delete contact');
    };
    return {
      instruction: draw.say(...toDeleteContact(person.name)),
      world: desk.world,
      open: somewhere(draw, 'contacts'),
      evaluator: all(
        recordsAre('contacts', { name: person.name }, []),
        count(desk, -1),
        onlyChanged(`contacts.${person.name}`),
      ),
      solve: drop(person),
      misses: {
        'somebody with a similar name': drop(namesake),
        'both of them': hand => {
          drop(person)(hand);
          drop(namesake)(hand);
        },
        'asked, but not done': hand => {
          hand.open('Contacts');
          hand.choose('listitem', person.name, 'Delete...');
          hand.click('button', 'Cancel');
        },
      },
    };
  },
};

const missing: PocketTemplate = {
  id: 'contacts-missing-infeasible',
  tier: 1,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const person = desk.person();
    // The one name is known, the whole name is nobody's.
    const { name } = desk.stranger(person);
    return {
      instruction: draw.say(
        `Change ${name}'s phone number to ${draw.phone()}.`,
        `Delete ${name} from my contacts.`,
        `Give ${name} the company ${draw.one(draw.words.company)} in my contacts.`,
      ),
      world: desk.world,
      open,
      evaluator: infeasible(),
      solve: () => undefined,
      misses: {
        'somebody with a similar name instead': change(person.name, 'Phone', `${draw.phone()}\n`),
      },
    };
  },
};

export const CONTACTS: readonly PocketTemplate[] = [add, phone, remove, missing];
