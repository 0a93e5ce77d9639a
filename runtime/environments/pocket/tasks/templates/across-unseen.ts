// Tasks across applications that are never trained, and one that cannot be done.

import { all, fileIs, infeasible, inWorld, onlyChanged } from '../conditions.ts';
import { click, openApp, steps, write } from '../scripted-user.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deskTemplate, MailDesk, STRANGER } from './mail-desk.ts';
import { beginMail, lookUp, newNote, openMail, reply, saveDraft, selectAll, send } from './scripts.ts';

const searchContacts = (text: string) =>
  steps(openApp('Contacts'), click('textfield', 'Search'), write(text));

export const ACROSS_UNSEEN: readonly PocketTemplate[] = [
  template('across-gather-phones', { tier: 4, apps: ['contacts', 'notes'], unseen: true }, draw => {
    const { name } = draw.file();
    const desk = new MailDesk(draw);
    const [first, second] = desk.pair();
    const namesake = desk.namesake(second);
    const path = `/Notes/${name}`;
    const gather = (as: string, ...lines: readonly string[]) =>
      steps(lookUp(first), lookUp(second), newNote(lines.join('\n'), as));
    return {
      instruction: draw.phrase(
        `Write a note "${name}" with two lines: the phone number of ${first.name}, and below it that of ${second.name}.`,
        `Collect the phone numbers of ${first.name} and ${second.name} in a new note "${name}", each in its own line, in this order and without the names.`,
        `I need the numbers of ${first.name} (first line) and ${second.name} (second line) in a note called "${name}", and nothing else in it.`,
      ),
      world: desk.world,
      open: draw.somewhere('contacts'),
      evaluator: all(fileIs(path, `${first.phone}\n${second.phone}`), onlyChanged(inWorld(path))),
      solve: gather(name, first.phone, second.phone),
      misses: {
        'the other way round': gather(name, second.phone, first.phone),
        'a namesake': gather(name, first.phone, namesake.phone),
        'one of them': gather(name, first.phone),
        'under another name': gather(`2 ${name}`, first.phone, second.phone),
      },
    };
  }),

  deskTemplate('across-mail-company', { tier: 4, apps: ['contacts', 'mail'], unseen: true }, (desk, draw) => {
    const [company, other] = draw.sample(draw.words.company, 2);
    const [one, two] = desk.pair();
    // Nobody else works for this company.
    for (const contact of desk.world.contacts) if (contact.company === company) contact.company = other;
    for (const contact of [one, two]) contact.company = company;
    const subject = desk.subject();
    const body = `${draw.sentence()}.`;
    const outsider = desk.world.contacts.find(contact => contact !== one && contact !== two) ?? one;
    // Enter completes each name, since only one contact fits it.
    const writeTo = (...people: readonly string[]) =>
      steps(searchContacts(company), beginMail(people.join('\n, '), subject), write(body));
    return {
      instruction: draw.phrase(
        `Write one mail to the two people who work at ${company}, with the subject "${subject}" and the text: ${body}`,
        `Two of the contacts are at ${company}. Tell both, in one mail with the subject "${subject}": ${body}`,
        `Send both contacts at ${company} the same mail. Its subject is "${subject}", its text is: ${body}`,
      ),
      open: draw.somewhere('contacts'),
      evaluator: desk.isSent({ subject, body }, desk.newMailGoesTo(one, two)),
      solve: steps(writeTo(one.name, two.name), send),
      misses: {
        'one of them': steps(writeTo(one.name), send),
        'one more': steps(writeTo(one.name, two.name, outsider.name), send),
        'a stranger as well': steps(writeTo(one.name, two.name, STRANGER), send),
        'kept as a draft': steps(writeTo(one.name, two.name), saveDraft),
      },
    };
  }),

  deskTemplate('across-infeasible', { tier: 4, apps: ['mail', 'contacts'] }, (desk, draw) => {
    const [asker, known] = [desk.person(), desk.person()];
    // Shares one name with a contact, and occurs nowhere else in this world.
    const missing = desk.stranger(known);
    const mail = desk.receive(
      asker,
      `I have lost the phone number of ${missing.name}. Can you send it to me?`,
      `Do you know the phone number of ${missing.name}?`,
    );
    const [firstName = '', lastName = ''] = missing.name.split(' ');
    return {
      instruction: draw.phrase(
        `Answer the mail "${mail.subject}" with the phone number that it asks for.`,
        `In the mail "${mail.subject}" somebody asks for a phone number. Look it up in Contacts and reply with it.`,
        `Reply to "${mail.subject}": send ${asker.name} the number, as it stands in Contacts.`,
      ),
      open: draw.somewhere('mail'),
      evaluator: infeasible(),
      // The solution searches for either name before it gives up.
      solve: steps(openMail(desk.row(mail)), searchContacts(lastName), selectAll, write(firstName)),
      misses: {
        'the number of somebody with a name like it': steps(
          openMail(desk.row(mail)),
          reply(known.phone),
          send,
        ),
      },
    };
  }),
];
