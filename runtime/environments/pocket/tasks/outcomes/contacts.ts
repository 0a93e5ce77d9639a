// Outcomes in Contacts: a contact added, deleted, or changed in one field; and the sender of a mail added, for which that
// mail may have been read.

import { contactAt, sameAddress } from '../../apps/mail/mailbox.ts';
import type { Contact, Mail } from '../../world.ts';
import { isSubjectClear, mailChanges, wasRead } from './mail.ts';
import {
  type Changed,
  type Changes,
  changesOf,
  defineOutcome,
  firstOf,
  isQuotable,
  outcome,
  single,
  type WorldChange,
  type WorldOutcome,
} from './outcome.ts';

type ContactWay = 'phone number' | 'mail address';

export const addContact = defineOutcome('contacts-add', (name: string, way: ContactWay, value: string) => [
  `Add ${name} to my contacts, with the ${way} ${value}.`,
  `Make a new contact: ${name}, ${way} ${value}.`,
  `I met ${name}, whose ${way} is ${value}. Keep that in Contacts.`,
]);

export const addSender = defineOutcome('contacts-from-mail', (subject: string, name: string) => [
  `Add whoever sent me "${subject}" to my contacts, as ${name}.`,
  `The mail "${subject}" is from ${name}, who is not in my contacts yet. Add name and address.`,
  `Keep the address from which "${subject}" came as a contact called ${name}.`,
]);

export const changePhone = defineOutcome('contacts-phone', (name: string, phone: string) => [
  `Change ${name}'s phone number to ${phone}.`,
  `${name} has a new phone number: ${phone}. Correct it in Contacts.`,
  `The number of ${name} in my contacts is wrong. It should be ${phone}.`,
]);

export const deleteContact = defineOutcome('contacts-delete', (name: string) => [
  `Delete ${name} from my contacts.`,
  `Remove the contact ${name}.`,
  `I do not need ${name} in Contacts any more.`,
]);

const changeCompany = defineOutcome('contacts-company', ({ name, company }: Contact) => [
  `Change ${name}'s company to ${company}.`,
  `${name} works for ${company} now. Note that in Contacts.`,
]);

const changeAddress = defineOutcome('contacts-mail', ({ name, mail }: Contact) => [
  `Change ${name}'s mail address to ${mail}.`,
  `${name} has a new mail address: ${mail}. Note it in Contacts.`,
]);

const addName = defineOutcome('contacts-name', (name: string) => [
  `Make a contact ${name}, with the name alone.`,
  `Put ${name} into Contacts. Leave all but the name empty.`,
]);

const renameContact = defineOutcome('contacts-rename', (before: string, after: string) => [
  `Change the name of the contact ${before} to ${after}.`,
  `${before} is called ${after} now. Correct the name in Contacts.`,
]);

/** Adding a contact that is nothing but the sender of one of these mails. */
function addSenderOf(contact: Contact, mails: readonly Mail[], { start }: WorldChange): WorldOutcome {
  const { name, phone, company, mail: address } = contact;
  const isNew = phone === '' && company === '' && contactAt(start.contacts, address) === undefined;
  const clear = mails.filter(
    mail => mail.folder === 'Inbox' && sameAddress(mail.from, address) && isSubjectClear(mail, start),
  );
  const ways = isNew ? clear.flatMap(({ subject }) => addSender(subject, name).ways) : [];
  return outcome('contacts-from-mail', ways);
}

function addedContact(contact: Contact, episode: WorldChange): WorldOutcome | undefined {
  const { name, phone, mail, company } = contact;
  if (!isQuotable(name) || company !== '') return undefined;
  if (phone !== '') return mail === '' ? addContact(name, 'phone number', phone) : undefined;
  if (mail === '') return addName(name);
  if (!isQuotable(mail)) return undefined;
  const byAddress = addContact(name, 'mail address', mail);
  const bySender = addSenderOf(contact, episode.start.mails, episode);
  if (bySender.ways.length === 0) return byAddress;
  return outcome(bySender.kind, [...byAddress.ways, ...bySender.ways]);
}

function changedContact({ after, fields }: Changed<Contact>): WorldOutcome | undefined {
  const field = single(fields);
  return firstOf(
    field === 'phone' && after.phone !== '' && changePhone(after.name, after.phone),
    field === 'company' && isQuotable(after.company) && changeCompany(after),
    field === 'mail' && isQuotable(after.mail) && changeAddress(after),
  );
}

/** Contacts have no number: two that differ in their names only are one contact, renamed. */
function renamedContact(before: Contact, after: Contact): WorldOutcome | undefined {
  const isSame = (['phone', 'mail', 'company'] as const).every(field => before[field] === after[field]);
  return isSame && isQuotable(after.name) ? renameContact(before.name, after.name) : undefined;
}

const contactChanges = ({ start, end }: WorldChange): Changes<Contact> | undefined =>
  changesOf(start.contacts, end.contacts, ({ name }) => name);

export function contactsOutcome(episode: WorldChange): WorldOutcome | undefined {
  const { added, removed, changed } = contactChanges(episode) ?? { added: [], removed: [], changed: [] };
  const [after, before, change] = [single(added), single(removed), single(changed)];
  const count = added.length + removed.length + changed.length;
  if (count === 2 && before && after) return renamedContact(before, after);
  if (count !== 1) return undefined;
  return firstOf(
    after && addedContact(after, episode),
    before && deleteContact(before.name),
    change && changedContact(change),
  );
}

/** Contacts and mails changed together: a mail was read, and its sender was added. */
export function senderOutcome(episode: WorldChange): WorldOutcome | undefined {
  const [contacts, mails] = [contactChanges(episode), mailChanges(episode)];
  if (contacts === undefined || mails === undefined) return undefined;
  const [contact, read] = [single(contacts.added), single(mails.changed)];
  if (contact === undefined || contacts.removed.length + contacts.changed.length > 0) return undefined;
  if (read === undefined || mails.added.length + mails.removed.length > 0) return undefined;
  if (!isQuotable(contact.name) || single(read.fields) !== 'read' || !wasRead(read)) return undefined;
  return firstOf(addSenderOf(contact, [read.before], episode));
}
