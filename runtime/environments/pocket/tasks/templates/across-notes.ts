// Tasks in which something from another application goes into a note or a file.

import { capital } from '../../../../agent/word-tokenizer.ts';
import { all, fileIs, inWorld, onlyChanged, recordsAre } from '../conditions.ts';
import { choose, click, doubleClick, openApp, steps, write } from '../scripted-user.ts';
import { putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { MailDesk } from './mail-desk.ts';
import { append, findContact, newNote, openMail, openNote, paste, save } from './scripts.ts';

const tier = 4;

export const ACROSS_NOTES: readonly PocketTemplate[] = [
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
