// Chance and words for one instance of a task: the same seed draws the same, and test seeds draw from other words.

import { capital } from '../../../agent/word-tokenizer.ts';
import { type Random, seeded } from '../../../core/rng.ts';
import { TRAIN_SEEDS } from '../../suite.ts';
import { OWN_ADDRESS } from '../apps/mail/address.ts';
import type { CalendarEvent, Contact, Folder, Mail, PocketWorld } from '../world.ts';
import { VOCABULARIES, type Vocabulary } from './vocabulary.ts';

export class Draw {
  readonly random: Random;
  readonly words: Vocabulary;
  readonly isTest: boolean;
  readonly #used = new Set<string>();

  constructor(template: string, seed: number) {
    this.random = seeded(`${template}/${seed}`);
    this.isTest = seed >= TRAIN_SEEDS;
    this.words = VOCABULARIES[this.isTest ? 'test' : 'train'];
  }

  whole(from: number, to: number): number {
    return from + this.random.int(to - from + 1);
  }

  chance(share: number): boolean {
    return this.random.next() < share;
  }

  one<T>(choices: readonly T[]): T {
    const chosen = choices[this.random.int(choices.length)];
    if (chosen === undefined) throw new RangeError('There is nothing to choose from.');
    return chosen;
  }

  /** One that this draw has not given before. */
  fresh(choices: readonly string[]): string {
    const left = choices.filter(choice => !this.#used.has(choice));
    const chosen = this.one(left.length > 0 ? left : choices);
    this.#used.add(chosen);
    return chosen;
  }

  some<T>(choices: readonly T[], count: number): readonly T[] {
    const left = [...choices];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.random.int(left.length), 1),
    ).flat();
  }

  /** One of several ways to say the same. */
  say(...ways: readonly string[]): string {
    return this.one(ways);
  }

  date(): string {
    return `2026-03-${String(this.whole(1, 28)).padStart(2, '0')}`;
  }

  time(): string {
    return `${String(this.whole(8, 18)).padStart(2, '0')}:${this.one(['00', '15', '30', '45'])}`;
  }

  phone(): string {
    return `0${this.whole(20, 99)} ${this.whole(100, 999)} ${this.whole(1000, 9999)}`;
  }

  contact(): Contact {
    const [first, last] = [this.fresh(this.words.first), this.fresh(this.words.last)];
    const mail = `${first}.${last}@${this.one(this.words.host)}`.toLowerCase();
    return { name: `${first} ${last}`, phone: this.phone(), mail, company: this.one(this.words.company) };
  }

  mail(id: number, from: Contact): Mail {
    const topic = this.fresh(this.words.topic);
    return {
      id,
      folder: 'Inbox',
      from: from.mail,
      to: OWN_ADDRESS,
      subject: capital(topic),
      body: `${this.one(this.words.sentence)}.\n\n${from.name}`,
      read: this.chance(0.5),
      starred: this.chance(0.15),
    };
  }

  event(id: number): CalendarEvent {
    return { id, date: this.date(), time: this.time(), title: this.fresh(this.words.event) };
  }

  file(): { readonly name: string; readonly text: string } {
    return { name: `${this.fresh(this.words.thing)}.txt`, text: `${this.one(this.words.sentence)}.\n` };
  }

  /** A lived-in desktop, for a task to be set in: people, mail, files and dates. */
  world(): Pick<PocketWorld, 'contacts' | 'mails' | 'events' | 'root' | 'settings' | 'now'> & {
    settings: Partial<PocketWorld['settings']>;
  } {
    const contacts = Array.from({ length: this.whole(5, 8) }, () => this.contact());
    const folder = (count: number): Folder => ({
      kind: 'folder',
      entries: Object.fromEntries(
        Array.from({ length: count }, () => this.file()).map(({ name, text }) => [
          name,
          { kind: 'file' as const, text },
        ]),
      ),
    });
    const inner = this.fresh(this.words.folder);
    const documents = folder(this.whole(2, 4));
    documents.entries[inner] = folder(this.whole(1, 2));
    return {
      contacts: [...contacts].sort((a, b) => (a.name < b.name ? -1 : 1)),
      mails: Array.from({ length: this.whole(4, 7) }, (_, index) => this.mail(index + 1, this.one(contacts))),
      events: Array.from({ length: this.whole(2, 5) }, (_, index) => this.event(index + 1)),
      root: {
        kind: 'folder',
        entries: {
          Documents: documents,
          Downloads: folder(this.whole(0, 2)),
          Notes: folder(this.whole(2, 3)),
          Pictures: folder(0),
          Trash: folder(0),
        },
      },
      settings: {
        theme: this.chance(this.isTest ? 0.5 : 0.25) ? 'dark' : 'light',
      } as PocketWorld['settings'],
      now: `${this.date()} ${this.time()}`,
    };
  }
}
