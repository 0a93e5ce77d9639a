// Tasks in which something from another application is kept in a note or a file.

import { capital } from '../../../../agent/word-tokenizer.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { addTotal, findContact, openMail, openNote, placeOf, putFile, saveNoteAs, text } from './chores.ts';
import { MailDesk, somewhere } from './mail-desk.ts';

const subjectToNote: PocketTemplate = {
  id: 'across-subject-note',
  tier: 4,
  apps: ['mail', 'notes'],
  make: draw => {
    const name = draw.file().name;
    const desk = new MailDesk(draw);
    for (const mail of desk.world.mails) mail.read = true;
    const mail = desk.put({ read: false });
    const other = desk.put({ read: true });
    const path = `/Notes/${name}`;
    const kept = (subject: string, as: string) => (hand: ScriptedUser) => {
      hand.open('Mail');
      hand.open('Notes');
      hand.type(subject);
      saveNoteAs(hand, as);
    };
    return {
      instruction: draw.say(
        `Write the subject of the unread mail into a new note, and save the note as "${name}".`,
        `One mail is still unread. Keep its subject, and nothing else, in a new note called "${name}".`,
        `Make a note "${name}" that says what the unread mail in the Inbox is about: its subject.`,
      ),
      world: desk.world,
      open: draw.chance(0.5) ? [{ app: 'settings' }] : [],
      evaluator: all(fileIs(path, mail.subject), onlyChanged('mails.*.read', placeOf(path))),
      solve: kept(mail.subject, name),
      misses: {
        'the subject of a mail that was read': kept(other.subject, name),
        'under another name': kept(mail.subject, `${name.slice(0, -4)} copy.txt`),
        'never saved': hand => {
          hand.open('Notes');
          hand.type(mail.subject);
        },
        'with who wrote it': kept(`${mail.subject}\n${mail.from}`, name),
      },
    };
  },
};

