// Where somebody stands in the mails: which folder, sorted how, searched for what, which mail is chosen, whether it is
// open, and how far things are scrolled. It changes no mail.

import type { ShellServices } from '../../shell/app.ts';
import { ROW_HEIGHT } from '../../toolkit/rows.ts';
import { type Editing, editing, selectAll } from '../../toolkit/text-edit.ts';
import type { Mail, PocketWorld } from '../../world.ts';
import { rowKey } from './list.ts';
import { listed, type MailFolder, type MailOrder, mailWith, NEWEST_FIRST } from './mailbox.ts';

export class Browsing {
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  /** How many rows of the list can be seen at once. */
  readonly #seen: number;
  #chosen: number | undefined;
  #reading = false;
  #query: Editing = editing('');
  folder: MailFolder = 'Inbox';
  order: MailOrder = NEWEST_FIRST;
  /** Pixels above what the list, and the open mail's text, show. */
  listOffset = 0;
  textOffset = 0;

  constructor(world: PocketWorld, shell: ShellServices, seen: number) {
    this.#world = world;
    this.#shell = shell;
    this.#seen = seen;
  }

  get query(): Editing {
    return this.#query;
  }

  get mails(): readonly Mail[] {
    return listed(this.#world, this.folder, this.#query.text, this.order);
  }

  /** The chosen mail. */
  get mail(): Mail | undefined {
    return mailWith(this.#world, this.#chosen);
  }

  /** The chosen mail, where it is open. */
  get open(): Mail | undefined {
    return this.#reading ? this.mail : undefined;
  }

  enter(folder: MailFolder): void {
    this.folder = folder;
    this.#query = editing('');
    this.#chosen = undefined;
    this.#reading = false;
    this.listOffset = 0;
  }

  choose(mail: Mail): void {
    this.#chosen = mail.id;
  }

  /** Opens a mail, in whichever folder it is. */
  show(mail: Mail): void {
    if (mail.folder !== this.folder) this.enter(mail.folder);
    this.#chosen = mail.id;
    this.#reading = true;
    this.textOffset = 0;
  }

  back(): void {
    this.#reading = false;
    this.#focusRow();
  }

  /** A mail is about to leave the folder: the one below it, or else above it, is chosen in its place. */
  leaving(mail: Mail): void {
    if (mail.id !== this.#chosen) return;
    const mails = this.mails;
    const at = mails.indexOf(mail);
    this.#chosen = (mails[at + 1] ?? mails[at - 1])?.id;
    this.back();
  }

  arrange(order: MailOrder): void {
    this.order = order;
    this.listOffset = 0;
  }

  /** A press on the head by which the list is sorted turns it round. */
  sort(by: MailOrder['by']): void {
    this.arrange({ by, descending: this.order.by === by && !this.order.descending });
  }

  search(query: Editing): void {
    // Another search shows another list: what was chosen may not be in it.
    if (query.text !== this.#query.text) {
      this.#chosen = undefined;
      this.listOffset = 0;
    }
    this.#query = query;
  }

  find(): void {
    this.#reading = false;
    this.#query = selectAll(this.#query);
    this.#shell.focus('Search');
  }

  /** The mail so many rows further down, scrolled to where it can be seen, and chosen; the first where none was. */
  step(by: number): Mail | undefined {
    const mails = this.mails;
    const at = mails.findIndex(mail => mail.id === this.#chosen);
    const to = at < 0 ? 0 : Math.max(0, Math.min(mails.length - 1, at + by));
    const top = to * ROW_HEIGHT;
    this.listOffset = Math.max(0, top - (this.#seen - 1) * ROW_HEIGHT, Math.min(top, this.listOffset));
    this.#chosen = mails[to]?.id;
    if (!this.#reading) this.#focusRow();
    return mails[to];
  }

  page(direction: 1 | -1): Mail | undefined {
    return this.step(direction * (this.#seen - 1));
  }

  #focusRow(): void {
    if (this.#chosen !== undefined) this.#shell.focus(rowKey(this.#chosen));
  }
}
