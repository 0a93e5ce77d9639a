// Outcomes in Mail: marks, moves, and mails that were written. A mail may be read on the way to something else. Removed
// stars, mails restored from the Trash and mails to several people belong to templates that are never trained, so they have
// no outcome.

import { personAt } from '../../apps/mail/mailbox.ts';
import type { Mail, PocketWorld } from '../../world.ts';
import {
  type Changed,
  type Changes,
  changesOf,
  defineOutcome,
  firstOf,
  isQuotable,
  single,
  type WorldChange,
  type WorldOutcome,
} from './outcome.ts';

export type MailText = Pick<Mail, 'to' | 'subject' | 'body'>;

export const starMail = defineOutcome('mail-star', (subject: string, sender: string) => [
  `Star the mail "${subject}" from ${sender}.`,
  `Give the mail about "${subject}" a star.`,
  `${sender} sent me "${subject}". Mark that mail with a star.`,
]);

export const markUnread = defineOutcome('mail-unread', (subject: string, sender: string) => [
  `Mark the mail "${subject}" from ${sender} as unread.`,
  `I still have to read "${subject}" by ${sender}: make it unread again.`,
  `Set ${sender}'s mail about "${subject}" back to unread.`,
]);

export const deleteMail = defineOutcome('mail-delete', (subject: string, sender: string) => [
  `Delete the mail "${subject}" from ${sender}.`,
  `Put ${sender}'s mail about "${subject}" into the Trash.`,
  `I do not need "${subject}" by ${sender} any more. Throw it away.`,
]);

export const readAllMails = defineOutcome('mail-read-all', () => [
  'Mark all mails in the Inbox as read.',
  'I have seen everything in the Inbox. Make all of it read.',
  'There should be no unread mail left in the Inbox. Keep the mails there.',
]);

export const moveMail = defineOutcome('mail-move', (subject: string, from: string, to: string) => [
  `Move the mail "${subject}" from the ${from} folder to ${to}.`,
  `"${subject}" is in the wrong mail folder: it is in ${from}, and belongs in ${to}.`,
  `In Mail, put "${subject}", which is in ${from}, into ${to}.`,
]);

export const keepDraft = defineOutcome('mail-draft', ({ to, subject, body }: MailText) => [
  `Write a mail to ${to} about "${subject}" with the text "${body}", but do not send it yet: keep it as a draft.`,
  `Save a draft to ${to}. Its subject is "${subject}", its text "${body}".`,
  `Prepare a mail with the subject "${subject}" and the text "${body}" for ${to}. Leave it in the drafts, I will send it later.`,
]);

const readMail = defineOutcome('mail-read', (subject: string, sender: string) => [
  `Read the mail "${subject}" from ${sender}.`,
  `Mark the mail "${subject}" from ${sender} as read.`,
  `There is an unread mail "${subject}" from ${sender}. Make it read.`,
]);

const keepDraftWithAddress = defineOutcome('mail-draft-address', ({ to }: Mail) => [
  `Keep a draft to ${to}, without subject and text.`,
  `Begin a mail to ${to}, write nothing else in it, and save the draft.`,
]);

const keepDraftWithSubject = defineOutcome('mail-draft-subject', ({ to, subject }: Mail) => [
  `Keep a draft to ${to} with the subject "${subject}", without any text.`,
  `Begin a mail to ${to} about "${subject}", and save the draft before you write its text.`,
]);

const sendMail = defineOutcome('mail-sent', ({ to, subject, body }: Mail) => [
  `Let ${to} have a mail with the subject "${subject}", saying "${body}".`,
  `Write a mail about "${subject}" that says "${body}", and send it off to ${to}.`,
]);

const eraseMail = defineOutcome('mail-erase', (subject: string) => [
  `Delete the mail "${subject}" in the Trash for good.`,
  `Remove "${subject}" from the Trash of my mail, and leave the others there.`,
]);

/** Whether the subject identifies the mail in its folder. */
export const isSubjectClear = ({ folder, subject }: Mail, { mails }: PocketWorld): boolean =>
  subject !== '' && mails.filter(each => each.folder === folder && each.subject === subject).length === 1;