const sumInNote: PocketTemplate = {
  id: 'across-sum-note',
  tier: 4,
  apps: ['notes', 'calculator'],
  make: draw => {
    const [name, ...things] = [draw.file().name, draw.file().name, draw.file().name];
    const prices = [draw.whole(120, 980) + 0.5 * draw.whole(0, 1), draw.whole(1200, 8700)];
    const [first = 0, second = 0] = prices;
    const desk = new MailDesk(draw);
    const before = things
      .map((thing, index) => `${capital(thing.slice(0, -4))}: ${prices[index]}`)
      .join('\n');
    const path = `/Notes/${name}`;
    putFile(desk.world.root, path, before);
    const noted = (line: string) => (hand: ScriptedUser) => {
      openNote(hand, name);
      addTotal(hand, `${first}+${second}=`, line);
      hand.keys('ctrl', 's');
    };
    const total = first + second;
    return {
      instruction: draw.say(
        `Add up the two prices in the note "${name}", and write the sum below them as a line like "Total: 99".`,
        `What do the things in the note "${name}" cost together? Put the answer into the note as its last line, like "Total: 99", and save it.`,
        `Complete the note "${name}": its last line must say "Total: " and the sum of the two prices.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'notes'),
      evaluator: all(
        fileIs(path, `${before}\nTotal: ${total}`),
        onlyChanged('calculator.**', `${placeOf(path)}.text`),
      ),
      solve: noted(`Total: ${total}`),
      misses: {
        'a wrong sum': noted(`Total: ${total + 10}`),
        'the difference': noted(`Total: ${second - first}`),
        'worked out but not written': hand => {
          hand.open('Calculator');
          hand.type(`${first}+${second}=`);
        },
        'written but not saved': hand => {
          openNote(hand, name);
          hand.keys('ctrl', 'end');
          hand.type(`\nTotal: ${total}`);
        },
      },
    };
  },
};

const fileMail: PocketTemplate = {
  id: 'across-file-mail',
  tier: 4,
  apps: ['mail', 'notes'],
  make: draw => {
    const [folder, name] = [draw.fresh(draw.words.folder), draw.file().name];
    const desk = new MailDesk(draw);
    const person = desk.person();
    const body = `${text(draw)}\n${capital(draw.one(draw.words.thing))}: ${draw.whole(20, 900)}.00`;
    const mail = desk.put({ body }, person);
    putFile(desk.world.root, `/Documents/${folder}/${draw.file().name}`, text(draw));
    const path = `/Documents/${folder}/${name}`;
    const copied = (hand: ScriptedUser) => {
      openMail(hand, desk.row(mail));
      hand.choose('document', 'Mail text', 'Copy text');
    };
    const filed = (hand: ScriptedUser, ...way: readonly string[]) => {
      hand.open('Notes');
      hand.keys('ctrl', 'v');
      hand.keys('ctrl', 's');
      hand.type(name);
      if (way.length > 0) hand.click('button', 'Up');
      for (const each of way) hand.double('listitem', each);
      hand.click('button', 'Save');
    };
    return {
      instruction: draw.say(
        `Keep the text of the mail "${mail.subject}" as a file "${name}" in the folder ${folder} of Documents, and put the mail into the trash.`,
        `File the mail "${mail.subject}": its text goes into Documents/${folder}/${name}, and the mail itself to the trash.`,
        `Copy what the mail "${mail.subject}" says into a new file "${name}" in ${folder}, which is in Documents. Then delete the mail.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        fileIs(path, body),
        recordsAre('mails', { id: mail.id }, [{ folder: 'Trash' }]),
        onlyChanged('mails.*.read', `mails.${mail.id}.folder`, placeOf(path)),
      ),
      solve: hand => {
        copied(hand);
        hand.click('button', 'Delete');
        filed(hand, 'Documents', folder);
      },
      misses: {
        'the mail is still there': hand => {
          copied(hand);
          filed(hand, 'Documents', folder);
        },
        'among the notes': hand => {
          copied(hand);
          hand.click('button', 'Delete');
          filed(hand);
        },
        'in Documents itself': hand => {
          copied(hand);
          hand.click('button', 'Delete');
          filed(hand, 'Documents');
        },
        'the mail deleted and its text lost': hand => {
          copied(hand);
          hand.click('button', 'Delete');
        },
      },
    };
  },
};

const addressToNote: PocketTemplate = {
  id: 'across-address-note',
  tier: 4,
  apps: ['contacts', 'notes'],
  make: draw => {
    const name = draw.file().name;
    const desk = new MailDesk(draw);
    const [person = desk.person(), ...listed] = desk.people(3);
    const alike = desk.namesake(person);
    const before = listed.map(({ mail }) => mail).join('\n');
    const path = `/Notes/${name}`;
    putFile(desk.world.root, path, before);
    const added =
      (contact: typeof person, item: string, end = '\n') =>
      (hand: ScriptedUser) => {
        findContact(hand, contact);
        hand.choose('listitem', contact.name, item);
        openNote(hand, name);
        hand.keys('ctrl', 'end');
        hand.type(end);
        hand.keys('ctrl', 'v');
        hand.keys('ctrl', 's');
      };
    return {
      instruction: draw.say(
        `The note "${name}" is a list of mail addresses. Add that of ${person.name} as its last line.`,
        `Add the mail address of ${person.name} to the note "${name}", in a line of its own at the end.`,
        `Look up the mail address of ${person.name} and write it below the others in the note "${name}".`,
      ),
      world: desk.world,
      open: somewhere(draw, 'contacts'),
      evaluator: all(fileIs(path, `${before}\n${person.mail}`), onlyChanged(`${placeOf(path)}.text`)),
      solve: added(person, 'Copy mail'),
      misses: {
        'the phone number': added(person, 'Copy phone'),
        'the address of a namesake': added(alike, 'Copy mail'),
        'not in a line of its own': added(person, 'Copy mail', ' '),
      },
    };
  },
};

export const ACROSS_NOTES: readonly PocketTemplate[] = [subjectToNote, sumInNote, fileMail, addressToNote];
