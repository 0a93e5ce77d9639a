// Tasks about one mail or folder: stars, read and unread, move, delete, search.

import type { Mail } from '../../world.ts';
import { all, onlyChanged, recordsAre } from '../conditions.ts';
import { deleteMail, markUnread, moveMail, readAllMails, starMail } from '../outcomes/mail.ts';
import { choose, click, doubleClick, drag, fill, openApp, press, steps, write } from '../scripted-user.ts';
import { inFront } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deskTemplate, MailDesk, mailChanged } from './mail-desk.ts';

const apps = ['mail'];

const toggleStars = (...mails: readonly Mail[]) =>
  steps(openApp('Mail'), ...mails.map(({ subject }) => click('checkbox', `Star ${subject}`)));

type MailFolder = Mail['folder'];

const openFolder = (folder: MailFolder) =>
  steps(openApp('Mail'), folder === 'Inbox' ? steps() : click('treeitem', folder));
const askToEmptyTrash = steps(openApp('Mail'), choose('treeitem', 'Trash', 'Empty Trash...'));

const MOVES: readonly (readonly [from: MailFolder, to: MailFolder])[] = [
  ['Inbox', 'Drafts'],
  ['Inbox', 'Sent'],
  ['Sent', 'Inbox'],
];

export const MAIL: readonly PocketTemplate[] = [
  deskTemplate('mail-star', { tier: 1, apps }, (desk, draw) => {
    const [sender, another] = desk.pair();
    const mail = desk.put({}, sender);
    const other = desk.put({}, draw.pick([sender, another]));
    return {
      instruction: draw.phrase(...starMail(mail.subject, sender.name).ways),
      open: draw.nearby('mail'),
      evaluator: mailChanged(mail, 'starred', { starred: true, folder: 'Inbox' }),
      solve: toggleStars(mail),
      misses: {
        'another mail': toggleStars(other),
        'another mail as well': toggleStars(other, mail),
        'done and then undone': toggleStars(mail, mail),
      },
    };
  }),

  deskTemplate('mail-unstar', { tier: 1, apps, unseen: true }, (desk, draw) => {
    const [sender, another] = desk.pair();
    const mail = desk.put({ starred: true }, sender);
    const other = desk.put({ starred: true }, another);
    return {
      instruction: draw.phrase(
        `Take the star off the mail "${mail.subject}" from ${sender.name}.`,
        `"${mail.subject}" needs no star any more. Remove it.`,
        `Unstar the mail about "${mail.subject}".`,
      ),
      open: draw.nearby('mail'),
      evaluator: mailChanged(mail, 'starred', { starred: false, folder: 'Inbox' }),
      solve: toggleStars(mail),
      misses: { 'another mail': toggleStars(other), 'both stars': toggleStars(other, mail) },
    };
  }),

  deskTemplate('mail-unread', { tier: 1, apps }, (desk, draw) => {
    const [sender, another] = desk.pair();
    const mail = desk.put({ read: true }, sender);
    // Another mail has the same subject, so only the sender identifies the right one.
    const other = desk.put({ read: true, subject: mail.subject }, another);
    const mark = (which: Mail) => choose('row', desk.row(which), 'Mark as unread');
    return {
      instruction: draw.phrase(...markUnread(mail.subject, sender.name).ways),
      open: inFront('mail'),
      evaluator: all(
        recordsAre('mails', { id: mail.id }, [{ read: false, folder: 'Inbox', starred: false }]),
        onlyChanged(`mails.${mail.id}.read`),
      ),
      solve: mark(mail),
      misses: {
        'the same subject from somebody else': mark(other),
        'opened again afterwards': steps(mark(mail), doubleClick('row', desk.row(mail))),
      },
    };
  }),

  deskTemplate('mail-delete', { tier: 1, apps }, (desk, draw) => {
    const [sender, another] = desk.pair();
    const mail = desk.put({}, sender);
    const other = desk.put({ subject: mail.subject }, another);
    const remove = (which: Mail) => steps(click('row', desk.row(which)), press('delete'));
    return {
      instruction: draw.phrase(...deleteMail(mail.subject, sender.name).ways),
      open: inFront('mail'),
      evaluator: mailChanged(mail, 'folder', { folder: 'Trash', starred: false }),
      solve: remove(mail),
      misses: {
        'the same subject from somebody else': remove(other),
        'moved to another folder': choose('row', desk.row(mail), 'Move to Drafts'),
        'deleted for good': steps(
          remove(mail),
          click('treeitem', 'Trash'),
          remove(mail),
          click('button', 'Delete for good'),
        ),
      },
    };
  }),

  deskTemplate('mail-read-all', { tier: 1, apps }, (desk, draw) => {
    desk.put({ folder: 'Trash', read: false });
    const first = desk.put({ read: false });
    desk.put({ read: false });
    const unread = desk.world.mails.filter(({ folder, read }) => folder === 'Inbox' && !read);
    const readAll = (folder: string) => choose('treeitem', folder, 'Mark all as read');
    return {
      instruction: draw.phrase(...readAllMails().ways),
      open: inFront('mail'),
      evaluator: all(
        recordsAre('mails', { folder: 'Inbox', read: false }, []),
        onlyChanged(...unread.map(({ id }) => `mails.${id}.read`)),
      ),
      solve: readAll('Inbox'),
      misses: {
        'only one': choose('row', desk.row(first), 'Mark as read'),
        'the Trash instead': readAll('Trash'),
        'the Trash as well': steps(readAll('Trash'), readAll('Inbox')),
      },
    };
  }),

  template('mail-move', { tier: 2, apps }, draw => {
    const [from, to] = draw.pick(MOVES);
    const desk = new MailDesk(draw);
    const person = desk.person();
    const mail = desk.put({ folder: from }, person);
    const other = desk.put({ folder: from }, person);
    const move = (which: Mail, folder: MailFolder) =>
      steps(openFolder(from), drag('row', desk.row(which), 'treeitem', folder));
    return {
      instruction: draw.phrase(...moveMail(mail.subject, from, to).ways),
      world: desk.world,
      open: draw.somewhere('mail'),
      evaluator: mailChanged(mail, 'folder', { folder: to }),
      solve: move(mail, to),
      misses: {
        'another mail': move(other, to),
        'into the Trash': move(mail, 'Trash'),
        'moved and moved back': steps(
          move(mail, to),
          click('treeitem', to),
          drag('row', desk.row({ ...mail, folder: to }), 'treeitem', from),
        ),
      },
    };
  }),

  deskTemplate('mail-rescue', { tier: 2, apps, unseen: true }, (desk, draw) => {
    const [sender, another] = desk.pair();
    const mail = desk.put({ folder: 'Trash' }, sender);
    const other = desk.put({ folder: 'Trash' }, another);
    const restore = (which: Mail, folder: MailFolder) =>
      steps(openFolder('Trash'), drag('row', desk.row(which), 'treeitem', folder));
    return {
      instruction: draw.phrase(
        `I threw away "${mail.subject}" from ${sender.name} by mistake. Put it back into the Inbox.`,
        `Get the deleted mail "${mail.subject}" back into the Inbox.`,
        `Restore ${sender.name}'s mail "${mail.subject}" from the Trash to the Inbox.`,
      ),
      open: draw.somewhere('mail'),
      evaluator: mailChanged(mail, 'folder', { folder: 'Inbox', starred: false }),
      solve: restore(mail, 'Inbox'),
      misses: {
        'another mail': restore(other, 'Inbox'),
        'into another folder': restore(mail, 'Sent'),
        'both mails': steps(restore(mail, 'Inbox'), restore(other, 'Inbox')),
      },
    };
  }),

  deskTemplate('mail-empty-trash', { tier: 3, apps }, (desk, draw) => {
    for (let more = draw.integer(1, 3); more > 0; more--) desk.put({ folder: 'Trash' });
    const trashed = desk.world.mails.filter(({ folder }) => folder === 'Trash');
    const [one = desk.put({ folder: 'Trash' })] = trashed;
    const kept = desk.put();
    const empty = steps(askToEmptyTrash, click('button', 'Empty Trash'));
    return {
      instruction: draw.phrase(
        'Empty the Trash of my mail.',
        'Delete all mails in the Trash for good.',
        'Clean up in Mail: nothing of what was thrown away should be left.',
      ),
      open: draw.somewhere('mail'),
      evaluator: all(
        recordsAre('mails', { folder: 'Trash' }, []),
        onlyChanged(...trashed.map(({ id }) => `mails.${id}`)),
      ),
      solve: empty,
      misses: {
        'asked, but not done': steps(askToEmptyTrash, click('button', 'Cancel')),
        'only one mail': steps(
          openFolder('Trash'),
          click('row', desk.row(one)),
          press('delete'),
          click('button', 'Delete for good'),
        ),
        'one mail too many': steps(openApp('Mail'), click('row', desk.row(kept)), press('delete'), empty),
      },
    };
  }),

  deskTemplate('mail-search-star', { tier: 3, apps }, (desk, draw) => {
    const thing = draw.pick(['order', 'booking', 'ticket', 'parcel']);
    const number = draw.integer(1000, 5499);
    const otherNumber = number + draw.integer(1, 4000);
    const receive = (about: number) => {
      const person = desk.person();
      return desk.put({ body: `The ${thing} has number ${about}.\n\n${person.name}` }, person);
    };
    const mail = receive(number);
    const other = receive(otherNumber);
    for (let more = draw.integer(4, 9); more > 0; more--) desk.put();
    const findAndStar = (query: number, { subject }: Mail) =>
      steps(
        openApp('Mail'),
        fill('textfield', 'Search', String(query)),
        click('checkbox', `Star ${subject}`),
      );
    return {
      instruction: draw.phrase(
        `Find the mail that mentions ${thing} ${number}, and star it.`,
        `Somebody wrote to me about ${thing} number ${number}. Give that mail a star.`,
        `Put a star on the mail that has the ${thing} number ${number} in its text.`,
      ),
      open: draw.somewhere('mail'),
      // Looking for the mail without the search makes mails read.
      evaluator: all(
        recordsAre('mails', { id: mail.id }, [{ starred: true, folder: 'Inbox' }]),
        onlyChanged(`mails.${mail.id}.starred`, 'mails.*.read'),
      ),
      solve: findAndStar(number, mail),
      misses: {
        'another number': findAndStar(otherNumber, other),
        both: steps(findAndStar(number, mail), findAndStar(otherNumber, other)),
        'found, but deleted': steps(
          openApp('Mail'),
          click('textfield', 'Search'),
          write(String(number)),
          click('row', desk.row(mail)),
          click('button', 'Delete'),
        ),
      },
    };
  }),
];
