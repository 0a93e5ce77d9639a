// Tasks in which something from another application goes into a mail, a note or a file.

import { capital } from '../../../../agents/compact/word-tokenizer.ts';
import { all, fileIs, inWorld, onlyChanged, recordsAre } from '../conditions.ts';
import { itemAt } from '../draw.ts';
import { choose, click, doubleClick, openApp, steps, write } from '../scripted-user.ts';
import { dayText, MARCH, putEvent, putFile } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deskTemplate, MailDesk } from './mail-desk.ts';
import {
  append,
  beginMail,
  chooseDay,
  copyAll,
  findContact,
  lookUp,
  newNote,
  openMail,
  openNote,
  paste,
  reply,
  save,
  saveDraft,
  send,
  showFolder,
} from './scripts.ts';

const tier = 4;

export const ACROSS_WRITING: readonly PocketTemplate[] = [
  deskTemplate('across-reply-phone', { tier, apps: ['mail', 'contacts'] }, (desk, draw) => {
    const [asker, wanted] = desk.pair();
    const namesake = desk.namesake(wanted);
    const mail = desk.receive(
      asker,
      `I have lost the phone number of ${wanted.name}. Can you send it to me?`,
      `Do you know the phone number of ${wanted.name}?`,
      `I have to call ${wanted.name} today. What is the number?`,
    );
    const answer = (phone: string) => steps(openMail(desk.row(mail)), reply(phone), send);
    const others = desk.world.contacts.map(({ phone }) => phone).filter(phone => phone !== wanted.phone);
    return {
      instruction: draw.phrase(
        `Answer the mail "${mail.subject}" with the phone number that it asks for.`,
        `In the mail "${mail.subject}" somebody asks for a phone number. Look it up in Contacts and reply with it.`,
        `Reply to "${mail.subject}": send ${asker.name} the number, as it stands in Contacts.`,
      ),
      open: draw.somewhere('mail'),
      evaluator: desk.isSent(
        { to: asker.mail, subject: `Re: ${mail.subject}` },
        desk.newBodyHas(wanted.phone, others),
      ),
      solve: steps(openMail(desk.row(mail)), lookUp(wanted), openApp('Mail'), reply(wanted.phone), send),
      misses: {
        'the number of a namesake': answer(namesake.phone),
        'both numbers': answer(`${wanted.phone} ${namesake.phone}`),
        'the number with a digit less': answer(wanted.phone.slice(0, -1)),
        'the number with a digit more': answer(`${wanted.phone}0`),
        'a new mail instead of an answer': steps(beginMail(asker.mail, 'Phone'), write(wanted.phone), send),
      },
    };
  }),

  template('across-mail-note', { tier, apps: ['notes', 'mail'] }, draw => {
    const [{ name }, { name: other }] = [draw.file(), draw.file()];
    const desk = new MailDesk(draw);
    const person = desk.person();
    const namesake = desk.namesake(person);
    const [body, subject] = [draw.twoLines(), desk.subject()];
    putFile(desk.world.root, `/Notes/${name}`, body);
    putFile(desk.world.root, `/Notes/${other}`, `${draw.sentence()}!`);
    const writeMail = (note: string, to: string) =>
      steps(openNote(note), copyAll, beginMail(to, subject), paste);
    return {
      instruction: draw.phrase(
        `Send the text of the note "${name}" to ${person.name}, under the subject "${subject}".`,
        `Mail ${person.name} what the note "${name}" says. The subject is "${subject}", and nothing else belongs into the mail.`,
        `${person.name} wants to read the note "${name}". Copy its whole text into a mail with the subject "${subject}".`,
      ),
      world: desk.world,
      open: draw.somewhere('notes'),
      evaluator: desk.isSent({ to: person.mail, subject, body }),
      solve: steps(writeMail(name, person.name), send),
      misses: {
        'another note': steps(writeMail(other, person.name), send),
        'to a namesake': steps(writeMail(name, namesake.mail), send),
        'kept as a draft': steps(writeMail(name, person.name), saveDraft),
        'its first line only': steps(
          beginMail(person.name, subject),
          write(itemAt(body.split('\n'), 0)),
          send,
        ),
      },
    };
  }),

  template('across-answer-file', { tier, apps: ['mail', 'files', 'notes'] }, draw => {
    const [folder, { name }, { name: other }] = [draw.fresh(draw.words.folder), draw.file(), draw.file()];
    const desk = new MailDesk(draw);
    const person = desk.person();
    const [sentence, otherSentence] = draw.sample(draw.words.sentence, 2);
    putFile(desk.world.root, `/Documents/${folder}/${name}`, `${sentence}.`);
    putFile(desk.world.root, `/Documents/${folder}/${other}`, `${otherSentence}.`);
    const mail = desk.receive(
      person,
      `You have a file ${name}, I think in ${folder}. What does it say?`,
      `Could you send me the text of ${name}? It must be in ${folder}.`,
    );
    const writeAnswer = (file: string) =>
      steps(
        openMail(desk.row(mail)),
        openApp('Files'),
        showFolder('Documents'),
        doubleClick('row', folder),
        doubleClick('row', file),
        copyAll,
        openApp('Mail'),
        click('button', 'Reply'),
        paste,
      );
    return {
      instruction: draw.phrase(
        `Answer the mail "${mail.subject}" with the text of the file that it asks for, which is somewhere in Documents.`,
        `Reply to "${mail.subject}" with what the file "${name}" says. It is in Documents, in the folder ${folder}.`,
        `${person.name} asks for a file of yours in the mail "${mail.subject}". Copy its text into an answer.`,
      ),
      world: desk.world,
      open: draw.somewhere('mail'),
      evaluator: desk.isSent(
        { to: person.mail, subject: `Re: ${mail.subject}` },
        desk.newBodyHas(`${sentence}.`, [`${otherSentence}.`]),
      ),
      solve: steps(writeAnswer(name), send),
      misses: {
        'another file of the folder': steps(writeAnswer(other), send),
        'kept as a draft': steps(writeAnswer(name), saveDraft),
        'an answer without the text': steps(openMail(desk.row(mail)), reply(name), send),
      },
    };
  }),

  template('across-tell-event', { tier, apps: ['calendar', 'mail'] }, draw => {
    const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
    const [hour, otherHour] = draw.sample([8, 10, 11, 13, 14, 15, 16, 17, 18, 19], 2);
    const desk = new MailDesk(draw);
    const person = desk.person();
    const [date] = draw.sample(MARCH, 1);
    const minute = draw.pick(['05', '10', '20', '35', '40', '50']);
    const at = (whole: number) => `${String(whole).padStart(2, '0')}:${minute}`;
    const [time, otherTime] = [at(hour), at(otherHour)];
    putEvent(desk.world.events, { title, date, time });
    putEvent(desk.world.events, { title: other, date, time: otherTime });
    const day = dayText(date);
    const writeMail = (text: string, to: string) => steps(chooseDay(date), beginMail(to, title), write(text));
    const someoneElse = itemAt(
      desk.world.contacts.filter(({ mail }) => mail !== person.mail),
      0,
    ).mail;
    return {
      instruction: draw.phrase(
        `Write to ${person.name} at what time "${title}" is on ${day}. The subject is "${title}"; write the time as it stands in the calendar.`,
        `${person.name} wants to know when "${title}" begins on ${day}. Look it up in the calendar and mail the time as it stands there, with "${title}" as the subject.`,
        `Mail ${person.name} the time of "${title}" on ${day}, as the calendar writes it. Subject: ${title}`,
      ),
      world: desk.world,
      open: draw.somewhere('calendar'),
      evaluator: desk.isSent({ to: person.mail, subject: title }, desk.newBodyHas(time, [otherTime])),
      solve: steps(writeMail(time, person.name), send),
      misses: {
        'the time of the other event of the day': steps(writeMail(otherTime, person.name), send),
        'to somebody else': steps(writeMail(time, someoneElse), send),
        'kept as a draft': steps(writeMail(time, person.name), saveDraft),
      },
    };
  }),

  template('across-subject-note', { tier, apps: ['mail', 'notes'] }, draw => {
    const { name } = draw.file();
    const desk = new MailDesk(draw);
    for (const mail of desk.world.mails) mail.read = true;
    const mail = desk.put({ read: false });
    const other = desk.put({ read: true });
    const path = `/Notes/${name}`;
    const writeNote = (text: string, as: string) => steps(openApp('Mail'), newNote(text, as));
    return {
      instruction: draw.phrase(
        `Write the subject of the unread mail into a new note, and save the note as "${name}".`,
        `One mail is still unread. Keep its subject, and nothing else, in a new note called "${name}".`,
        `Make a note "${name}" that says what the unread mail in the Inbox is about: its subject.`,
      ),
      world: desk.world,
      open: draw.maybeOpen('settings'),
      evaluator: all(fileIs(path, mail.subject), onlyChanged('mails.*.read', inWorld(path))),
      solve: writeNote(mail.subject, name),
      misses: {
        'the subject of a mail that was read': writeNote(other.subject, name),
        'under another name': writeNote(mail.subject, `${name.slice(0, -4)} copy.txt`),
        'never saved': steps(openApp('Notes'), write(mail.subject)),
        'with who wrote it': writeNote(`${mail.subject}\n${mail.from}`, name),
      },
    };
  }),

  template('across-sum-note', { tier, apps: ['notes', 'calculator'] }, draw => {
    const [{ name }, { name: thing }, { name: other }] = [draw.file(), draw.file(), draw.file()];
    const first = draw.integer(120, 980) + 0.5 * draw.integer(0, 1);
    const second = draw.integer(1200, 8700);
    const total = first + second;
    const desk = new MailDesk(draw);
    const before = `${capital(thing.slice(0, -4))}: ${first}\n${capital(other.slice(0, -4))}: ${second}`;
    const path = `/Notes/${name}`;
    putFile(desk.world.root, path, before);
    const addUp = steps(openApp('Calculator'), write(`${first}+${second}=`));
    const writeLine = (line: string) =>
      steps(openNote(name), addUp, openApp('Notes'), append(`\n${line}`), save);
    return {
      instruction: draw.phrase(
        `Add up the two prices in the note "${name}", and write the sum below them as a line like "Total: 99".`,
        `What do the things in the note "${name}" cost together? Put the answer into the note as its last line, like "Total: 99", and save it.`,
        `Complete the note "${name}": its last line must say "Total: " and the sum of the two prices.`,
      ),
      world: desk.world,
      open: draw.somewhere('notes'),
      evaluator: all(
        fileIs(path, `${before}\nTotal: ${total}`),
        onlyChanged('calculator.**', `${inWorld(path)}.text`),
      ),
      solve: writeLine(`Total: ${total}`),
      misses: {
        'a wrong sum': writeLine(`Total: ${total + 10}`),
        'the difference': writeLine(`Total: ${second - first}`),
        'worked out but not written': addUp,
        'written but not saved': steps(openNote(name), append(`\nTotal: ${total}`)),
      },
    };
  }),

  template('across-file-mail', { tier, apps: ['mail', 'notes'] }, draw => {
    const [folder, { name }] = [draw.fresh(draw.words.folder), draw.file()];
    const desk = new MailDesk(draw);
    const person = desk.person();
    const body = `${draw.twoLines()}\n${capital(draw.pick(draw.words.thing))}: ${draw.integer(20, 900)}.00`;
    const mail = desk.put({ body }, person);
    putFile(desk.world.root, `/Documents/${folder}/${draw.file().name}`, draw.twoLines());
    const path = `/Documents/${folder}/${name}`;
    const copy = steps(openMail(desk.row(mail)), choose('document', 'Mail text', 'Copy text'));
    const remove = click('button', 'Delete');
    const saveIn = (...folders: readonly string[]) =>
      steps(
        openApp('Notes'),
        paste,
        save,
        write(name),
        folders.length > 0 ? click('button', 'Up') : steps(),
        ...folders.map(each => doubleClick('listitem', each)),
        click('button', 'Save'),
      );
    return {
      instruction: draw.phrase(
        `Keep the text of the mail "${mail.subject}" as a file "${name}" in the folder ${folder} of Documents, and put the mail into the trash.`,
        `File the mail "${mail.subject}": its text goes into Documents/${folder}/${name}, and the mail itself to the trash.`,
        `Copy what the mail "${mail.subject}" says into a new file "${name}" in ${folder}, which is in Documents. Then delete the mail.`,
      ),
      world: desk.world,
      open: draw.somewhere('mail'),
      evaluator: all(
        fileIs(path, body),
        recordsAre('mails', { id: mail.id }, [{ folder: 'Trash' }]),
        onlyChanged('mails.*.read', `mails.${mail.id}.folder`, inWorld(path)),
      ),
      solve: steps(copy, remove, saveIn('Documents', folder)),
      misses: {
        'the mail is still there': steps(copy, saveIn('Documents', folder)),
        'among the notes': steps(copy, remove, saveIn()),
        'in Documents itself': steps(copy, remove, saveIn('Documents')),
        'the mail deleted and its text lost': steps(copy, remove),
      },
    };
  }),

  template('across-address-note', { tier, apps: ['contacts', 'notes'] }, draw => {
    const { name } = draw.file();
    const desk = new MailDesk(draw);
    const [person, ...listed] = desk.trio();
    const namesake = desk.namesake(person);
    const before = listed.map(({ mail }) => mail).join('\n');
    const path = `/Notes/${name}`;
    putFile(desk.world.root, path, before);
    const add = (contact: typeof person, item: string, separator = '\n') =>
      steps(
        findContact(contact),
        choose('listitem', contact.name, item),
        openNote(name),
        append(separator),
        paste,
        save,
      );
    return {
      instruction: draw.phrase(
        `The note "${name}" is a list of mail addresses. Add that of ${person.name} as its last line.`,
        `Add the mail address of ${person.name} to the note "${name}", in a line of its own at the end.`,
        `Look up the mail address of ${person.name} and write it below the others in the note "${name}".`,
      ),
      world: desk.world,
      open: draw.somewhere('contacts'),
      evaluator: all(fileIs(path, `${before}\n${person.mail}`), onlyChanged(`${inWorld(path)}.text`)),
      solve: add(person, 'Copy mail'),
      misses: {
        'the phone number': add(person, 'Copy phone'),
        'the address of a namesake': add(namesake, 'Copy mail'),
        'not in a line of its own': add(person, 'Copy mail', ' '),
      },
    };
  }),
];
