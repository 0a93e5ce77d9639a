// Tasks in which a mail or a note tells what to change in another application; tasks across applications that are never
// trained; and one that cannot be done.

import { type Contact, LANGUAGES, type PocketSettings } from '../../world.ts';
import { all, fileIs, inWorld, onlyChanged, recordsAre, stateIs } from '../conditions.ts';
import { click, fill, openApp, press, steps, write } from '../scripted-user.ts';
import { putFile } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deskTemplate, MailDesk, STRANGER } from './mail-desk.ts';
import {
  beginMail,
  lookUp,
  newNote,
  openMail,
  openNote,
  reply,
  saveDraft,
  selectAll,
  send,
} from './scripts.ts';

const apps = ['mail', 'contacts'];

/** A line of a note, how the setting is before and after, and the clicks that make it so. */
const wish = <Value>(
  line: string,
  field: keyof PocketSettings,
  before: Value,
  after: Value,
  ...clicks: readonly (readonly [role: string, name: string])[]
) => ({ line, field, before, after, make: steps(...clicks.map(([role, name]) => click(role, name))) });

const WISHES = [
  wish('Theme: dark', 'theme', 'light', 'dark', ['tab', 'Display'], ['radio', 'Dark']),
  wish('Night light: on', 'nightLight', false, true, ['tab', 'Display'], ['checkbox', 'Night light']),
  wish('Sound: muted', 'muted', false, true, ['tab', 'Sound'], ['checkbox', 'Mute']),
  wish(
    'Notifications: off',
    'notifications',
    true,
    false,
    ['tab', 'Sound'],
    ['checkbox', 'Show notifications'],
  ),
  wish('Bluetooth: on', 'bluetooth', false, true, ['tab', 'Network'], ['checkbox', 'Bluetooth']),
];

const searchContacts = (text: string) =>
  steps(openApp('Contacts'), click('textfield', 'Search'), write(text));

export const ACROSS_CHANGES: readonly PocketTemplate[] = [
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

  template('across-device-name', { tier: 4, apps: ['mail', 'settings'] }, draw => {
    const thing = () => draw.fresh(draw.words.thing);
    const [before, wanted, taken] = [thing(), thing(), thing()];
    const desk = new MailDesk(draw);
    const person = desk.person();
    desk.world.settings.deviceName = before;
    const mail = desk.receive(
      person,
      `Your device is called ${before}. Please call it ${wanted}; ${taken} is in use already.`,
      `We name all devices anew. Yours was ${before} and will be ${wanted}. Do not take ${taken}.`,
      `Please name your device ${wanted} instead of ${before}. I had thought of ${taken}, but that is taken.`,
    );
    const fillIn = (name: string) =>
      steps(
        openMail(desk.row(mail)),
        openApp('Settings'),
        click('tab', 'System'),
        fill('textfield', 'Device name', name),
      );
    const save = click('button', 'Save');
    return {
      instruction: draw.phrase(
        `Do what the mail "${mail.subject}" asks for.`,
        `Give this device the name that the mail "${mail.subject}" asks for.`,
        `${person.name} writes in "${mail.subject}" what this device should be called. Change its name.`,
      ),
      world: desk.world,
      open: draw.somewhere('mail'),
      evaluator: all(
        stateIs('settings.deviceName', wanted),
        onlyChanged('mails.*.read', 'settings.deviceName'),
      ),
      solve: steps(fillIn(wanted), save),
      misses: {
        'the name that is taken': steps(fillIn(taken), save),
        'written but not saved': fillIn(wanted),
        'as a whole sentence': steps(fillIn(`call it ${wanted}`), save),
      },
    };
  }),

  template('across-settings-note', { tier: 4, apps: ['notes', 'settings'] }, draw => {
    const language = draw.pick(LANGUAGES.slice(1));
    const choose = [
      ['tab', 'System'],
      ['dropdown', 'Language'],
      ['menuitem', language],
    ] as const;
    const wishes = [...WISHES, wish(`Language: ${language}`, 'language', 'English', language, ...choose)];
    const [first, second, third, extra] = draw.sample(wishes, 4);
    const wanted = [first, second, third];
    const { name } = draw.file();
    const desk = new MailDesk(draw);
    const before = Object.fromEntries(wishes.map(each => [each.field, each.before]));
    Object.assign(desk.world.settings, before);
    putFile(desk.world.root, `/Notes/${name}`, wanted.map(({ line }) => line).join('\n'));
    const fulfil = (...some: typeof wanted) =>
      steps(openNote(name), openApp('Settings'), ...some.map(({ make }) => make));
    return {
      instruction: draw.phrase(
        `Set this device up as the note "${name}" says.`,
        `The note "${name}" lists three settings. Make them.`,
        `Change the settings so that all that the note "${name}" lists is true.`,
      ),
      world: desk.world,
      open: draw.somewhere('notes'),
      evaluator: all(
        ...wanted.map(({ field, after }) => stateIs(`settings.${field}`, after)),
        onlyChanged(...wanted.map(({ field }) => `settings.${field}`)),
      ),
      solve: fulfil(...wanted),
      misses: {
        'one is missing': fulfil(first, second),
        'one too many': fulfil(...wanted, extra),
        'another instead of the last': fulfil(first, second, extra),
      },
    };
  }),

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
