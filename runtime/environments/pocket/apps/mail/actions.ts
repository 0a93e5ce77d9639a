// The actions of Mail on mails and folders. Each shows a toast; one that deletes asks first.

import type { ShellServices } from '../../shell/app.ts';
import type { Mail, PocketWorld } from '../../world.ts';
import type { DialogSlot } from '../dialogs.ts';
import type { Browsing } from './browsing.ts';
import {
  bareAddress,
  contactAt,
  forwarded,
  type MailFolder,
  OWN_ADDRESS,
  recipients,
  replyTo,
  subjectOf,
} from './mailbox.ts';
import type { Writing } from './writing.ts';

export class MailActions {
  constructor(
    private readonly world: PocketWorld,
    private readonly shell: ShellServices,
    private readonly writing: Writing,
    private readonly browsing: Browsing,
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
