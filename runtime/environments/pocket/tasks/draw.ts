// Seeded random values for one instance of a task. Test instances draw from another vocabulary than training instances, so
// that tests measure generalisation.

import { capital } from '../../../agents/compact/word-tokenizer.ts';
import { type Random, seeded } from '../../../core/rng.ts';
import { TRAIN_SEEDS } from '../../suite.ts';
import { OWN_ADDRESS } from '../apps/mail/mailbox.ts';
import type { AppOpening } from '../getters.ts';
import type { CalendarEvent, Contact, Mail, PocketWorld } from '../world.ts';
import { file, folder } from './starting-world.ts';

/** The words that a draw picks from. */
export interface DrawVocabulary {
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly company: readonly string[];
  readonly thing: readonly string[];
  readonly topic: readonly string[];
  readonly event: readonly string[];
  readonly folder: readonly string[];
  readonly sentence: readonly string[];
  readonly host: readonly string[];
}

const list = (words: string): readonly string[] => words.trim().split(/\s*,\s*/);

const TRAIN: DrawVocabulary = {
  first: list(
    'Ada, Boris, Clara, Dario, Edith, Felix, Greta, Hugo, Irene, Jonas, Katja, Lionel, Marta, Nils, Olga, Pedro',
  ),
  last: list(
    'Abel, Brandt, Castle, Duran, Evers, Falk, Gomez, Hart, Ibsen, Jansen, Keller, Lange, Moreau, Novak, Olsen, Perry',
  ),
  company: list('Northwind, Bluebird, Oakline, Brightway, Stonebridge, Clearwater, Redwood, Summit'),
  thing: list(
    'lamp, ticket, ladder, garden, bottle, camera, basket, engine, pillow, mirror, hammer, violin, blanket, candle',
  ),
  topic: list(
    'budget, schedule, invoice, travel plan, summer party, new office, product launch, training, survey, contract',
  ),
  event: list(
    'Dentist, Team lunch, Piano lesson, Budget review, Book club, Car service, Yoga class, Design talk',
  ),
  folder: list('Projects, Recipes, Travel, Invoices, School, Garden, Music, Archive'),
  sentence: list(
    'The meeting is moved to room four, Please bring the signed papers, The parcel arrives on Monday, We need two more chairs, The door code has changed, Lunch is at noon in the yard',
  ),
  host: list('mail.org, post.net, inbox.com'),
};

const TEST: DrawVocabulary = {
  first: list(
    'Quentin, Rosa, Stefan, Tilda, Umberto, Vera, Wim, Xenia, Yannis, Zelda, Arno, Bianca, Carsten, Dalia, Emil, Frida',
  ),
  last: list(
    'Quist, Rossi, Schmidt, Torres, Urban, Vogel, Weber, Xavier, Young, Ziegler, Adler, Bauer, Conrad, Dietz, Engel, Fischer',
  ),
  company: list('Greenfield, Silverlake, Ironworks, Fairview, Highland, Longbridge, Whitestone, Crestline'),
  thing: list(
    'kettle, wagon, carpet, anchor, ribbon, drawer, pencil, saddle, trumpet, walnut, needle, bucket, curtain, feather',
  ),
  topic: list(
    'road map, newsletter, open house, price list, moving day, garden fair, audit, workshop, holiday rota, menu',
  ),
  event: list(
    'Eye doctor, Choir, Tax office, Chess night, Parents evening, Swim class, Site visit, Farewell party',
  ),
  folder: list('Drawings, Letters, Sport, Receipts, Family, Kitchen, Films, Drafts'),
  sentence: list(
    'The key is under the blue pot, Please call before nine, The bus leaves from gate six, We are out of printer paper, The heating works again, Tea is served on the terrace',
  ),
  host: list('letters.org, paper.net, courier.com'),
};

export const VOCABULARIES = { train: TRAIN, test: TEST } as const;

type DrawnWorld = Pick<PocketWorld, 'contacts' | 'mails' | 'events' | 'root' | 'now'> & {
  readonly settings: Partial<PocketWorld['settings']>;
};

/** An item that a list of a template must have. */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`A task template reads item ${index} of ${list.length}.`);
  return item;
}

/** Draws depend on their order: a call that is added or moved changes every later value of the instance. */
export class Draw {
  readonly random: Random;
  readonly words: DrawVocabulary;
  readonly isTest: boolean;
  readonly #used = new Set<string>();

  /** `words` replaces the vocabulary of the seed's split. */
  constructor(template: string, seed: number, words?: DrawVocabulary) {
    this.random = seeded(`${template}/${seed}`);
    this.isTest = seed >= TRAIN_SEEDS;
    this.words = words ?? VOCABULARIES[this.isTest ? 'test' : 'train'];
  }

  integer(from: number, to: number): number {
    return from + this.random.int(to - from + 1);
  }

  chance(share: number): boolean {
    return this.random.next() < share;
  }

  pick<T>(choices: readonly T[]): T {
    return itemAt(choices, this.random.int(choices.length));
  }

