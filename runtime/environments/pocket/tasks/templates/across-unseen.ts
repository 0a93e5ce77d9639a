// Tasks across applications of kinds that no training task has, and one that cannot be done.

import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, infeasible, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { beginMail, lookUp, openMail, placeOf, saveDraft, saveNoteAs, send } from './chores.ts';
import { MailDesk, STRANGER, somewhere } from './mail-desk.ts';

const gatherPhones: PocketTemplate = {
  id: 'across-gather-phones',
  tier: 4,
  apps: ['contacts', 'notes'],
  unseen: true,
  make: draw => {
    const name = draw.file().name;
    const desk = new MailDesk(draw);
    const [first = desk.person(), second = desk.person()] = desk.people(2);
    const alike = desk.namesake(second);
    const path = `/Notes/${name}`;
    const gathered =
      (as: string, ...lines: readonly string[]) =>
      (hand: ScriptedUser) => {
        lookUp(hand, first);
        lookUp(hand, second);
        hand.open('Notes');
        hand.type(lines.join('\n'));
        saveNoteAs(hand, as);
      };
    return {
      instruction: draw.say(
        `Write a note "${name}" with two lines: the phone number of ${first.name}, and below it that of ${second.name}.`,
        `Collect the phone numbers of ${first.name} and ${second.name} in a new note "${name}", each in its own line, in this order and without the names.`,
        `I need the numbers of ${first.name} (first line) and ${second.name} (second line) in a note called "${name}", and nothing else in it.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'contacts'),
      evaluator: all(fileIs(path, `${first.phone}\n${second.phone}`), onlyChanged(placeOf(path))),
      solve: gathered(name, first.phone, second.phone),
      misses: {
        'the other way round': gathered(name, second.phone, first.phone),
        'a namesake': gathered(name, first.phone, alike.phone),
        'one of them': gathered(name, first.phone),
        'under another name': gathered(`2 ${name}`, first.phone, second.phone),
      },
    };
  },
};

const mailCompany: PocketTemplate = {
  id: 'across-mail-company',
  tier: 4,
  apps: ['contacts', 'mail'],
  unseen: true,
  make: draw => {
    const desk = new MailDesk(draw);
    const [company = '', other = ''] = draw.some(draw.words.company, 2);
    const [one = desk.person(), two = desk.person()] = desk.people(2);
    // The others work anywhere but there.
    for (const contact of desk.world.contacts) if (contact.company === company) contact.company = other;
    for (const contact of [one, two]) contact.company = company;
    const subject = desk.subject();
    const body = `${desk.sentence()}.`;
    const outsider = desk.world.contacts.find(contact => contact !== one && contact !== two) ?? one;
    const writtenTo = (to: readonly string[], end: (hand: ScriptedUser) => void) => (hand: ScriptedUser) => {
      hand.open('Contacts');
      hand.click('textfield', 'Search');
      hand.type(company);
      // Enter finishes each name, as only one contact fits it.
      beginMail(hand, to.join('\n, '), subject);
      hand.type(body);
      end(hand);
    };
    const written = (people: readonly (typeof one)[], end: (hand: ScriptedUser) => void) =>
      writtenTo(
        people.map(({ name }) => name),
        end,
      );
    return {
      instruction: draw.say(
        `Write one mail to the two people who work at ${company}, with the subject "${subject}" and the text: ${body}`,
        `Two of the contacts are at ${company}. Tell both, in one mail with the subject "${subject}": ${body}`,
        `Send both contacts at ${company} the same mail. Its subject is "${subject}", its text is: ${body}`,
      ),
      world: desk.world,
      open: somewhere(draw, 'contacts'),
      evaluator: all(
        recordsAre('mails', { id: desk.next }, [{ folder: 'Sent', subject, body }]),
        desk.goesTo(one, two),
        onlyChanged('mails.*.read', `mails.${desk.next}`),
      ),
      solve: written([one, two], send),
      misses: {
        'one of them': written([one], send),
        'one more': written([one, two, outsider], send),
        'a stranger as well': writtenTo([one.name, two.name, STRANGER], send),
        'kept as a draft': written([one, two], saveDraft),
      },
    };
  },
};

const nobody: PocketTemplate = {
  id: 'across-infeasible',
  tier: 4,
  apps: ['mail', 'contacts'],
  make: draw => {
    const desk = new MailDesk(draw);
    const [asker, known] = [desk.person(), desk.person()];
    // Has the first or the last name of somebody, but is nowhere on this desktop.
    const missing = desk.stranger(known);
    const mail = desk.put(
      {
        body: `${draw.say(
          `I have lost the phone number of ${missing.name}. Can you send it to me?`,
          `Do you know the phone number of ${missing.name}?`,
        )}\n\n${asker.name}`,
      },
      asker,
    );
    return {
      instruction: draw.say(
        `Answer the mail "${mail.subject}" with the phone number that it asks for.`,
        `In the mail "${mail.subject}" somebody asks for a phone number. Look it up in Contacts and reply with it.`,
        `Reply to "${mail.subject}": send ${asker.name} the number, as it stands in Contacts.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: infeasible(),
      // Whoever gives up has looked: for the one name, and then for the other.
      solve: hand => {
        const [first = '', last = ''] = missing.name.split(' ');
        openMail(hand, desk.row(mail));
        hand.open('Contacts');
        hand.click('textfield', 'Search');
        hand.type(last);
        hand.keys('ctrl', 'a');
        hand.type(first);
      },
      misses: {
        'the number of somebody with a name like it': hand => {
          openMail(hand, desk.row(mail));
          hand.click('button', 'Reply');
          hand.type(known.phone);
          send(hand);
        },
      },
    };
  },
};

export const ACROSS_UNSEEN: readonly PocketTemplate[] = [gatherPhones, mailCompany, nobody];
