// Deeds in Contacts: somebody added, deleted, or changed in one field; and the sender of a mail kept, for
// which the mail may have been read.

import { contactAt, sameAddress } from '../../apps/mail/address.ts';
import type { Contact, Mail } from '../../world.ts';
import { toAddContact, toAddSender, toChangePhone, toDeleteContact } from '../phrases.ts';
import { type Changes, changesOf, only } from './difference.ts';
import { isRead, isSubjectClear, mailChanges } from './mail.ts';
import {
  firstOutcome,
  isPlain,
  type Recogniser,
  said,
  type WorldChange,
  type WorldOutcome,
} from './outcome.ts';

type ContactChanges = Changes<Contact>;

/** The mails of the Inbox that came from an address that nobody had a contact for. */
function lettersOf({ mail: address }: Contact, { start }: WorldChange): readonly Mail[] {
  if (contactAt(start.contacts, address) !== undefined) return [];
  return start.mails.filter(
    mail => mail.folder === 'Inbox' && sameAddress(mail.from, address) && isSubjectClear(mail, start),
  );
}

/** The ways to say that a sender was kept: by any of the mails, or by the one that was read. */
const kept = (contact: Contact, mails: readonly Mail[]): readonly string[] =>
  contact.phone === '' && contact.company === ''
    ? mails.flatMap(({ subject }) => toAddSender(subject, contact.name))
    : [];

const added: Recogniser<ContactChanges> = ({ came }, told) => {
  const contact = only(came);
  if (contact === undefined || !isPlain(contact.name) || contact.company !== '') return undefined;
  const { name, phone, mail } = contact;
  if (phone !== '' && mail === '') return said('contacts-add', ...toAddContact(name, 'phone number', phone));
  if (phone !== '' || !isPlain(mail)) return undefined;
  const fromMail = kept(contact, lettersOf(contact, told));
  const ways = [...toAddContact(name, 'mail address', mail), ...fromMail];
  return said(fromMail.length > 0 ? 'contacts-from-mail' : 'contacts-add', ...ways);
};

const removed: Recogniser<ContactChanges> = ({ gone, came }) => {
  const contact = only(gone);
  if (contact === undefined || came.length > 0) return undefined;
  return said('contacts-delete', ...toDeleteContact(contact.name));
};

const changed: Recogniser<ContactChanges> = changes => {
  const change = only(changes.changed);
  if (change === undefined) return undefined;
  const { name, phone, company, mail } = change.after;
  const field = only(change.fields);
  if (field === 'phone' && phone !== '') return said('contacts-phone', ...toChangePhone(name, phone));
  if (field === 'company' && isPlain(company)) {
    return said(
      'contacts-company',
      `Change ${name}'s company to ${company}.`,
      `${name} works for ${company} now. Note that in Contacts.`,
    );
  }
  if (field !== 'mail' || !isPlain(mail)) return undefined;
  return said(
    'contacts-mail',
    `Change ${name}'s mail address to ${mail}.`,
    `${name} has a new mail address: ${mail}. Note it in Contacts.`,
  );
};

// Stepping stones: what no template asks for, in words of their own.

const nameAlone: Recogniser<ContactChanges> = ({ came, gone }) => {
  const contact = only(came);
  if (contact === undefined || gone.length > 0 || !isPlain(contact.name)) return undefined;
  if ([contact.phone, contact.mail, contact.company].some(each => each !== '')) return undefined;
  return said(
    'contacts-name',
    `Make a contact ${contact.name}, with the name alone.`,
    `Put ${contact.name} into Contacts. Leave all but the name empty.`,
  );
};

/** Contacts have no number: who is called otherwise and is the same in all else was renamed. */
const renamed: Recogniser<ContactChanges> = changes => {
  const [before, after] = [only(changes.gone), only(changes.came)];
  if (before === undefined || after === undefined || !isPlain(after.name)) return undefined;
  const { phone, mail, company } = before;
  if (phone !== after.phone || mail !== after.mail || company !== after.company) return undefined;
  return said(
    'contacts-rename',
    `Change the name of the contact ${before.name} to ${after.name}.`,
    `${before.name} is called ${after.name} now. Correct the name in Contacts.`,
  );
};

const changesIn = ({ start, end }: WorldChange): ContactChanges | undefined =>
  changesOf(start.contacts, end.contacts, ({ name }) => name);

export function contactsDeed(told: WorldChange): WorldOutcome | undefined {
  const changes = changesIn(told);
  if (changes === undefined) return undefined;
  const { came, gone, changed: others } = changes;
  if (came.length === 1 && gone.length === 1 && others.length === 0) return renamed(changes, told);
  if (came.length + gone.length + others.length !== 1) return undefined;
  return firstOutcome([added, removed, changed, nameAlone], changes, told);
}

/** Contacts and mails together: a mail was read, and whoever had sent it was added. */
export function senderDeed(told: WorldChange): WorldOutcome | undefined {
  const [changes, mails] = [changesIn(told), mailChanges(told)];
  if (changes === undefined || mails === undefined) return undefined;
  const [contact, read] = [only(changes.came), only(mails.changed)];
  if (contact === undefined || changes.gone.length + changes.changed.length > 0) return undefined;
  if (read === undefined || mails.came.length + mails.gone.length > 0) return undefined;
  if (!isPlain(contact.name) || only(read.fields) !== 'read' || !isRead(read)) return undefined;
  const letters = lettersOf(contact, told).filter(({ id }) => id === read.before.id);
  return said('contacts-from-mail', ...kept(contact, letters));
}
