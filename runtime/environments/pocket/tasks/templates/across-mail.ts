// Tasks in which something from another application is mailed to somebody.

import { click, doubleClick, openApp, steps, write } from '../scripted-user.ts';
import { dayText, MARCH, putEvent, putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deskTemplate, MailDesk } from './mail-desk.ts';
import {
  beginMail,
  chooseDay,
  copyAll,
  lookUp,
  openMail,
  openNote,
  paste,
  reply,
  saveDraft,
  send,
  showFolder,
} from './scripts.ts';

const tier = 4;

export const ACROSS_MAIL: readonly PocketTemplate[] = [
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
        'its first line only': steps(beginMail(person.name, subject), write(body.split('\n')[0] ?? ''), send),
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
    const someoneElse = desk.world.contacts.find(({ mail }) => mail !== person.mail)?.mail ?? '';
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
];
