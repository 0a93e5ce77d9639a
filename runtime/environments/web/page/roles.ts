// Maps the roles of ARIA and Chromium to the vocabulary of the policies, so that learning transfers between kinds of desktops.

import type { ElementState } from '../../../core/screen.ts';

const ROLES: Readonly<Record<string, string>> = {
  textbox: 'textfield',
  searchbox: 'textfield',
  date: 'textfield',
  datetime: 'textfield',
  inputtime: 'textfield',
  combobox: 'dropdown',
  spinbutton: 'spinner',
  menuitemcheckbox: 'menuitem',
  menuitemradio: 'menuitem',
  listbox: 'list',
  img: 'image',
  gridcell: 'cell',
  rowheader: 'cell',
  tooltip: 'label',
  switch: 'checkbox',
  alertdialog: 'dialog',
  disclosuretriangle: 'button',
  colorwell: 'button',
  progressbar: 'statusbar',
  meter: 'statusbar',
};

export function roleOf(role: string): string {
  const name = role.toLowerCase();
  return Object.hasOwn(ROLES, name) ? (ROLES[name] ?? name) : name;
}

const STATES: Readonly<Record<string, ElementState>> = {
  c: 'checked',
  d: 'disabled',
  e: 'editable',
  x: 'expanded',
  f: 'focused',
  p: 'pressed',
  s: 'selected',
};

export const statesOf = (letters: string): readonly ElementState[] =>
  [...letters].flatMap(letter => STATES[letter] ?? []);
