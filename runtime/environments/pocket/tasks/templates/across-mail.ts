// Tasks in which something from another application is written to somebody.

import type { ScriptedUser } from '../scripted-user.ts';
import { all, onlyChanged, type PocketTemplate, recordsAre, stateHas } from '../template.ts';
import {
  beginMail,
  chooseDay,
  days,
  dayText,
  lookUp,
  openMail,
  openNote,
  putEvent,
  putFile,
  saveDraft,
  send,
  text,
} from './chores.ts';
import { MailDesk, somewhere } from './mail-desk.ts';

const replyWithPhone: PocketTemplate = {
  id: 'across-reply-phone',
  tier: 4,
  apps: ['mail', 'contacts'],
  make: draw => {
    const desk = new MailDesk(draw);
    const [asker = desk.person(), wanted = desk.person()] = desk.people(2);
    const alike = desk.namesake(wanted);
    const mail = desk.put(
      {
        body: `${draw.say(
          `I have lost the phone number of ${wanted.name}. Can you send it to me?`,
          `Do you know the phone number of ${wanted.name}?`,
          `I have to call ${wanted.name} today. What is the number?`,
        )}\n\n${asker.name}`,
      },
      asker,
    );
    const answer = (to: typeof mail, phone: string) => (hand: ScriptedUser) => {
      openMail(hand, desk.row(to));
      hand.click('button', 'Reply');
      hand.type(phone);
      send(hand);
    };
    const others = desk.world.contacts.map(({ phone }) => phone).filter(phone => phone !== wanted.phone);
    return {
      instruction: draw.say(
        `Answer the mail "${mail.subject}" with the phone number that it asks for.`,
        `In the mail "${mail.subject}" somebody asks for a phone number. Look it up in Contacts and reply with it.`,
        `Reply to "${mail.subject}": send ${asker.name} the number, as it stands in Contacts.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('mails', { id: desk.next }, [
          { folder: 'Sent', to: asker.mail, subject: `Re: ${mail.subject}` },
        ]),
        stateHas(`mails.${desk.world.mails.length}.body`, [wanted.phone], others),
        onlyChanged('mails.*.read', `mails.${desk.next}`),
      ),
      solve: hand => {
        openMail(hand, desk.row(mail));
        lookUp(hand, wanted);
        hand.open('Mail');
        hand.click('button', 'Reply');
        hand.type(wanted.phone);
        send(hand);
      },
      misses: {
        'the number of a namesake': answer(mail, alike.phone),
        'both numbers': answer(mail, `${wanted.phone} ${alike.phone}`),
        'the number with a digit less': answer(mail, wanted.phone.slice(0, -1)),
        'a new mail instead of an answer': hand => {
          beginMail(hand, asker.mail, 'Phone');
          hand.type(wanted.phone);
          send(hand);
        },
      },
    };
  },
};

const mailNote: PocketTemplate = {
  id: 'across-mail-note',
  tier: 4,
  apps: ['notes', 'mail'],
  make: draw => {
    const [name, other] = [draw.file().name, draw.file().name];
    const desk = new MailDesk(draw);
    const person = desk.person();
    const alike = desk.namesake(person);
    const [body, subject] = [text(draw), desk.subject()];
    putFile(desk.world.root, `/Notes/${name}`, body);
    putFile(desk.world.root, `/Notes/${other}`, `${draw.one(draw.words.sentence)}!`);
    const copied = (hand: ScriptedUser, note: string) => {
      openNote(hand, note);
      hand.keys('ctrl', 'a');
      hand.keys('ctrl', 'c');
    };
    const mailed = (note: string, to: string, end: (hand: ScriptedUser) => void) => (hand: ScriptedUser) => {
      copied(hand, note);
      beginMail(hand, to, subject);
      hand.keys('ctrl', 'v');
      end(hand);
    };
    return {
      instruction: draw.say(
        `Send the text of the note "${name}" to ${person.name}, under the subject "${subject}".`,
        `Mail ${person.name} what the note "${name}" says. The subject is "${subject}", and nothing else belongs into the mail.`,
        `${person.name} wants to read the note "${name}". Copy its whole text into a mail with the subject "${subject}".`,
      ),
      world: desk.world,
      open: somewhere(draw, 'notes'),
      evaluator: all(
        recordsAre('mails', { id: desk.next }, [{ folder: 'Sent', to: person.mail, subject, body }]),
        onlyChanged('mails.*.read', `mails.${desk.next}`),
      ),
      solve: mailed(name, person.name, send),
      misses: {
        'another note': mailed(other, person.name, send),
        'to a namesake': mailed(name, alike.mail, send),
        'kept as a draft': mailed(name, person.name, saveDraft),
        'its first line only': hand => {
          beginMail(hand, person.name, subject);
          hand.type(body.split('\n')[0] ?? '');
          send(hand);
        },
      },
    };
  },
};

const answerWithFile: PocketTemplate = {
  id: 'across-answer-file',
  tier: 4,
  apps: ['mail', 'files', 'notes'],
  make: draw => {
    const [folder, name, other] = [draw.fresh(draw.words.folder), draw.file().name, draw.file().name];
    const desk = new MailDesk(draw);
    const person = desk.person();
    const [content = '', otherText = ''] = draw.some(draw.words.sentence, 2).map(sentence => `${sentence}.`);
    const path = `/Documents/${folder}`;
    putFile(desk.world.root, `${path}/${name}`, content);
    putFile(desk.world.root, `${path}/${other}`, otherText);
    const mail = desk.put(
      {
        body: `${draw.say(
          `You have a file ${name}, I think in ${folder}. What does it say?`,
          `Could you send me the text of ${name}? It must be in ${folder}.`,
        )}\n\n${person.name}`,
      },
      person,
    );
    const answered = (file: string, end: (hand: ScriptedUser) => void) => (hand: ScriptedUser) => {
      openMail(hand, desk.row(mail));
      hand.open('Files');
      hand.click('treeitem', 'Documents');
      hand.double('row', folder);
      hand.double('row', file);
      hand.keys('ctrl', 'a');
      hand.keys('ctrl', 'c');
      hand.open('Mail');
      hand.click('button', 'Reply');
      hand.keys('ctrl', 'v');
      end(hand);
    };
    return {
      instruction: draw.say(
        `Answer the mail "${mail.subject}" with the text of the file that it asks for, which is somewhere in Documents.`,
        `Reply to "${mail.subject}" with what the file "${name}" says. It is in Documents, in the folder ${folder}.`,
        `${person.name} asks for a file of yours in the mail "${mail.subject}". Copy its text into an answer.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('mails', { id: desk.next }, [
          { folder: 'Sent', to: person.mail, subject: `Re: ${mail.subject}` },
        ]),
        stateHas(`mails.${desk.world.mails.length}.body`, [content], [otherText]),
        onlyChanged('mails.*.read', `mails.${desk.next}`),
      ),
      solve: answered(name, send),
      misses: {
        'another file of the folder': answered(other, send),
        'kept as a draft': answered(name, saveDraft),
        'an answer without the text': hand => {
          openMail(hand, desk.row(mail));
          hand.click('button', 'Reply');
          hand.type(name);
          send(hand);
        },
      },
    };
  },
};

