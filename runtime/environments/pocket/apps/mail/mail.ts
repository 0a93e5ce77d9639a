// Mail: the folders, and beside them the list of mails or the open mail. A mail that is written takes the whole window
// (compose.ts). actions.ts changes mails and holds the navigation state.

import type { Dialog } from '../../shell/app.ts';
import { growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, panel, shortcutItem } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { ROW_HEIGHT } from '../../toolkit/rows.ts';
import { editing } from '../../toolkit/text-edit.ts';
import type { KeyStroke, UiServices, Widget } from '../../toolkit/widget.ts';
import type { Mail } from '../../world.ts';
import { PocketApp, windowLayout } from '../app.ts';
import { Browsing, MailActions } from './actions.ts';
import { Writing } from './compose.ts';
import { mailWith, subjectOf } from './mailbox.ts';
import { folderItems, folderList, mailList, mailPage, messageItems, sortMenu } from './panes.ts';

const SIZE = { width: 300, height: 196 };
const FOLDERS_WIDTH = 76;
/** The height of the list: the window without its bars. */
const VISIBLE_ROWS = Math.floor((SIZE.height - 66) / ROW_HEIGHT);

export class MailApp extends PocketApp {
  readonly id = 'mail';
  readonly name = 'Mail';
  readonly icon = 'mail';
  readonly size = SIZE;
  readonly #browsing = new Browsing(this.world, this.shell, VISIBLE_ROWS);
  readonly #writing = new Writing(this.world, this.shell);
  readonly #actions = new MailActions(this.world, this.shell, this.#writing, this.#browsing, this.dialogs);

  override title(): string {
    if (this.#writing.open) return `${this.#writing.title} - Mail`;
    const { open, folder } = this.#browsing;
    return `${open === undefined ? folder : subjectOf(open)} - Mail`;
  }

  override dialog(): Dialog | undefined {
    return this.#writing.dialog ?? super.dialog();
  }

  mayClose(): boolean {
    return this.#writing.mayClose();
  }

  /** 'new:' or 'new:ADDRESS' writes a mail; 'mail:12' opens mail 12. */
  show(what: string): void {
    const [, kind, value = ''] = /^(\w+):(.*)$/.exec(what) ?? [];
    if (kind === 'new') {
      this.#writing.begin({ to: value, subject: '', body: '' });
      return;
    }
    const mail = kind === 'mail' ? mailWith(this.world, Number(value)) : undefined;
    if (mail === undefined) this.shell.toast('There is no such mail.');
    else {
      this.#writing.putAside();
      this.#actions.open(mail);
    }
  }

  stroke(stroke: KeyStroke, ui: UiServices): void {
    const browsing = this.#browsing;
    if (this.#writing.open) this.#writing.stroke(stroke);
    else if (stroke === 'ctrl+f') browsing.find();
    else if (stroke === 'esc' && browsing.open === undefined) browsing.search(editing(''));
    else if (stroke === 'esc') browsing.back();
    else if (stroke === 'up' || stroke === 'down') this.#step(stroke === 'up' ? -1 : 1);
    else if (stroke === 'pageup' || stroke === 'pagedown') browsing.page(stroke === 'pageup' ? -1 : 1);
    else shortcutItem(messageItems(browsing.mail, this.#actions), stroke)?.choose(ui);
  }

  /** Selects another mail of the list, and opens it if the previous one was open. */
  #step(by: 1 | -1): void {
    const reading = this.#browsing.open !== undefined;
    const mail = this.#browsing.step(by);
    if (reading && mail !== undefined) this.#actions.open(mail);
  }

  view(): Widget {
    return this.#writing.view() ?? this.#main();
  }

  #main(): Widget {
    const { open, mail, folder } = this.#browsing;
    const folders = sized(panel(folderList(this.#actions), { field: true }), { width: FOLDERS_WIDTH });
    const mails = open === undefined ? mailList(this.#actions) : mailPage(this.#actions, open);
    return windowLayout(
      [
        { name: 'Message', items: () => messageItems(mail, this.#actions) },
        { name: 'Folder', items: () => folderItems(this.#actions, folder) },
        sortMenu(this.#browsing),
      ],
      [
        row(open === undefined ? this.#listTools() : this.#readingTools(open), { gap: 3 }),
        row([folders, growing(mails)], { gap: 3, grow: 1 }),
      ],
      { gap: 3, margin: 3 },
    );
  }

  #listTools(): readonly Widget[] {
    const browsing = this.#browsing;
    const search = textField('Search', browsing.query, {
      hint: 'Search',
      change: query => browsing.search(query),
      enter: () => browsing.step(0),
    });
    return [
      button('New', { primary: true, press: () => this.#actions.write() }),
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
      tool('Reply', mail !== undefined && mail.folder !== 'Drafts', each => this.#actions.reply(each)),
      tool('Forward', mail !== undefined, each => this.#actions.forward(each)),
      tool('Delete', mail !== undefined, each => this.#actions.remove(each)),
    ];
  }
}
