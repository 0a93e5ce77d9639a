// Contacts: names at the left, the chosen contact's card at the right, and a form for changing them.

import type { App, Dialog, ShellServices } from '../../shell/app.ts';
import { type BarMenu, menuBar } from '../../toolkit/bars.ts';
import { column, growing, row, sized } from '../../toolkit/boxes.ts';
import { button, label, panel } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { ROW_HEIGHT } from '../../toolkit/rows.ts';
import { type Editing, editing, selectAll } from '../../toolkit/text-edit.ts';
import type { KeyStroke, MenuItem, UiServices, Widget } from '../../toolkit/widget.ts';
import type { Contact, PocketWorld } from '../../world.ts';
import { question } from '../dialogs.ts';
import { found, withMail } from './book.ts';
import { card } from './card.ts';
import { type Form, formDialog, formFor } from './form.ts';
import { contactItems } from './menu.ts';
import { names } from './names.ts';

const SIZE = { width: 252, height: 172 };
const NAMES_WIDTH = 98;
/** The names that can be seen at once: what the window has left under its bars. */
const ROWS_SEEN = Math.floor((SIZE.height - 55) / ROW_HEIGHT);
const NOBODY: Contact = { name: '', phone: '', mail: '', company: '' };

export class ContactsApp implements App {
  readonly id = 'contacts';
  readonly name = 'Contacts';
  readonly icon = 'contacts';
  readonly size = SIZE;
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  #query: Editing = editing('');
  #chosen: Contact | undefined;
  #offset = 0;
  #form: Form | undefined;
  #doomed: Contact | undefined;

  constructor(world: PocketWorld, shell: ShellServices) {
    this.#world = world;
    this.#shell = shell;
  }

  title(): string {
    return 'Contacts';
  }

  get #found(): readonly Contact[] {
    return found(this.#world.contacts, this.#query.text);
  }

  /** 'new:' opens the form, with a mail address where one follows; 'mail:' shows whose address it is; else a name. */
  show(what: string): void {
    if (what.startsWith('new:')) {
      this.#form = formFor({ ...NOBODY, mail: what.slice('new:'.length) });
      return;
    }
    const { contacts } = this.#world;
    const contact = what.startsWith('mail:')
      ? withMail(contacts, what.slice('mail:'.length))
      : contacts.find(each => each.name === what);
    if (contact === undefined) this.#shell.toast('There is no such contact.');
    else this.#reveal(contact);
  }

  // What is chosen

  /** Chooses a contact, and makes sure that it can be seen in the list. */
  #reveal(contact: Contact): void {
    if (!this.#found.includes(contact)) this.#query = editing('');
    const top = this.#found.indexOf(contact) * ROW_HEIGHT;
    this.#offset = Math.max(0, top - (ROWS_SEEN - 1) * ROW_HEIGHT, Math.min(top, this.#offset));
    this.#chosen = contact;
    this.#shell.focus(this.#keyOf(contact));
  }

  /** The contact chosen, unless the search hides it. */
  #picked(among = this.#found): Contact | undefined {
    return among.find(contact => contact === this.#chosen);
  }

