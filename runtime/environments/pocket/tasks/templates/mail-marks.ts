// Tasks of one or two steps about one mail or folder: stars, read and unread, deletion.

import type { Mail } from '../../world.ts';
import { all, onlyChanged, recordsAre } from '../conditions.ts';
import { deleteMail, markUnread, readAllMails, starMail } from '../outcomes/mail.ts';
import { choose, click, doubleClick, openApp, press, steps } from '../scripted-user.ts';
import { inFront } from '../setup.ts';
import type { PocketTemplate } from '../template.ts';
import { deskTemplate, mailChanged } from './mail-desk.ts';

const apps = ['mail'];

const toggleStars = (...mails: readonly Mail[]) =>
  steps(openApp('Mail'), ...mails.map(({ subject }) => click('checkbox', `Star ${subject}`)));

export const MAIL_MARKS: readonly PocketTemplate[] = [
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
];
