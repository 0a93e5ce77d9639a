// The contacts as a list, and what a contact must be like. Over plain data.

import type { Contact } from '../../world.ts';
import { isAddress, sameAddress } from '../mail/address.ts';

const folded = (text: string): string => text.trim().toLowerCase();

/** By name; those that contain what is looked for. */
export function found(contacts: readonly Contact[], query: string): readonly Contact[] {
  const wanted = folded(query);
  return contacts
    .filter(({ name, phone, mail, company }) =>
      [name, phone, mail, company].some(text => text.toLowerCase().includes(wanted)),
    )
    .map(contact => ({ contact, key: folded(contact.name) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ contact }) => contact);
}

export const withMail = (contacts: readonly Contact[], mail: string): Contact | undefined =>
  contacts.find(contact => contact.mail !== '' && sameAddress(contact.mail, mail));

const PHONE = /^\+?[\d ()/-]+$/;

/** What keeps a contact from being saved, and the field it is in; undefined where nothing does. */
export function wrongWith(
  contact: Contact,
): { readonly field: keyof Contact; readonly why: string } | undefined {
  const { name, phone, mail } = contact;
  if (name === '') return { field: 'name', why: 'A contact needs a name.' };
  const digits = phone.replace(/\D/g, '').length;
  if (phone !== '' && (!PHONE.test(phone) || digits < 3)) {
    return { field: 'phone', why: 'This is not a phone number.' };
  }
  if (mail !== '' && !isAddress(mail)) return { field: 'mail', why: 'This is not a mail address.' };
  return undefined;
}
