// Operations on addresses, contacts behind them, and the world's mails: search, sort, reply, forward, send.

import type { Contact, Mail, PocketWorld } from '../../world.ts';

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
const peopleIn = (contacts: readonly Contact[], list: string): string =>
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

export type MailFolder = Mail['folder'];
export const FOLDERS: readonly MailFolder[] = ['Inbox', 'Sent', 'Drafts', 'Trash'];

export interface MailOrder {
  readonly by: 'age' | 'star' | 'who' | 'subject';
  readonly descending: boolean;
}

export const NEWEST_FIRST: MailOrder = { by: 'age', descending: true };

/** The fields that a writer fills in. */
export interface Content {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

export const mailWith = (world: PocketWorld, id: number | undefined): Mail | undefined =>
  world.mails.find(mail => mail.id === id);

export const unreadIn = (world: PocketWorld, folder: MailFolder): number =>
  world.mails.filter(mail => mail.folder === folder && !mail.read).length;

/** The name in a list: the sender of incoming mail, the recipients of outgoing mail. */
export function correspondent(contacts: readonly Contact[], { folder, from, to }: Mail): string {
  const outgoing = folder === 'Sent' || folder === 'Drafts';
  const own = bareAddress(from) === OWN_ADDRESS;
  if (!outgoing && !own) return personAt(contacts, from);
  const people = peopleIn(contacts, to) || '(nobody)';
  return outgoing ? people : `To: ${people}`;
}

export const subjectOf = ({ subject }: Mail): string => subject || '(no subject)';

const contains = (mail: Mail, contacts: readonly Contact[], query: string): boolean =>
  query.trim() === '' ||
  [mail.from, correspondent(contacts, mail), mail.subject, mail.body].some(text =>
    text.toLowerCase().includes(query.trim().toLowerCase()),
  );

type Key = (mail: Mail, contacts: readonly Contact[]) => string | number;

const KEYS: Readonly<Record<MailOrder['by'], Key>> = {
  age: ({ id }) => id,
  star: ({ starred }) => (starred ? 0 : 1),
  who: (mail, contacts) => correspondent(contacts, mail).toLowerCase(),
  subject: ({ subject }) => bareSubject(subject).toLowerCase(),
};

/** The mails of a folder that match a query, sorted; newer mails have higher ids. */
export function listed(
  world: PocketWorld,
  folder: MailFolder,
  query: string,
  order: MailOrder,
): readonly Mail[] {
  const { contacts, mails } = world;
  const keyOf = KEYS[order.by];
  return mails
    .filter(mail => mail.folder === folder && contains(mail, contacts, query))
    .map(mail => ({ mail, key: keyOf(mail, contacts) }))
    .toSorted((a, b) => {
      const [first, second] = order.descending ? [b.key, a.key] : [a.key, b.key];
      return first < second ? -1 : first > second ? 1 : b.mail.id - a.mail.id;
    })
    .map(({ mail }) => mail);
}

/** Stores a written mail in a folder, in place of its draft if it has one. */
export function put(world: PocketWorld, content: Content, folder: 'Sent' | 'Drafts', draft?: number): Mail {
  const written = { ...content, folder, from: OWN_ADDRESS, read: true };
  const existing = mailWith(world, draft);
  if (existing !== undefined) return Object.assign(existing, written);
  const id = Math.max(0, ...world.mails.map(mail => mail.id)) + 1;
  const mail: Mail = { id, ...written, starred: false };
  world.mails.push(mail);
  return mail;
}

const bareSubject = (subject: string): string => subject.replace(/^((re|fwd?): *)+/i, '');

/** A reply goes to the sender, or to the recipients of a mail of the user's own. */
export function replyTo(mail: Mail, contacts: readonly Contact[]): Content {
  const own = bareAddress(mail.from) === OWN_ADDRESS;
  const quoted = mail.body.split('\n').map(line => `> ${line}`);
  return {
    to: own ? recipients(mail.to).map(bareAddress).join(', ') : bareAddress(mail.from),
    subject: `Re: ${mail.subject.replace(/^(re: *)+/i, '')}`,
    body: ['', '', `${personAt(contacts, mail.from)} wrote:`, ...quoted].join('\n'),
  };
}

export const forwarded = (mail: Mail): Content => ({
  to: '',
  subject: `Fwd: ${mail.subject.replace(/^(fwd: *)+/i, '')}`,
  body: [
    '',
    '',
    '--- Forwarded mail ---',
    `From: ${mail.from}`,
    `Subject: ${mail.subject}`,
    '',
    mail.body,
  ].join('\n'),
});
