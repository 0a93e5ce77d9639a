// Search and validation of contacts. Pure functions.

import type { Contact } from '../../world.ts';
import { isAddress } from '../mail/address.ts';

/** The contacts that contain a text, by name. */
export function search(contacts: readonly Contact[], query: string): readonly Contact[] {
  const wanted = query.trim().toLowerCase();
  return contacts
    .filter(({ name, phone, mail, company }) =>
      [name, phone, mail, company].some(text => text.toLowerCase().includes(wanted)),
    )
    .map(contact => ({ contact, key: contact.name.trim().toLowerCase() }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ contact }) => contact);
}

const PHONE = /^\+?[\d ()/-]+$/;

/** The field that keeps a contact from being saved, and why; undefined for a valid contact. */
export function contactFault({
  name,
  phone,
  mail,
}: Contact): readonly [field: string, why: string] | undefined {
  if (name === '') return ['Name', 'A contact needs a name.'];
  const digits = phone.replace(/\D/g, '').length;
  if (phone !== '' && (!PHONE.test(phone) || digits < 3)) return ['Phone', 'This is not a phone number.'];
  if (mail !== '' && !isAddress(mail)) return ['Mail', 'This is not a mail address.'];
  return undefined;
}
