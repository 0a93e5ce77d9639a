// Mail: folders at the left; beside them the list of one folder's mails, or the mail that is open. A mail being written
// takes the whole window (writing.ts). What becomes of mails is in deeds.ts, what is shown of them in browsing.ts.

import type { App, Dialog, ShellServices } from '../../shell/app.ts';
import { menuBar } from '../../toolkit/bars.ts';
import { column, growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, panel } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { ROW_HEIGHT } from '../../toolkit/rows.ts';
import { editing } from '../../toolkit/text-edit.ts';
import type { KeyStroke, MenuItem, Widget } from '../../toolkit/widget.ts';
import type { Mail, PocketWorld } from '../../world.ts';
import { bareAddress } from './address.ts';
import { Browsing } from './browsing.ts';
import { MailDeeds } from './deeds.ts';
import { folderList, mailList } from './list.ts';
import { type MailFolder, mailWith, subjectOf } from './mailbox.ts';
import { folderItems, mailItems, mailKeys, mailMenus, textItems } from './menus.ts';
import { reading } from './reading.ts';
import { Writing } from './writing.ts';

const SIZE = { width: 300, height: 196 };
const FOLDERS_WIDTH = 76;
/** The rows of a list that can be seen at once: what the window has left under its bars. */
const ROWS_SEEN = Math.floor((SIZE.height - 66) / ROW_HEIGHT);

export class MailApp implements App {
  readonly id = 'mail';
  readonly name = 'Mail';
  readonly icon = 'mail';
  readonly size = SIZE;
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  readonly #browsing: Browsing;
  readonly #writing: Writing;
  readonly #deeds: MailDeeds;

  constructor(world: PocketWorld, shell: ShellServices) {
    this.#world = world;
    this.#shell = shell;
    this.#browsing = new Browsing(world, shell, ROWS_SEEN);
    this.#writing = new Writing(world, shell);
    this.#deeds = new MailDeeds(world, shell, this.#writing, this.#browsing);
  }

