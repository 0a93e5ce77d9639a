// Deeds in Mail: marks on mails, mails put elsewhere, and mails written. To read a mail on the way to
// something else is no mistake. Stars taken off, mails got back from the Trash, and mails to several people
// are tasks that are never trained: they have no name here.

import { personAt } from '../../apps/mail/address.ts';
import type { Mail, PocketWorld } from '../../world.ts';
import { toDeleteMail, toKeepDraft, toMakeUnread, toMoveMail, toReadAll, toStar } from '../phrases.ts';
import { type Changed, type Changes, changesOf, only } from './difference.ts';
import {
  firstOutcome,
  isPlain,
  type Recogniser,
  said,
  type WorldChange,
  type WorldOutcome,
} from './outcome.ts';

type MailChanges = Changes<Mail>;

const senderOf = ({ from }: Mail, { contacts }: PocketWorld): string => personAt(contacts, from);

export const isSubjectClear = (mail: Mail, { mails }: PocketWorld): boolean =>
  mail.subject !== '' &&
  mails.filter(({ folder, subject }) => folder === mail.folder && subject === mail.subject).length === 1;

/** Whether subject and sender tell a mail from all others of its folder. */
const isSenderClear = (mail: Mail, world: PocketWorld): boolean =>
  mail.subject !== '' &&
  world.mails.filter(
    each =>
      each.folder === mail.folder &&
      each.subject === mail.subject &&
      senderOf(each, world) === senderOf(mail, world),
  ).length === 1;

/** It was unread and is read now. */
export const isRead = ({ before, after }: Changed<Mail>): boolean => !before.read && after.read;

/** The one mail of the Inbox in which this field was changed, and which was read on the way at most. */
function changedIn({ changed }: MailChanges, field: keyof Mail): Changed<Mail> | undefined {
  const change = only(changed);
  if (change === undefined || change.before.folder !== 'Inbox' || !change.fields.includes(field))
    return undefined;
  const others = change.fields.filter(each => each !== field);
  return others.every(each => each === 'read') && (others.length === 0 || isRead(change))
    ? change
    : undefined;
}

const starred: Recogniser<MailChanges> = (changes, { start }) => {
  const { before, after } = changedIn(changes, 'starred') ?? {};
  if (before === undefined || !after?.starred || !isSubjectClear(before, start)) return undefined;
  return said('mail-star', ...toStar(before.subject, senderOf(before, start)));
};

const unread: Recogniser<MailChanges> = (changes, { start }) => {
  const { before, after } = changedIn(changes, 'read') ?? {};
  if (before === undefined || after?.read !== false || !isSenderClear(before, start)) return undefined;
  return said('mail-unread', ...toMakeUnread(before.subject, senderOf(before, start)));
};

const removed: Recogniser<MailChanges> = (changes, { start }) => {
  const { before, after } = changedIn(changes, 'folder') ?? {};
  if (before === undefined || after?.folder !== 'Trash' || !isSenderClear(before, start)) return undefined;
  return said('mail-delete', ...toDeleteMail(before.subject, senderOf(before, start)));
};

const moved: Recogniser<MailChanges> = ({ changed }, { start }) => {
  const change = only(changed);
  if (change === undefined || !change.fields.includes('folder')) return undefined;
  if (change.fields.length > 1 && !(change.fields.length === 2 && isRead(change))) return undefined;
  const [from, to] = [change.before.folder, change.after.folder];
  // What comes from the Trash is rescued, and what goes there from the Inbox deleted.
  if (from === 'Trash' || (from === 'Inbox' && to === 'Trash')) return undefined;
  if (!isSubjectClear(change.before, start)) return undefined;
  return said('mail-move', ...toMoveMail(change.before.subject, from, to));
};

