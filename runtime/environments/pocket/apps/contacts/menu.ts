// What can be done with one contact: the same choices stand in the menu bar and under a right click.

import type { MenuItem, UiServices } from '../../toolkit/widget.ts';
import type { Contact } from '../../world.ts';

interface Deeds {
  readonly copy: (what: string, text: string, ui: UiServices) => void;
  readonly write: () => void;
  readonly edit: () => void;
  readonly remove: () => void;
}

export function contactItems({ phone, mail }: Contact, deeds: Deeds): readonly MenuItem[] {
  const copy = (what: string, text: string): MenuItem => ({
    name: `Copy ${what.toLowerCase()}`,
    enabled: text !== '',
    choose: ui => deeds.copy(what, text, ui),
  });
  return [
    copy('Phone', phone),
    copy('Mail', mail),
    { name: 'Write mail', enabled: mail !== '', apart: true, choose: deeds.write },
    { name: 'Edit...', shortcut: 'F2', apart: true, choose: deeds.edit },
    { name: 'Delete...', shortcut: 'Del', choose: deeds.remove },
  ];
}
