// A starting world with mails in every folder, for tasks about mail and contacts.

import { capital } from '../../../../agents/compact/word-tokenizer.ts';
import type { Evaluator } from '../../../../core/task.ts';
import { correspondent, OWN_ADDRESS } from '../../apps/mail/mailbox.ts';
import type { Contact, Mail } from '../../world.ts';
import {
  all,
  type EndCondition,
  onlyChanged,
  recordsAre,
  stateHas,
  stateIs,
  stateIsOneOf,
} from '../conditions.ts';
import type { Draw } from '../draw.ts';
import { type PocketTemplate, type TemplateKind, type TemplateParts, template } from '../template.ts';

/** Mails have random numbers up to this, so that the mail of a task may be old or new. */
const MAX_MAILS = 60;

const DIGITS = [...'0123456789'];

/** The address of nobody in any world. */
export const STRANGER = 'nobody@elsewhere.net';

/** The mail has these fields now, and nothing else changed but the given field; the mail may be read on the way. */
export const mailChanged = ({ id }: Mail, field: keyof Mail, fields: Partial<Mail>): Evaluator =>
  all(recordsAre('mails', { id }, [fields]), onlyChanged(`mails.${id}.${field}`, `mails.${id}.read`));

export class MailDesk {
  readonly world: ReturnType<Draw['world']>;
  readonly #draw: Draw;
  readonly #numbers: number[];

  constructor(draw: Draw) {
    this.#draw = draw;
    this.world = draw.world();
    const numbers = Array.from({ length: MAX_MAILS }, (_, index) => index + 1);
    this.#numbers = [...draw.sample(numbers, MAX_MAILS)];
    for (const mail of this.world.mails) mail.id = this.#nextNumber();
    for (const folder of ['Sent', 'Drafts', 'Trash'] as const) this.put({ folder });
  }

  #nextNumber(): number {
    const number = this.#numbers.pop();
    if (number === undefined)
      throw new RangeError(`A task puts more than ${MAX_MAILS} mails into its world.`);
    return number;
  }

  /** The number of the mail that the agent writes first. */
  get #next(): number {
    return Math.max(...this.world.mails.map(({ id }) => id)) + 1;
  }

  /** That mail in patterns of changes. */
  get newMail(): string {
    return `mails.${this.#next}`;
  }

  newMailIs(fields: Partial<Mail>): EndCondition {
    return recordsAre('mails', { id: this.#next }, [fields]);
  }

  /** That mail was sent, and nothing else changed; any mail may be read on the way. */
  isSent(fields: Partial<Mail>, ...conditions: readonly EndCondition[]): Evaluator {
    const isNew = this.newMailIs({ folder: 'Sent', ...fields });
    return all(isNew, ...conditions, onlyChanged('mails.*.read', this.newMail));
  }

  /** A number of the text has no further digits in front of it or behind it. */
  newBodyHas(include: string, exclude: readonly string[]): EndCondition {
    const longer = [
      ...(/^\d/.test(include) ? DIGITS.map(digit => digit + include) : []),
      ...(/\d$/.test(include) ? DIGITS.map(digit => include + digit) : []),
    ];
    return stateHas(`mails.${this.world.mails.length}.body`, [include], [...exclude, ...longer]);
  }

  /** The new mail goes to these two, in either order, and to nobody else. */
  newMailGoesTo(one: Contact, two: Contact): EndCondition {
    const orders = [`${one.mail}, ${two.mail}`, `${two.mail}, ${one.mail}`];
    return stateIsOneOf(`mails.${this.world.mails.length}.to`, orders);
  }

  /** Lists of changes do not show two contacts of the same name, so the number of contacts is checked too. */
  moreContacts(count: number): EndCondition {
    return stateIs('contacts.length', this.world.contacts.length + count);
  }

  person(): Contact {
    return this.#draw.pick(this.world.contacts);
  }

  /** Two different contacts. */
  pair(): readonly [Contact, Contact] {
    return this.#draw.sample(this.world.contacts, 2);
  }

  trio(): readonly [Contact, Contact, Contact] {
    return this.#draw.sample(this.world.contacts, 3);
  }

  /** Adds a contact who shares the first or the last name of another. */
  namesake(of: Contact): Contact {
    const contact = this.stranger(of);
    this.world.contacts.push(contact);
    return contact;
  }

  /** Somebody who is not a contact; shares the first or the last name of `like`. */
  stranger(like?: Contact): Contact {
    const contact = this.#draw.contact();
    if (like === undefined) return contact;
    const [first, last] = contact.name.split(' ');
    const [likeFirst, likeLast] = like.name.split(' ');
    const name = this.#draw.chance(0.5) ? `${likeFirst} ${last}` : `${first} ${likeLast}`;
    const host = contact.mail.slice(contact.mail.indexOf('@'));
    return { ...contact, name, mail: name.toLowerCase().replace(' ', '.') + host };
  }

  /** A subject that no mail of this world has. */
  subject(): string {
    const { topic, thing, event } = this.#draw.words;
    const used = new Set(this.world.mails.map(({ subject }) => subject));
    return this.#draw.pick([...topic, ...thing, ...event].map(capital).filter(subject => !used.has(subject)));
  }

  /** Adds a mail from a person; in Sent and Drafts it is to that person. */
  put(fields: Partial<Mail> = {}, person: Contact = this.person()): Mail {
    const isOwn = fields.folder === 'Sent' || fields.folder === 'Drafts';
    const mail: Mail = {
      id: this.#nextNumber(),
      folder: 'Inbox',
      from: isOwn ? OWN_ADDRESS : person.mail,
      to: isOwn ? person.mail : OWN_ADDRESS,
      subject: this.subject(),
      body: isOwn ? `${this.#draw.sentence()}.` : `${this.#draw.sentence()}.\n\n${person.name}`,
      read: isOwn || this.#draw.chance(0.5),
      starred: false,
      ...fields,
    };
    this.world.mails.push(mail);
    return mail;
  }

  /** Adds a mail of one of these texts, signed by a person. */
  receive(person: Contact, ...texts: readonly string[]): Mail {
    return this.put({ body: `${this.#draw.phrase(...texts)}\n\n${person.name}` }, person);
  }

  /** The name of a mail's row in the list. */
  row(mail: Mail): string {
    return `${correspondent(this.world.contacts, mail)}, ${mail.subject}`;
  }
}

/** A template whose starting world is a desk. */
export const deskTemplate = (
  id: string,
  kind: TemplateKind,
  make: (desk: MailDesk, draw: Draw) => Omit<TemplateParts, 'world'>,
): PocketTemplate =>
  template(id, kind, draw => {
    const desk = new MailDesk(draw);
    return { ...make(desk, draw), world: desk.world };
  });
