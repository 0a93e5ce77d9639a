// The list of names at the left of Contacts.

import { column } from '../../toolkit/boxes.ts';
import { label, panel } from '../../toolkit/controls.ts';
import { listRow, rows } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import type { MenuItem, Widget } from '../../toolkit/widget.ts';
import type { Contact } from '../../world.ts';

interface Options {
  readonly chosen: Contact | undefined;
  readonly offset: number;
  /** What to say where there is nobody to list. */
  readonly nothing: string;
  readonly keyOf: (contact: Contact) => string;
  readonly choose: (contact: Contact) => void;
  readonly edit: (contact: Contact) => void;
  readonly menu: (contact: Contact) => readonly MenuItem[];
  readonly scroll: (offset: number) => void;
}

export function names(contacts: readonly Contact[], options: Options): Widget {
  const { chosen, offset, nothing, keyOf, choose, edit, menu, scroll } = options;
  const all = contacts.map(contact =>
    listRow(contact.name, {
      key: keyOf(contact),
      chosen: contact === chosen,
      press: () => choose(contact),
      double: () => edit(contact),
      menu: () => menu(contact),
    }),
  );
  const content = all.length > 0 ? rows(all) : column([label(nothing, { faint: true })], { margin: 5 });
  return panel(scrolled(content, { key: 'Scroll contacts', offset, change: scroll }), { field: true });
}