  /** One that this draw has not returned before, while there are any. */
  fresh(choices: readonly string[]): string {
    const left = choices.filter(choice => !this.#used.has(choice));
    const chosen = this.pick(left.length > 0 ? left : choices);
    this.#used.add(chosen);
    return chosen;
  }

  /** Different ones, in random order. */
  sample<T>(choices: readonly T[], count: 1): readonly [T];
  sample<T>(choices: readonly T[], count: 2): readonly [T, T];
  sample<T>(choices: readonly T[], count: 3): readonly [T, T, T];
  sample<T>(choices: readonly T[], count: 4): readonly [T, T, T, T];
  sample<T>(choices: readonly T[], count: number): readonly T[];
  sample<T>(choices: readonly T[], count: number): readonly T[] {
    if (count > choices.length)
      throw new RangeError(`A task template samples ${count} of ${choices.length} values.`);
    const left = [...choices];
    return Array.from({ length: count }, () => left.splice(this.random.int(left.length), 1)).flat();
  }

  /** One of several phrasings of one request. */
  phrase(...ways: readonly string[]): string {
    return this.pick(ways);
  }

  date(): string {
    return `2026-03-${String(this.integer(1, 28)).padStart(2, '0')}`;
  }

  time(): string {
    return `${String(this.integer(8, 18)).padStart(2, '0')}:${this.pick(['00', '15', '30', '45'])}`;
  }

  phone(): string {
    return `0${this.integer(20, 99)} ${this.integer(100, 999)} ${this.integer(1000, 9999)}`;
  }

  /** Without a full stop. */
  sentence(): string {
    return this.pick(this.words.sentence);
  }

  /** Two sentences on lines of their own. */
  twoLines(): string {
    return this.sample(this.words.sentence, 2)
      .map(sentence => `${sentence}.`)
      .join('\n');
  }

  /** Some things, one a line, without a final line break. */
  list(count = this.integer(2, 4)): string {
    return this.sample(this.words.thing, count).join('\n');
  }

  contact(): Contact {
    const [first, last] = [this.fresh(this.words.first), this.fresh(this.words.last)];
    const mail = `${first}.${last}@${this.pick(this.words.host)}`.toLowerCase();
    return { name: `${first} ${last}`, phone: this.phone(), mail, company: this.pick(this.words.company) };
  }

  mail(id: number, from: Contact): Mail {
    const topic = this.fresh(this.words.topic);
    return {
      id,
      folder: 'Inbox',
      from: from.mail,
      to: OWN_ADDRESS,
      subject: capital(topic),
      body: `${this.sentence()}.\n\n${from.name}`,
      read: this.chance(0.5),
      starred: this.chance(0.15),
    };
  }

  event(id: number): CalendarEvent {
    return { id, date: this.date(), time: this.time(), title: this.fresh(this.words.event) };
  }

  noteName(): string {
    return `${this.fresh(this.words.thing)}.txt`;
  }

  file(): { readonly name: string; readonly text: string } {
    return { name: this.noteName(), text: `${this.sentence()}.\n` };
  }

  /**
   * A file name that fits into a list without being cut. A world uses at most 11 of the 14 things of a vocabulary, so up
   * to three names that are drawn before the world stay unique.
   */
  fileName(ending = 'txt'): string {
    const thing = this.fresh(this.words.thing);
    return this.chance(0.5) ? `${thing}.${ending}` : `${thing} ${this.integer(2, 40)}.${ending}`;
  }

  /** A file name that is easily confused with another. */
  similarName(name: string): string {
    const dot = name.lastIndexOf('.');
    return `${name.slice(0, dot).replace(/ \d+$/, '')} ${this.integer(41, 99)}${name.slice(dot)}`;
  }

  /** Three different folders of the root. */
  topFolders(): readonly [string, string, string] {
    return this.sample(['Documents', 'Downloads', 'Notes', 'Pictures'], 3);
  }

  /** A desktop with contacts, mails, events and files. */
  world(): DrawnWorld {
    const contacts = Array.from({ length: this.integer(5, 8) }, () => this.contact());
    const files = (count: number) =>
      folder(
        Object.fromEntries(
          Array.from({ length: count }, () => this.file()).map(({ name, text }) => [name, file(text)]),
        ),
      );
    const inner = this.fresh(this.words.folder);
    const documents = files(this.integer(2, 4));
    documents.entries[inner] = files(this.integer(1, 2));
    return {
      contacts: contacts.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      mails: Array.from({ length: this.integer(4, 7) }, (_, index) =>
        this.mail(index + 1, this.pick(contacts)),
      ),
      events: Array.from({ length: this.integer(2, 5) }, (_, index) => this.event(index + 1)),
      root: folder({
        Documents: documents,
        Downloads: files(this.integer(0, 2)),
        Notes: files(this.integer(2, 3)),
        Pictures: folder(),
        Trash: folder(),
      }),
      settings: { theme: this.chance(this.isTest ? 0.5 : 0.25) ? 'dark' : 'light' },
      now: `${this.date()} ${this.time()}`,
    };
  }

  /** The application is in front or closed: an agent needs up to one step to reach it. */
  maybeOpen(app: string): readonly AppOpening[] {
    return this.chance(0.5) ? [{ app }] : [];
  }

  /** The application is in front or behind another window: up to one step. */
  nearby(app: string): readonly AppOpening[] {
    return this.chance(0.6) ? [{ app }] : [{ app }, this.#anotherWindow()];
  }

  /** The application is in front, behind another window, or closed: up to two steps. */
  somewhere(app: string): readonly AppOpening[] {
    return this.pick([[{ app }], [{ app }, this.#anotherWindow()], [this.#anotherWindow()], []]);
  }

  #anotherWindow(): AppOpening {
    return { app: this.pick(['notes', 'calculator', 'settings']) };
  }
}
