// The navigation state of Mail (folder, order, search, selection, open mail, scroll positions), and its actions on mails and
// folders. Each action shows a toast; one that deletes asks first.

import type { ShellServices } from '../../shell/app.ts';
import { ROW_HEIGHT } from '../../toolkit/rows.ts';
import { type Editing, editing, selectAll } from '../../toolkit/text-edit.ts';
import type { Mail, PocketWorld } from '../../world.ts';
import type { DialogSlot } from '../app.ts';
import type { Writing } from './compose.ts';
import {
  bareAddress,
  contactAt,
  forwarded,
  listed,
  type MailFolder,
  type MailOrder,
  mailWith,
  NEWEST_FIRST,
  OWN_ADDRESS,
  recipients,
  replyTo,
  subjectOf,
} from './mailbox.ts';

export const rowKey = (id: number): string => `mail ${id}`;

export class Browsing {
  readonly listScroll = { offset: 0 };
  readonly textScroll = { offset: 0 };
  folder: MailFolder = 'Inbox';
  order: MailOrder = NEWEST_FIRST;
  query: Editing = editing('');
  /** The id of the selected mail. */
  #chosen: number | undefined;
  #reading = false;

  constructor(
    private readonly world: PocketWorld,
    private readonly shell: ShellServices,
    private readonly visibleRows: number,
  ) {}

  get mails(): readonly Mail[] {
    return listed(this.world, this.folder, this.query.text, this.order);
  }

  /** The selected mail. */
  get mail(): Mail | undefined {
    return mailWith(this.world, this.#chosen);
  }

  /** The selected mail, if it is open. */
  get open(): Mail | undefined {
    return this.#reading ? this.mail : undefined;
  }

  enter(folder: MailFolder): void {
    this.folder = folder;
    this.query = editing('');
    this.#chosen = undefined;
    this.#reading = false;
    this.listScroll.offset = 0;
  }

  choose(mail: Mail): void {
    this.#chosen = mail.id;
  }

  /** Opens a mail of any folder. */
  show(mail: Mail): void {
    if (mail.folder !== this.folder) this.enter(mail.folder);
    this.#chosen = mail.id;
    this.#reading = true;
    this.textScroll.offset = 0;
  }

  back(): void {
    this.#reading = false;
    this.#focusRow();
  }

  /** Selects the next mail, or the previous one, before a mail leaves the folder. */
  beforeRemoval(mail: Mail): void {
    if (mail.id !== this.#chosen) return;
    const mails = this.mails;
    const at = mails.indexOf(mail);
    this.#chosen = (mails[at + 1] ?? mails[at - 1])?.id;
    this.back();
  }

  arrange(order: MailOrder): void {
    this.order = order;
    this.listScroll.offset = 0;
  }

  /** Sorts by a column; a second press on its head reverses the order. */
  sort(by: MailOrder['by']): void {
    this.arrange({ by, descending: this.order.by === by && !this.order.descending });
  }

  search(query: Editing): void {
    // The results of another query may not contain the selected mail.
    if (query.text !== this.query.text) {
      this.#chosen = undefined;
      this.listScroll.offset = 0;
    }
    this.query = query;
  }

  find(): void {
    this.#reading = false;
    this.query = selectAll(this.query);
    this.shell.focus('Search');
  }

  /** Selects the mail `by` rows further down and scrolls to it; the first mail without a selection. */
  step(by: number): Mail | undefined {
    const mails = this.mails;
    const at = mails.findIndex(mail => mail.id === this.#chosen);
    const to = at < 0 ? 0 : Math.max(0, Math.min(mails.length - 1, at + by));
    const top = to * ROW_HEIGHT;
    const lowest = top - (this.visibleRows - 1) * ROW_HEIGHT;
    this.listScroll.offset = Math.max(0, lowest, Math.min(top, this.listScroll.offset));
    this.#chosen = mails[to]?.id;
    if (!this.#reading) this.#focusRow();
    return mails[to];
  }

  page(direction: 1 | -1): void {
    this.step(direction * (this.visibleRows - 1));
  }

  #focusRow(): void {
    if (this.#chosen !== undefined) this.shell.focus(rowKey(this.#chosen));
  }
}

export class MailActions {
  constructor(
    readonly world: PocketWorld,
    private readonly shell: ShellServices,
    private readonly writing: Writing,
    readonly browsing: Browsing,
    private readonly dialog: DialogSlot,
  ) {}

  write(): void {
    this.writing.begin({ to: '', subject: '', body: '' });
  }

  /** Continues a draft; opens any other mail for reading. */
  open(mail: Mail): void {
    if (mail.folder === 'Drafts') this.writing.begin(mail, mail.id);
    else {
      mail.read = true;
      this.browsing.show(mail);
    }
  }

  reply(mail: Mail): void {
    if (mail.folder !== 'Drafts') this.writing.begin(replyTo(mail, this.world.contacts));
  }

  forward(mail: Mail): void {
    this.writing.begin(forwarded(mail));
  }

  toggleRead(mail: Mail): void {
    mail.read = !mail.read;
  }

  toggleStar(mail: Mail): void {
    mail.starred = !mail.starred;
  }

  move(mail: Mail, folder: MailFolder): void {
    if (mail.folder === folder) return;
    // The folder Sent contains only mails that somebody has received.
    if (mail.folder === 'Drafts' && folder === 'Sent') {
      this.shell.toast('A draft must be sent first');
      return;
    }
    this.browsing.beforeRemoval(mail);
    mail.folder = folder;
    this.shell.toast(`Moved to ${folder}`);
  }

  remove(mail: Mail): void {
    if (mail.folder !== 'Trash') {
      this.move(mail, 'Trash');
      return;
    }
    const text = `'${subjectOf(mail)}' cannot be brought back.`;
    this.#askToErase('Delete for good?', text, 'Delete for good', [mail], 'Mail deleted');
  }

  emptyTrash(): void {
    const trash = this.world.mails.filter(mail => mail.folder === 'Trash');
    const count = trash.length === 1 ? 'One mail' : `${trash.length} mails`;
    const text = `${count} cannot be brought back.`;
    this.#askToErase('Empty the Trash?', text, 'Empty Trash', trash, 'Trash is empty');
  }

  readAll(folder: MailFolder): void {
    for (const mail of this.world.mails) if (mail.folder === folder) mail.read = true;
  }

  /** True if the other person of a mail is a contact. */
  isFromContact(mail: Mail): boolean {
    return contactAt(this.world.contacts, otherAddress(mail)) !== undefined;
  }

  showContact(mail: Mail): void {
    const address = otherAddress(mail);
    this.shell.open('contacts', this.isFromContact(mail) ? `mail:${address}` : `new:${address}`);
  }

  #askToErase(title: string, text: string, name: string, mails: readonly Mail[], toast: string): void {
    const choose = () => {
      for (const mail of mails) this.browsing.beforeRemoval(mail);
      this.world.mails = this.world.mails.filter(mail => !mails.includes(mail));
      this.shell.toast(toast);
    };
    this.dialog.ask({ title, text, answers: [{ name, choose }] });
  }
}

/** The address that is not the user's own: the sender's, or the first recipient's. */
function otherAddress(mail: Mail): string {
  const [first = ''] = recipients(mail.to);
  return bareAddress(bareAddress(mail.from) === OWN_ADDRESS ? first : mail.from);
}
