// Mail addresses: parsing, validation, and the contacts behind them.

import type { Contact } from '../../world.ts';

/** The address of the desktop's user. */
export const OWN_ADDRESS = 'me@pocket.example';

const SHAPE = /^[^\s@,<>]+@[^\s@,<>.]+(\.[^\s@,<>.]+)+$/;

export const isAddress = (text: string): boolean => SHAPE.test(text);

/** 'ada@x.org' of 'Ada <ada@x.org>'. */
export const bareAddress = (text: string): string =>
  (text.includes('<') ? /<([^<>]+)>/.exec(text)?.[1] : undefined)?.trim() ?? text.trim();

export const sameAddress = (a: string, b: string): boolean =>
  bareAddress(a).toLowerCase() === bareAddress(b).toLowerCase();

/** The parts of a list with commas; the last may be incomplete. */
export const recipients = (list: string): readonly string[] =>
  list
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');

export const contactAt = (contacts: readonly Contact[], address: string): Contact | undefined =>
  contacts.find(({ mail }) => mail !== '' && sameAddress(mail, address));

/** The name of a contact with an address, else the name beside the address, else the address. */
export const personAt = (contacts: readonly Contact[], address: string): string =>
  contactAt(contacts, address)?.name ??
  (/^([^<]*[^<\s])\s*</.exec(address)?.[1] ?? bareAddress(address)).trim();

/** The names of all recipients of a list. */
export const peopleIn = (contacts: readonly Contact[], list: string): string =>
  recipients(list)
    .map(each => personAt(contacts, each))
    .join(', ');

/** Why mail cannot be sent to a list of addresses; undefined for a valid list. */
export function recipientsFault(list: string): string | undefined {
  const all = recipients(list);
  if (all.length === 0) return 'Enter an address in To.';
  const bad = all.find(each => !isAddress(bareAddress(each)));
  return bad === undefined ? undefined : `'${bad}' is not a mail address.`;
}

/** The contacts that match the incomplete address at the end of a list, or all with an address if none matches. */
export function suggested(contacts: readonly Contact[], list: string): readonly Contact[] {
  const all = contacts
    .filter(({ mail }) => mail !== '')
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const typed = unfinished(list).toLowerCase();
  const matching = all.filter(({ name, mail }) => `${name} ${mail}`.toLowerCase().includes(typed));
  return matching.length > 0 ? matching : all;
}

/** Adds an address to a list in place of the incomplete one. */
export function withAddress(list: string, address: string): string {
  const all = recipients(list);
  const kept = unfinished(list) === '' ? all : all.slice(0, -1);
  return [...kept, address].join(', ');
}

/** The incomplete address behind the last comma. */
export function unfinished(list: string): string {
  const last = list.slice(list.lastIndexOf(',') + 1).trim();
  return isAddress(bareAddress(last)) ? '' : last;
}
