// Contacts: the list of names, the card of the selected contact, and a form to edit it.

import type { Dialog } from '../../shell/app.ts';
import { column, growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, label, panel, rule, shortcutItem } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { emptyNote, listRow, ROW_HEIGHT, rows } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import { type Editing, editing, selectAll } from '../../toolkit/text-edit.ts';
import {
  extendWidget,
  type KeyStroke,
  type MenuItem,
  type UiServices,
  type Widget,
} from '../../toolkit/widget.ts';
import type { Contact } from '../../world.ts';
import { DialogSlot, Form, labelledField, PocketApp, windowLayout } from '../app.ts';
import { contactAt, isAddress } from '../mail/mailbox.ts';

/** The contacts that contain a text, by name. */
function search(contacts: readonly Contact[], query: string): readonly Contact[] {
  const wanted = query.trim().toLowerCase();
  return contacts
    .filter(({ name, phone, mail, company }) =>
      [name, phone, mail, company].some(text => text.toLowerCase().includes(wanted)),
    )
    .map(contact => ({ contact, key: contact.name.trim().toLowerCase() }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ contact }) => contact);
}

const PHONE = /^\+?[\d ()/-]+$/;

/** The field that keeps a contact from being saved, and why; undefined for a valid contact. */
function contactFault({ name, phone, mail }: Contact): readonly [field: string, why: string] | undefined {
  if (name === '') return ['Name', 'A contact needs a name.'];
  const digits = phone.replace(/\D/g, '').length;
  if (phone !== '' && (!PHONE.test(phone) || digits < 3)) return ['Phone', 'This is not a phone number.'];
  if (mail !== '' && !isAddress(mail)) return ['Mail', 'This is not a mail address.'];
  return undefined;
}

const SIZE = { width: 252, height: 172 };
const NAMES_WIDTH = 98;
/** The height of the list: the window without its bars. */
const VISIBLE_ROWS = Math.floor((SIZE.height - 55) / ROW_HEIGHT);
const EMPTY: Contact = { name: '', phone: '', mail: '', company: '' };

export class ContactsApp extends PocketApp {
  readonly id = 'contacts';
  readonly name = 'Contacts';
  readonly icon = 'contacts';
  readonly size = SIZE;
  readonly #form = new DialogSlot();
  readonly #scroll = { offset: 0 };
  #query: Editing = editing('');
  #chosen: Contact | undefined;

  /** A form covers a question, which stays open below it. */
  override dialog(): Dialog | undefined {
    return this.#form.current ?? super.dialog();
  }

  /** 'new:' or 'new:ADDRESS' opens the form, 'mail:ADDRESS' or a name shows a contact. */
  show(what: string): void {
    if (what.startsWith('new:')) {
      this.#edit({ ...EMPTY, mail: what.slice('new:'.length) });
      return;
    }
    const { contacts } = this.world;
    const contact = what.startsWith('mail:')
      ? contactAt(contacts, what.slice('mail:'.length))
      : contacts.find(each => each.name === what);
    if (contact === undefined) this.shell.toast('There is no such contact.');
    else this.#select(contact);
  }