/** Whether subject and sender together identify it. */
function isSenderClear({ folder, subject, from }: Mail, { mails, contacts }: PocketWorld): boolean {
  const sender = personAt(contacts, from);
  const matches = mails.filter(
    each => each.folder === folder && each.subject === subject && personAt(contacts, each.from) === sender,
  );
  return subject !== '' && matches.length === 1;
}

export const wasRead = ({ before, after }: Changed<Mail>): boolean => !before.read && after.read;

function changedMail(change: Changed<Mail>, { start }: WorldChange): WorldOutcome | undefined {
  const { before, after, fields } = change;
  const { subject, folder } = before;
  const sender = personAt(start.contacts, before.from);
  const isOnly = (field: keyof Mail): boolean =>
    fields.includes(field) && fields.every(each => each === field || (each === 'read' && wasRead(change)));
  const isOnlyInInbox = (field: keyof Mail): boolean => folder === 'Inbox' && isOnly(field);
  const isDeleted = folder === 'Inbox' && after.folder === 'Trash';
  const isMoved = isOnly('folder') && !isDeleted && folder !== 'Trash';
  return firstOf(
    isOnlyInInbox('starred') && after.starred && isSubjectClear(before, start) && starMail(subject, sender),
    isOnlyInInbox('read') && !after.read && isSenderClear(before, start) && markUnread(subject, sender),
    isOnly('folder') && isDeleted && isSenderClear(before, start) && deleteMail(subject, sender),
    isMoved && isSubjectClear(before, start) && moveMail(subject, folder, after.folder),
    isOnlyInInbox('read') && after.read && isSenderClear(before, start) && readMail(subject, sender),
  );
}

function readAll(changed: readonly Changed<Mail>[], { end }: WorldChange): WorldOutcome | undefined {
  const areRead = changed.every(
    change => change.before.folder === 'Inbox' && single(change.fields) === 'read' && wasRead(change),
  );
  const isUnreadLeft = end.mails.some(({ folder, read }) => folder === 'Inbox' && !read);
  return areRead && !isUnreadLeft ? readAllMails() : undefined;
}

function writtenMail(mail: Mail): WorldOutcome | undefined {
  const { folder, to, subject, body, starred } = mail;
  if (starred || !isQuotable(to) || to.includes(',')) return undefined;
  const isComplete = isQuotable(subject) && isQuotable(body);
  if (folder === 'Sent') return isComplete ? sendMail(mail) : undefined;
  return firstOf(
    folder === 'Drafts' && isComplete && keepDraft(mail),
    folder === 'Drafts' && body === '' && subject === '' && keepDraftWithAddress(mail),
    folder === 'Drafts' && body === '' && isQuotable(subject) && keepDraftWithSubject(mail),
  );
}

/** Deleting the last mail of the Trash empties it, which is another outcome. */
function erasedMail(mail: Mail, { start }: WorldChange): WorldOutcome | undefined {
  const isOneOfMany = start.mails.filter(({ folder }) => folder === 'Trash').length > 1;
  return mail.folder === 'Trash' && isOneOfMany && isSubjectClear(mail, start)
    ? eraseMail(mail.subject)
    : undefined;
}

export const mailChanges = ({ start, end }: WorldChange): Changes<Mail> | undefined =>
  changesOf(start.mails, end.mails, ({ id }) => id);

export function mailOutcome(episode: WorldChange): WorldOutcome | undefined {
  const { added, removed, changed } = mailChanges(episode) ?? { added: [], removed: [], changed: [] };
  const [[newMail], [lostMail], [change]] = [added, removed, changed];
  if (added.length + removed.length + changed.length !== 1)
    return added.length + removed.length === 0 && change ? readAll(changed, episode) : undefined;
  if (newMail !== undefined) return writtenMail(newMail);
  if (lostMail !== undefined) return erasedMail(lostMail, episode);
  return change && changedMail(change, episode);
}
