// Tasks of a step or two about one mail or one folder: stars, read and unread, deleting.

import type { Mail } from '../../world.ts';
import { toDeleteMail, toMakeUnread, toReadAll, toStar } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, type EndCondition, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { MailDesk, nearby } from './mail-desk.ts';

const APPS = ['mail'];
const open = [{ app: 'mail' }];

const mailIs = ({ id }: Mail, fields: Partial<Mail>): EndCondition => recordsAre('mails', { id }, [fields]);

/** Reading a mail before doing something with it is no mistake. */
const onlyIn = ({ id }: Mail, field: keyof Mail): EndCondition =>
  onlyChanged(`mails.${id}.${field}`, `mails.${id}.read`);

const pressStar = (hand: ScriptedUser, { subject }: Mail) => hand.click('checkbox', `Star ${subject}`);

const star: PocketTemplate = {
  id: 'mail-star',
  tier: 1,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const [sender = desk.person(), another = desk.person()] = desk.people(2);
    const mail = desk.put({}, sender);
    const other = desk.put({}, draw.one([sender, another]));
    return {
      instruction: draw.say(...toStar(mail.subject, sender.name)),
      world: desk.world,
      open: nearby(draw, 'mail'),
      evaluator: all(mailIs(mail, { starred: true, folder: 'Inbox' }), onlyIn(mail, 'starred')),
      solve: hand => {
        hand.open('Mail');
        pressStar(hand, mail);
      },
      misses: {
        'another mail': hand => {
          hand.open('Mail');
          pressStar(hand, other);
        },
        'another mail as well': hand => {
          hand.open('Mail');
          pressStar(hand, other);
          pressStar(hand, mail);
        },
        'done and then undone': hand => {
          hand.open('Mail');
          pressStar(hand, mail);
          pressStar(hand, mail);
        },
      },
    };
  },
};

const unstar: PocketTemplate = {
  id: 'mail-unstar',
  tier: 1,
  apps: APPS,
  unseen: true,
  make: draw => {
    const desk = new MailDesk(draw);
    const [sender = desk.person(), another = desk.person()] = desk.people(2);
    const mail = desk.put({ starred: true }, sender);
    const other = desk.put({ starred: true }, another);
    return {
      instruction: draw.say(
        `Take the star off the mail "${mail.subject}" from ${sender.name}.`,
        `"${mail.subject}" needs no star any more. Remove it.`,
        `Unstar the mail about "${mail.subject}".`,
      ),
      world: desk.world,
      open: nearby(draw, 'mail'),
      evaluator: all(mailIs(mail, { starred: false, folder: 'Inbox' }), onlyIn(mail, 'starred')),
      solve: hand => {
        hand.open('Mail');
        pressStar(hand, mail);
      },
      misses: {
        'another mail': hand => {
          hand.open('Mail');
          pressStar(hand, other);
        },
        'both stars': hand => {
          hand.open('Mail');
          pressStar(hand, other);
          pressStar(hand, mail);
        },
      },
    };
  },
};

const unread: PocketTemplate = {
  id: 'mail-unread',
  tier: 1,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const [sender = desk.person(), another = desk.person()] = desk.people(2);
    const mail = desk.put({ read: true }, sender);
    // The same subject from somebody else: the sender tells them apart.
    const other = desk.put({ read: true, subject: mail.subject }, another);
    return {
      instruction: draw.say(...toMakeUnread(mail.subject, sender.name)),
      world: desk.world,
      open,
      evaluator: all(
        mailIs(mail, { read: false, folder: 'Inbox', starred: false }),
        onlyChanged(`mails.${mail.id}.read`),
      ),
      solve: hand => hand.choose('row', desk.row(mail), 'Mark as unread'),
      misses: {
        'the same subject from somebody else': hand => hand.choose('row', desk.row(other), 'Mark as unread'),
        'opened again afterwards': hand => {
          hand.choose('row', desk.row(mail), 'Mark as unread');
          hand.double('row', desk.row(mail));
        },
      },
    };
  },
};

const remove: PocketTemplate = {
  id: 'mail-delete',
  tier: 1,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const [sender = desk.person(), another = desk.person()] = desk.people(2);
    const mail = desk.put({}, sender);
    const other = desk.put({ subject: mail.subject }, another);
    const press = (doomed: Mail) => (hand: ScriptedUser) => {
      hand.click('row', desk.row(doomed));
      hand.keys('delete');
    };
    return {
      instruction: draw.say(...toDeleteMail(mail.subject, sender.name)),
      world: desk.world,
      open,
      evaluator: all(mailIs(mail, { folder: 'Trash', starred: false }), onlyIn(mail, 'folder')),
      solve: press(mail),
      misses: {
        'the same subject from somebody else': press(other),
        'moved to another folder': hand => hand.choose('row', desk.row(mail), 'Move to Drafts'),
        'deleted for good': hand => {
          press(mail)(hand);
          hand.click('treeitem', 'Trash');
          press(mail)(hand);
          hand.click('button', 'Delete for good');
        },
      },
    };
  },
};

const readAll: PocketTemplate = {
  id: 'mail-read-all',
  tier: 1,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    desk.put({ folder: 'Trash', read: false });
    const first = desk.put({ read: false });
    desk.put({ read: false });
    const unreadMails = desk.world.mails.filter(({ folder, read }) => folder === 'Inbox' && !read);
    return {
      instruction: draw.say(...toReadAll()),
      world: desk.world,
      open,
      evaluator: all(
        recordsAre('mails', { folder: 'Inbox', read: false }, []),
        onlyChanged(...unreadMails.map(({ id }) => `mails.${id}.read`)),
      ),
      solve: hand => hand.choose('treeitem', 'Inbox', 'Mark all as read'),
      misses: {
        'only one': hand => hand.choose('row', desk.row(first), 'Mark as read'),
        'the Trash instead': hand => hand.choose('treeitem', 'Trash', 'Mark all as read'),
        'the Trash as well': hand => {
          hand.choose('treeitem', 'Trash', 'Mark all as read');
          hand.choose('treeitem', 'Inbox', 'Mark all as read');
        },
      },
    };
  },
};

export const MAIL_MARKS: readonly PocketTemplate[] = [star, unstar, unread, remove, readAll];
