// What Mail does to mails when it is told to, with the words it says about it and the questions it asks first.

import type { Dialog, ShellServices } from '../../shell/app.ts';
import type { Mail, PocketWorld } from '../../world.ts';
import { question } from '../dialogs.ts';
import { bareAddress, contactAt, OWN_ADDRESS, recipients } from './address.ts';
import type { Browsing } from './browsing.ts';
import { forwarded, type MailFolder, type MailOrder, removeForGood, replyTo, subjectOf } from './mailbox.ts';
import type { Deeds } from './menus.ts';
import type { Writing } from './writing.ts';

export class MailDeeds implements Deeds {
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  readonly #writing: Writing;
  readonly #browsing: Browsing;
  #question: (() => Dialog) | undefined;

  constructor(world: PocketWorld, shell: ShellServices, writing: Writing, browsing: Browsing) {
    this.#world = world;
    this.#shell = shell;
    this.#writing = writing;
    this.#browsing = browsing;
  }

  dialog(): Dialog | undefined {
    return this.#question?.();
  }

  write(): void {
    this.#writing.begin({ to: '', subject: '', body: '' });
  }

  /** A draft is written on, any other mail is read. */
  open(mail: Mail): void {
    if (mail.folder === 'Drafts') this.#writing.begin(mail, mail.id);
    else {
      mail.read = true;
      this.#browsing.show(mail);
    }
  }

  reply(mail: Mail): void {
    if (mail.folder !== 'Drafts') this.#writing.begin(replyTo(mail, this.#world.contacts));
  }

  forward(mail: Mail): void {
    this.#writing.begin(forwarded(mail));
  }

  toggleRead(mail: Mail): void {
    mail.read = !mail.read;
  }

  toggleStar(mail: Mail): void {
    mail.starred = !mail.starred;
  }

  move(mail: Mail, folder: MailFolder): void {
    if (mail.folder === folder) return;
    // Else a draft could lie among what was sent without anybody having received it.
    if (mail.folder === 'Drafts' && folder === 'Sent') {
      this.#shell.toast('A draft must be sent first');
      return;
    }
    this.#browsing.leaving(mail);
    mail.folder = folder;
    this.#shell.toast(`Moved to ${folder}`);
  }

  remove(mail: Mail): void {
    if (mail.folder !== 'Trash') {
      this.move(mail, 'Trash');
      return;
    }
    this.#ask('Delete for good?', `'${subjectOf(mail)}' cannot be brought back.`, 'Delete for good', () => {
      this.#browsing.leaving(mail);
      removeForGood(this.#world, each => each === mail);
      this.#shell.toast('Mail deleted');
    });
  }

  emptyTrash(): void {
    const doomed = this.#world.mails.filter(mail => mail.folder === 'Trash');
    const count = doomed.length === 1 ? 'One mail' : `${doomed.length} mails`;
    this.#ask('Empty the Trash?', `${count} cannot be brought back.`, 'Empty Trash', () => {
      for (const mail of doomed) this.#browsing.leaving(mail);
      removeForGood(this.#world, mail => mail.folder === 'Trash');
      this.#shell.toast('Trash is empty');
    });
  }

  readAll(folder: MailFolder): void {
    for (const mail of this.#world.mails) if (mail.folder === folder) mail.read = true;
  }

  arrange(order: MailOrder): void {
    this.#browsing.arrange(order);
  }

  knows(mail: Mail): boolean {
    return contactAt(this.#world.contacts, otherEnd(mail)) !== undefined;
  }

  showContact(mail: Mail): void {
    const address = otherEnd(mail);
    this.#shell.open('contacts', this.knows(mail) ? `mail:${address}` : `new:${address}`);
  }

  #ask(title: string, text: string, yes: string, act: () => void): void {
    const close = () => {
      this.#question = undefined;
    };
    const choose = () => {
      close();
      act();
    };
    this.#question = () => question({ title, text, answers: [{ name: yes, choose }], cancel: close });
  }
}

/** The address that is not the user's own: who wrote, or the first of those written to. */
function otherEnd(mail: Mail): string {
  const [first = ''] = recipients(mail.to);
  return bareAddress(bareAddress(mail.from) === OWN_ADDRESS ? first : mail.from);
}
