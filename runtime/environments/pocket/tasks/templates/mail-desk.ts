// A desktop with mail in every folder, which tasks about mail and contacts are set in: who there is, what can be put in,
// and how a mail is called on the screen. It states no task.

import { OWN_ADDRESS } from '../../apps/mail/address.ts';
import { correspondent } from '../../apps/mail/mailbox.ts';
import type { AppOpening } from '../../getters.ts';
import type { Contact, Mail } from '../../world.ts';
import type { Draw } from '../draw.ts';
import { type EndCondition, stateIsOneOf } from '../template.ts';

/** Mails are numbered at random below this: the mail that a task is about may be old or new. */
const NUMBERS = Array.from({ length: 60 }, (_, index) => index + 1);

/** An address of nobody on any desk. */
export const STRANGER = 'nobody@elsewhere.net';

export class MailDesk {
  readonly world: ReturnType<Draw['world']>;
  readonly #draw: Draw;
  readonly #numbers: number[];

  constructor(draw: Draw) {
    this.#draw = draw;
    this.world = draw.world();
    this.#numbers = [...draw.some(NUMBERS, NUMBERS.length)];
    for (const mail of this.world.mails) mail.id = this.#number();
    for (const folder of ['Sent', 'Drafts', 'Trash'] as const) this.put({ folder });
  }

  #number(): number {
    const number = this.#numbers.pop();
    if (number === undefined) throw new RangeError('A desk holds 60 mails.');
    return number;
  }

  /** What the next mail that is written will be numbered. */
  get next(): number {
    return Math.max(...this.world.mails.map(({ id }) => id)) + 1;
  }

  /** Different people of the address book. */
  people(count: number): readonly Contact[] {
    return this.#draw.some(this.world.contacts, count);
  }

  person(): Contact {
    return this.#draw.one(this.world.contacts);
  }

  /** Joins the address book: somebody with the first name, or the last, of somebody who is there. */
  namesake(of: Contact): Contact {
    const contact = this.stranger(of);
    this.world.contacts.push(contact);
    return contact;
  }

  /** Somebody who is not in the address book; with the first or last name of somebody who is. */
  stranger(like?: Contact): Contact {
    const contact = this.#draw.contact();
    if (like === undefined) return contact;
    const [first = '', last = ''] = contact.name.split(' ');
    const [knownFirst = '', knownLast = ''] = like.name.split(' ');
    const name = this.#draw.chance(0.5) ? `${knownFirst} ${last}` : `${first} ${knownLast}`;
    const host = contact.mail.slice(contact.mail.indexOf('@'));
    return { ...contact, name, mail: name.toLowerCase().replace(' ', '.') + host };
  }

  /** A subject that no mail has. */
  subject(): string {
    const { topic, thing, event } = this.#draw.words;
    const choices = [...topic, ...thing, ...event].map(each => `${each[0]?.toUpperCase()}${each.slice(1)}`);
    return this.#draw.one(
      choices.filter(choice => !this.world.mails.some(({ subject }) => subject === choice)),
    );
  }

  /** The next mail goes to these two, in either order, and to nobody else. */
  goesTo(one: Contact, two: Contact): EndCondition {
    const orders = [`${one.mail}, ${two.mail}`, `${two.mail}, ${one.mail}`];
    return stateIsOneOf(`mails.${this.world.mails.length}.to`, orders);
  }

  sentence(): string {
    return this.#draw.one(this.#draw.words.sentence);
  }

  /** Puts a mail into the Inbox or another folder: from a person, or to them where it is the user's own. */
  put(fields: Partial<Mail> = {}, person: Contact = this.person()): Mail {
    const own = fields.folder === 'Sent' || fields.folder === 'Drafts';
    const mail: Mail = {
      id: this.#number(),
      folder: 'Inbox',
      from: own ? OWN_ADDRESS : person.mail,
      to: own ? person.mail : OWN_ADDRESS,
      subject: this.subject(),
      body: own ? `${this.sentence()}.` : `${this.sentence()}.\n\n${person.name}`,
      read: own || this.#draw.chance(0.5),
      starred: false,
      ...fields,
    };
    this.world.mails.push(mail);
    return mail;
  }

  /** A mail's row in the list, as it is called. */
  row(mail: Mail): string {
    return `${correspondent(this.world.contacts, mail)}, ${mail.subject}`;
  }
}

const other = (draw: Draw): AppOpening => ({ app: draw.one(['notes', 'calculator', 'settings']) });

/** The application in front, behind another, or not open yet: up to two steps to get to it. */
export const somewhere = (draw: Draw, app: string): readonly AppOpening[] =>
  draw.one([[{ app }], [{ app }, other(draw)], [other(draw)], []]);

/** The application in front, or behind another: up to one step to get to it. */
export const nearby = (draw: Draw, app: string): readonly AppOpening[] =>
  draw.chance(0.6) ? [{ app }] : [{ app }, other(draw)];