  stroke(stroke: KeyStroke, ui: UiServices): void {
    if (stroke === 'up' || stroke === 'down') this.#step(stroke === 'up' ? -1 : 1);
    else if (stroke === 'esc') this.#query = editing('');
    else shortcutItem(this.#menuItems(), stroke)?.choose(ui);
  }

  // Selection

  get #found(): readonly Contact[] {
    return search(this.world.contacts, this.#query.text);
  }

  /** The selected contact, unless the search hides it. */
  #visibleChoice(among = this.#found): Contact | undefined {
    return among.find(contact => contact === this.#chosen);
  }

  /** Selects a contact and scrolls the list to it. */
  #select(contact: Contact): void {
    if (!this.#found.includes(contact)) this.#query = editing('');
    const top = this.#found.indexOf(contact) * ROW_HEIGHT;
    const lowest = top - (VISIBLE_ROWS - 1) * ROW_HEIGHT;
    this.#scroll.offset = Math.max(0, lowest, Math.min(top, this.#scroll.offset));
    this.#chosen = contact;
    this.shell.focus(this.#keyOf(contact));
  }

  /** Two contacts may have the same name: their index tells them apart. */
  #keyOf(contact: Contact): string {
    return `contact ${this.world.contacts.indexOf(contact)}`;
  }

  #step(by: number): void {
    const all = this.#found;
    const at = this.#chosen === undefined ? -1 : all.indexOf(this.#chosen);
    const contact = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))];
    if (contact !== undefined) this.#select(contact);
  }

  #find(): void {
    this.#query = selectAll(this.#query);
    this.shell.focus('Search');
  }

  // Actions

  /** Opens the form with some values; without `contact` it adds a new one. */
  #edit(values: Contact, contact?: Contact): void {
    const form = new Form({
      title: contact === undefined ? 'New contact' : 'Edit contact',
      width: 204,
      gap: 3,
      margin: 6,
      action: 'Save',
      reserveFault: true,
      fields: {
        Name: editing(values.name),
        Phone: editing(values.phone),
        Mail: editing(values.mail),
        Company: editing(values.company),
      },
      focus: 'Name',
      content: ({ field }) =>
        (['Name', 'Phone', 'Mail', 'Company'] as const).map(name => labelledField(name, 46, field(name))),
      submit: text => {
        const edited = {
          name: text('Name'),
          phone: text('Phone'),
          mail: text('Mail'),
          company: text('Company'),
        };
        const [field, why] = contactFault(edited) ?? [];
        if (field !== undefined) this.shell.focus(field);
        else this.#save(edited, contact);
        return why;
      },
      cancel: this.#form.close,
    });
    this.#form.open(form.dialog);
  }

  #save(values: Contact, contact: Contact | undefined): void {
    const saved = contact === undefined ? values : Object.assign(contact, values);
    if (contact === undefined) this.world.contacts.push(saved);
    this.#form.close();
    this.#select(saved);
    this.shell.toast(contact === undefined ? `${saved.name} was added` : `${saved.name} was saved`);
  }

  #askToDelete(contact: Contact): void {
    const choose = () => {
      const { contacts } = this.world;
      contacts.splice(contacts.indexOf(contact), 1);
      this.#chosen = undefined;
      this.shell.toast(`${contact.name} was deleted`);
    };
    this.dialogs.ask({
      title: 'Delete this contact?',
      text: `${contact.name} cannot be brought back.`,
      answers: [{ name: 'Delete contact', choose }],
    });
  }

  #writeMail({ mail }: Contact): void {
    if (mail !== '') this.shell.open('mail', `new:${mail}`);
  }

  // Menus

  /** The items for one contact, in the menu bar and in its context menu. */
  #contactItems(contact: Contact): readonly MenuItem[] {
    const { phone, mail } = contact;
    const copy = (what: string, text: string): MenuItem => ({
      name: `Copy ${what.toLowerCase()}`,
      enabled: text !== '',
      choose: ui => {
        ui.clipboard = text;
        this.shell.toast(`${what} copied`);
      },
    });
    return [
      copy('Phone', phone),
      copy('Mail', mail),
      { name: 'Write mail', enabled: mail !== '', apart: true, choose: () => this.#writeMail(contact) },
      { name: 'Edit...', shortcut: 'F2', apart: true, choose: () => this.#edit(contact, contact) },
      { name: 'Delete...', shortcut: 'Del', choose: () => this.#askToDelete(contact) },
    ];
  }

  #menuItems(): readonly MenuItem[] {
    const contact = this.#visibleChoice();
    const items = contact === undefined ? [] : this.#contactItems(contact);
    return [
      { name: 'New contact...', shortcut: 'Ctrl+N', choose: () => this.#edit(EMPTY) },
      { name: 'Find', shortcut: 'Ctrl+F', choose: () => this.#find() },
      ...items.map((item, index) => (index === 0 ? { ...item, apart: true } : item)),
    ];
  }

  // Views

  view(): Widget {
    const all = this.#found;
    const chosen = this.#visibleChoice(all);
    const names = sized(this.#names(all, chosen), { width: NAMES_WIDTH });
    const panes = row([names, growing(this.#card(chosen))], { gap: 3, grow: 1 });
    return windowLayout(
      [{ name: 'Contact', items: () => this.#menuItems() }],
      [row(this.#tools(chosen), { gap: 3 }), panes],
      { gap: 3, margin: 3 },
    );
  }

  #tools(contact: Contact | undefined): readonly Widget[] {
    const tool = (name: string, act: (contact: Contact) => void): Widget =>
      button(name, { enabled: contact !== undefined, press: () => contact && act(contact) });
    const change = (state: Editing) => {
      if (state.text !== this.#query.text) this.#scroll.offset = 0;
      this.#query = state;
    };
    return [
      button('New', { primary: true, press: () => this.#edit(EMPTY) }),
      tool('Edit', each => this.#edit(each, each)),
      tool('Delete', each => this.#askToDelete(each)),
      growing(textField('Search', this.#query, { hint: 'Search', change, enter: () => this.#step(0) })),
    ];
  }

  #names(all: readonly Contact[], chosen: Contact | undefined): Widget {
    const list = all.map(contact =>
      listRow(contact.name, {
        key: this.#keyOf(contact),
        chosen: contact === chosen,
        press: () => {
          this.#chosen = contact;
        },
        double: () => this.#edit(contact, contact),
        menu: () => this.#contactItems(contact),
      }),
    );
    const empty = this.#query.text === '' ? 'No contacts yet.' : 'Nobody found.';
    return panel(scrolled(rows(list, emptyNote(empty, 5)), 'Scroll contacts', this.#scroll), { field: true });
  }

  #card(contact: Contact | undefined): Widget {
    if (contact === undefined) {
      const hint = this.world.contacts.length === 0 ? "Press 'New' to add one." : 'Choose a contact.';
      return panel(emptyNote(hint, 6), { field: true });
    }
    const { name, phone, mail, company } = contact;
    const facts = column(
      [
        label(name, { bold: true, wrap: true }),
        ...(company === '' ? [] : [label(company, { faint: true })]),
        rule(),
        fact('Phone', phone),
        fact('Mail', mail),
      ],
      { gap: 4 },
    );
    const menu = this.#contactItems(contact);
    const press = () => this.#writeMail(contact);
    const write = button('Write mail', { enabled: mail !== '', primary: mail !== '', press });
    return panel(
      column([extendWidget(facts, { on: { menu: () => menu } }), space(), row([growing(write)])], {
        gap: 4,
        margin: 6,
        grow: 1,
      }),
      { field: true },
    );
  }
}

const fact = (name: string, value: string): Widget =>
  column([label(name, { faint: true }), label(value || '-', { wrap: true })], { gap: 0 });