  /** Names may be shared: the place among all contacts tells them apart. */
  #keyOf(contact: Contact): string {
    return `contact ${this.#world.contacts.indexOf(contact)}`;
  }

  #step(by: number): void {
    const all = this.#found;
    const at = this.#chosen === undefined ? -1 : all.indexOf(this.#chosen);
    const contact = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))];
    if (contact !== undefined) this.#reveal(contact);
  }

  // What can be done

  #edit(contact?: Contact): void {
    this.#form = formFor(contact ?? NOBODY, contact);
  }

  #save({ contact }: Form, values: Contact): void {
    const saved = contact === undefined ? { ...values } : Object.assign(contact, values);
    if (contact === undefined) this.#world.contacts.push(saved);
    this.#form = undefined;
    this.#reveal(saved);
    this.#shell.toast(contact === undefined ? `${saved.name} was added` : `${saved.name} was saved`);
  }

  /** Asks before it deletes. */
  #doom(contact: Contact): void {
    this.#doomed = contact;
  }

  #remove(contact: Contact): void {
    const { contacts } = this.#world;
    contacts.splice(contacts.indexOf(contact), 1);
    this.#chosen = undefined;
    this.#doomed = undefined;
    this.#shell.toast(`${contact.name} was deleted`);
  }

  #write(contact: Contact): void {
    if (contact.mail !== '') this.#shell.open('mail', `new:${contact.mail}`);
  }

  #copy(what: string, text: string, ui: UiServices): void {
    ui.clipboard = text;
    this.#shell.toast(`${what} copied`);
  }

  // Views

  #contactItems(contact: Contact): readonly MenuItem[] {
    return contactItems(contact, {
      copy: (what, text, ui) => this.#copy(what, text, ui),
      write: () => this.#write(contact),
      edit: () => this.#edit(contact),
      remove: () => this.#doom(contact),
    });
  }

  #menus(): readonly BarMenu[] {
    return [{ name: 'Contact', items: () => this.#menuItems() }];
  }

  #menuItems(): readonly MenuItem[] {
    const contact = this.#picked();
    const chosen = contact === undefined ? [] : this.#contactItems(contact);
    return [
      { name: 'New contact...', shortcut: 'Ctrl+N', choose: () => this.#edit() },
      { name: 'Find', shortcut: 'Ctrl+F', choose: () => this.#find() },
      ...chosen.map((item, index) => (index === 0 ? { ...item, apart: true } : item)),
    ];
  }

  view(): Widget {
    const all = this.#found;
    const chosen = this.#picked(all);
    return column(
      [
        menuBar(this.#menus()),
        column(
          [
            row(this.#tools(chosen), { gap: 3 }),
            row([sized(this.#names(all, chosen), { width: NAMES_WIDTH }), growing(this.#card(chosen))], {
              gap: 3,
              grow: 1,
            }),
          ],
          { gap: 3, margin: 3, grow: 1 },
        ),
      ],
      { gap: 0 },
    );
  }

  #tools(contact: Contact | undefined): readonly Widget[] {
    const tool = (name: string, act: (contact: Contact) => void): Widget =>
      button(name, { enabled: contact !== undefined, press: () => contact && act(contact) });
    const search = (state: Editing) => {
      if (state.text !== this.#query.text) this.#offset = 0;
      this.#query = state;
    };
    return [
      button('New', { primary: true, press: () => this.#edit() }),
      tool('Edit', each => this.#edit(each)),
      tool('Delete', each => this.#doom(each)),
      growing(
        textField('Search', this.#query, { hint: 'Search', change: search, enter: () => this.#step(0) }),
      ),
    ];
  }

  #names(all: readonly Contact[], chosen: Contact | undefined): Widget {
    return names(all, {
      chosen,
      offset: this.#offset,
      nothing: this.#query.text === '' ? 'No contacts yet.' : 'Nobody found.',
      keyOf: contact => this.#keyOf(contact),
      choose: contact => {
        this.#chosen = contact;
      },
      edit: contact => this.#edit(contact),
      menu: contact => this.#contactItems(contact),
      scroll: offset => {
        this.#offset = offset;
      },
    });
  }

  #card(contact: Contact | undefined): Widget {
    if (contact === undefined) {
      const hint = this.#world.contacts.length === 0 ? "Press 'New' to add one." : 'Choose a contact.';
      return panel(column([label(hint, { faint: true })], { margin: 6 }), { field: true });
    }
    return card(contact, this.#contactItems(contact), () => this.#write(contact));
  }

  // Questions and keys

  dialog(): Dialog | undefined {
    const [form, doomed] = [this.#form, this.#doomed];
    if (form !== undefined) {
      return formDialog(form, {
        save: values => this.#save(form, values),
        cancel: () => {
          this.#form = undefined;
        },
        focus: key => this.#shell.focus(key),
      });
    }
    if (doomed === undefined) return undefined;
    return question({
      title: 'Delete this contact?',
      text: `${doomed.name} cannot be brought back.`,
      answers: [{ name: 'Delete contact', choose: () => this.#remove(doomed) }],
      cancel: () => {
        this.#doomed = undefined;
      },
    });
  }

  stroke(stroke: KeyStroke): boolean {
    const contact = this.#picked();
    if (stroke === 'ctrl+n') this.#edit();
    else if (stroke === 'ctrl+f') this.#find();
    else if (stroke === 'up' || stroke === 'down') this.#step(stroke === 'up' ? -1 : 1);
    else if (stroke === 'esc') this.#query = editing('');
    else if (stroke === 'f2' && contact !== undefined) this.#edit(contact);
    else if (stroke === 'delete' && contact !== undefined) this.#doom(contact);
    else return false;
    return true;
  }

  #find(): void {
    this.#query = selectAll(this.#query);
    this.#shell.focus('Search');
  }
}