  title(): string {
    if (this.#writing.open) return `${this.#writing.title} - Mail`;
    const { open, folder } = this.#browsing;
    return `${open === undefined ? folder : subjectOf(open)} - Mail`;
  }

  /** 'new:' writes a mail, to the address that follows; 'mail:12' opens mail 12. */
  show(what: string): void {
    const [, kind, value = ''] = /^(\w+):(.*)$/.exec(what) ?? [];
    if (kind === 'new') {
      this.#writing.begin({ to: value, subject: '', body: '' });
      return;
    }
    const mail = kind === 'mail' ? mailWith(this.#world, Number(value)) : undefined;
    if (mail === undefined) this.#shell.toast('There is no such mail.');
    else this.#open(mail);
  }

  /** What is being written gives way to a mail that is to be read, but is not lost. */
  #open(mail: Mail): void {
    this.#writing.putAside();
    this.#deeds.open(mail);
  }

  // Views

  view(): Widget {
    return this.#writing.view() ?? this.#main();
  }

  #main(): Widget {
    const { open, mail, order, folder } = this.#browsing;
    return column(
      [
        menuBar(mailMenus(mail, order, () => this.#folderItems(folder), this.#deeds)),
        column(
          [
            row(open === undefined ? this.#listTools() : this.#readingTools(open), { gap: 3 }),
            row(
              [
                sized(panel(this.#folders(), { field: true }), { width: FOLDERS_WIDTH }),
                growing(open === undefined ? this.#list() : this.#page(open)),
              ],
              { gap: 3, grow: 1 },
            ),
          ],
          { gap: 3, margin: 3, grow: 1 },
        ),
      ],
      { gap: 0 },
    );
  }

  #folderItems(folder: MailFolder): readonly MenuItem[] {
    const empty = !this.#world.mails.some(mail => mail.folder === folder);
    return folderItems(folder, empty, this.#deeds);
  }

  #folders(): Widget {
    return folderList(this.#world, {
      chosen: this.#browsing.folder,
      choose: folder => this.#browsing.enter(folder),
      move: (id, folder) => {
        const mail = mailWith(this.#world, id);
        if (mail !== undefined) this.#deeds.move(mail, folder);
      },
      menu: folder => this.#folderItems(folder),
    });
  }

  #list(): Widget {
    const browsing = this.#browsing;
    const query = browsing.query.text.trim();
    return mailList(browsing.mails, {
      contacts: this.#world.contacts,
      folder: browsing.folder,
      chosen: browsing.mail?.id,
      order: browsing.order,
      offset: browsing.listOffset,
      nothing: query === '' ? `${browsing.folder} is empty.` : `Nothing here contains '${query}'.`,
      scroll: offset => {
        browsing.listOffset = offset;
      },
      sort: by => browsing.sort(by),
      choose: mail => browsing.choose(mail),
      open: mail => this.#deeds.open(mail),
      star: mail => this.#deeds.toggleStar(mail),
      menu: mail => mailItems(mail, this.#deeds),
    });
  }

  #page(mail: Mail): Widget {
    return reading(mail, {
      contacts: this.#world.contacts,
      offset: this.#browsing.textOffset,
      scroll: offset => {
        this.#browsing.textOffset = offset;
      },
      star: () => this.#deeds.toggleStar(mail),
      menu: textItems(mail, bareAddress(mail.from)),
    });
  }

  #listTools(): readonly Widget[] {
    const browsing = this.#browsing;
    const search = textField('Search', browsing.query, {
      hint: 'Search',
      change: query => browsing.search(query),
      enter: () => browsing.step(0),
    });
    return [
      button('New', { primary: true, press: () => this.#deeds.write() }),
      ...this.#mailTools(browsing.mail),
      growing(search),
    ];
  }

  #readingTools(mail: Mail): readonly Widget[] {
    const { mails } = this.#browsing;
    const at = mails.indexOf(mail);
    return [
      button('Back', { primary: true, press: () => this.#browsing.back() }),
      ...this.#mailTools(mail),
      space(),
      button('Previous', { enabled: at > 0, press: () => this.#step(-1) }),
      button('Next', { enabled: at < mails.length - 1, press: () => this.#step(1) }),
    ];
  }

  #mailTools(mail: Mail | undefined): readonly Widget[] {
    const tool = (name: string, enabled: boolean, act: (mail: Mail) => void): Widget =>
      button(name, { enabled, press: () => mail && act(mail) });
    return [
      tool('Reply', mail !== undefined && mail.folder !== 'Drafts', each => this.#deeds.reply(each)),
      tool('Forward', mail !== undefined, each => this.#deeds.forward(each)),
      tool('Delete', mail !== undefined, each => this.#deeds.remove(each)),
    ];
  }

  // Questions and keys

  dialog(): Dialog | undefined {
    return this.#writing.dialog() ?? this.#deeds.dialog();
  }

  mayClose(): boolean {
    return this.#writing.mayClose();
  }

  stroke(stroke: KeyStroke): boolean {
    if (this.#writing.open) return this.#writing.stroke(stroke);
    const browsing = this.#browsing;
    const act = {
      'ctrl+n': () => this.#deeds.write(),
      'ctrl+f': () => browsing.find(),
      esc: () => (browsing.open === undefined ? browsing.search(editing('')) : browsing.back()),
      up: () => this.#step(-1),
      down: () => this.#step(1),
      pageup: () => browsing.page(-1),
      pagedown: () => browsing.page(1),
      ...(browsing.mail && mailKeys(browsing.mail, this.#deeds)),
    }[stroke];
    act?.();
    return act !== undefined;
  }

  /** To the next mail of the list: it is opened where the one before it was. */
  #step(by: 1 | -1): void {
    const reading = this.#browsing.open !== undefined;
    const mail = this.#browsing.step(by);
    if (reading && mail !== undefined) this.#deeds.open(mail);
  }
}
