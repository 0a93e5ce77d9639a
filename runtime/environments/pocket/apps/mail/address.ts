// Mail addresses as they stand in mails and contacts: whose they are, and whether mail can go there.

import type { Contact } from '../../world.ts';

/** The address of the desktop's user: mail goes out from it. */
export const OWN_ADDRESS = 'me@pocket.example';

const SHAPE = /^[^\s@,<>]+@[^\s@,<>.]+(\.[^\s@,<>.]+)+$/;

export const isAddress = (text: string): boolean => SHAPE.test(text);

/** 'Ada <ada@x.org>' is written to at 'ada@x.org'. */
export const bareAddress = (text: string): string =>
  (text.includes('<') ? /<([^<>]+)>/.exec(text)?.[1] : undefined)?.trim() ?? text.trim();

export const sameAddress = (a: string, b: string): boolean =>
  bareAddress(a).toLowerCase() === bareAddress(b).toLowerCase();

/** The addresses in a list with commas; the last may be one that somebody is still typing. */
export const recipients = (list: string): readonly string[] =>
  list
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');

export function contactAt(contacts: readonly Contact[], address: string): Contact | undefined {
  const wanted = bareAddress(address).toLowerCase();
  return contacts.find(({ mail }) => mail !== '' && bareAddress(mail).toLowerCase() === wanted);
}

/** Who is at an address: a contact's name, else the name that stands beside it, else the address. */
export const personAt = (contacts: readonly Contact[], address: string): string =>
  contactAt(contacts, address)?.name ??
  (/^([^<]*[^<\s])\s*</.exec(address)?.[1] ?? bareAddress(address)).trim();

/** All the recipients of a list, by the names that the reader knows. */
export const peopleIn = (contacts: readonly Contact[], list: string): string =>
  recipients(list)
    .map(each => personAt(contacts, each))
    .join(', ');

/** Why mail cannot be sent to a list of addresses; undefined where it can. */
export function wrongWith(list: string): string | undefined {
  const all = recipients(list);
  if (all.length === 0) return 'Enter an address in To.';
  const bad = all.find(each => !isAddress(bareAddress(each)));
  return bad === undefined ? undefined : `'${bad}' is not a mail address.`;
}

/** Contacts with an address, by name; those that fit what is being typed at the end of a list, if any do. */
export function suggested(contacts: readonly Contact[], list: string): readonly Contact[] {
  const known = contacts
    .filter(({ mail }) => mail !== '')
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const typed = unfinished(list).toLowerCase();
  const fitting = known.filter(({ name, mail }) => `${name} ${mail}`.toLowerCase().includes(typed));
  return fitting.length > 0 ? fitting : known;
}

/** The list with one more address, in the place of what was being typed. */
export function withAddress(list: string, address: string): string {
  const all = recipients(list);
  const kept = unfinished(list) === '' ? all : all.slice(0, -1);
  return [...kept, address].join(', ');
}

/** What stands behind the last comma and is no address yet. */
export function unfinished(list: string): string {
  const last = list.slice(list.lastIndexOf(',') + 1).trim();
  return isAddress(bareAddress(last)) ? '' : last;
}