const tellEvent: PocketTemplate = {
  id: 'across-tell-event',
  tier: 4,
  apps: ['calendar', 'mail'],
  make: draw => {
    const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
    const [hour = 8, otherHour = 9] = draw.some([8, 10, 11, 13, 14, 15, 16, 17, 18, 19], 2);
    const desk = new MailDesk(draw);
    const person = desk.person();
    const [date = ''] = days(draw, 1);
    const minute = draw.one(['05', '10', '20', '35', '40', '50']);
    const at = (whole: number) => `${String(whole).padStart(2, '0')}:${minute}`;
    putEvent(desk.world.events, { title, date, time: at(hour) });
    putEvent(desk.world.events, { title: other, date, time: at(otherHour) });
    const day = dayText(date);
    const told = (time: string, to: string, end: (hand: ScriptedUser) => void) => (hand: ScriptedUser) => {
      chooseDay(hand, date);
      beginMail(hand, to, title);
      hand.type(time);
      end(hand);
    };
    const someoneElse = desk.world.contacts.find(({ mail }) => mail !== person.mail)?.mail ?? '';
    return {
      instruction: draw.say(
        `Write to ${person.name} at what time "${title}" is on ${day}. The subject is "${title}"; write the time as it stands in the calendar.`,
        `${person.name} wants to know when "${title}" begins on ${day}. Look it up in the calendar and mail the time as it stands there, with "${title}" as the subject.`,
        `Mail ${person.name} the time of "${title}" on ${day}, as the calendar writes it. Subject: ${title}`,
      ),
      world: desk.world,
      open: somewhere(draw, 'calendar'),
      evaluator: all(
        recordsAre('mails', { id: desk.next }, [{ folder: 'Sent', to: person.mail, subject: title }]),
        stateHas(`mails.${desk.world.mails.length}.body`, [at(hour)], [at(otherHour)]),
        onlyChanged('mails.*.read', `mails.${desk.next}`),
      ),
      solve: told(at(hour), person.name, send),
      misses: {
        'the time of the other event of the day': told(at(otherHour), person.name, send),
        'to somebody else': told(at(hour), someoneElse, send),
        'kept as a draft': told(at(hour), person.name, saveDraft),
      },
    };
  },
};

export const ACROSS_MAIL: readonly PocketTemplate[] = [replyWithPhone, mailNote, answerWithFile, tellEvent];