const readAll: Recogniser<MailChanges> = ({ changed }, { end }) => {
  const inInbox = changed.every(
    change => change.before.folder === 'Inbox' && only(change.fields) === 'read' && isRead(change),
  );
  // One mail alone is read (below); it may be all there was, but nobody would say so.
  if (changed.length < 2 || !inInbox) return undefined;
  const isLeft = end.mails.some(({ folder, read }) => folder === 'Inbox' && !read);
  return isLeft ? undefined : said('mail-read-all', ...toReadAll());
};

/** Whatever was written to one person, in one line. */
const isWritten = ({ to, subject, body }: Mail): boolean =>
  isPlain(to) && !to.includes(',') && isPlain(subject) && isPlain(body);

const drafted: Recogniser<MailChanges> = ({ came }) => {
  const mail = only(came);
  if (mail?.folder !== 'Drafts' || mail.starred || !isWritten(mail)) return undefined;
  return said('mail-draft', ...toKeepDraft(mail.to, mail.subject, mail.body));
};

// Stepping stones: what no template of the first tiers asks for, in words of their own.

const read: Recogniser<MailChanges> = (changes, { start }) => {
  const change = changedIn(changes, 'read');
  if (change === undefined || !isRead(change) || !isSenderClear(change.before, start)) return undefined;
  const [{ subject }, sender] = [change.before, senderOf(change.before, start)];
  return said(
    'mail-read',
    `Read the mail "${subject}" from ${sender}.`,
    `Mark the mail "${subject}" from ${sender} as read.`,
    `There is an unread mail "${subject}" from ${sender}. Make it read.`,
  );
};

const draftBegun: Recogniser<MailChanges> = ({ came }) => {
  const mail = only(came);
  if (mail?.folder !== 'Drafts' || mail.starred || mail.body !== '') return undefined;
  const { to, subject } = mail;
  if (!isPlain(to) || to.includes(',')) return undefined;
  if (subject === '') {
    return said(
      'mail-draft-address',
      `Keep a draft to ${to}, without subject and text.`,
      `Begin a mail to ${to}, write nothing else in it, and save the draft.`,
    );
  }
  if (!isPlain(subject)) return undefined;
  return said(
    'mail-draft-subject',
    `Keep a draft to ${to} with the subject "${subject}", without any text.`,
    `Begin a mail to ${to} about "${subject}", and save the draft before you write its text.`,
  );
};

const sent: Recogniser<MailChanges> = ({ came }) => {
  const mail = only(came);
  if (mail?.folder !== 'Sent' || mail.starred || !isWritten(mail)) return undefined;
  return said(
    'mail-sent',
    `Let ${mail.to} have a mail with the subject "${mail.subject}", saying "${mail.body}".`,
    `Write a mail about "${mail.subject}" that says "${mail.body}", and send it off to ${mail.to}.`,
  );
};

const erased: Recogniser<MailChanges> = ({ gone }, { start }) => {
  const mail = only(gone);
  if (mail?.folder !== 'Trash' || !isSubjectClear(mail, start)) return undefined;
  // With the last mail the Trash was emptied.
  if (start.mails.filter(({ folder }) => folder === 'Trash').length < 2) return undefined;
  return said(
    'mail-erase',
    `Delete the mail "${mail.subject}" in the Trash for good.`,
    `Remove "${mail.subject}" from the Trash of my mail, and leave the others there.`,
  );
};

const CHANGED = [starred, unread, removed, moved, readAll, read] as const;
const CAME = [drafted, draftBegun, sent] as const;

export const mailChanges = ({ start, end }: WorldChange): MailChanges | undefined =>
  changesOf(start.mails, end.mails, ({ id }) => id);

export function mailDeed(told: WorldChange): WorldOutcome | undefined {
  const changes = mailChanges(told);
  if (changes === undefined) return undefined;
  const [came, gone, changed] = [changes.came.length, changes.gone.length, changes.changed.length];
  if (came === 0 && gone === 0) return firstOutcome(CHANGED, changes, told);
  if (came === 1 && gone === 0 && changed === 0) return firstOutcome(CAME, changes, told);
  return came === 0 && gone === 1 && changed === 0 ? firstOutcome([erased], changes, told) : undefined;
}
