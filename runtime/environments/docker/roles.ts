// What an accessibility tree calls things, in the words that policies know (policy/token-numbers.ts), so that what is learned on
// one kind of desktop means the same on another. A table, and nothing else.

import type { ElementState } from '../../core/screen.ts';

/** Only arranges other things: nothing of it is seen or meant. */
export const ARRANGES: ReadonlySet<string> = new Set([
  'application',
  'filler',
  'panel',
  'grouping',
  'scroll pane',
  'viewport',
  'split pane',
  'layered pane',
  'root pane',
  'glass pane',
  'internal frame',
  'option pane',
  'page tab list',
  'menu bar',
  'tool bar',
  'list',
  'list box',
  'table',
  'tree',
  'tree table',
  'form',
  'section',
  'separator',
  'embedded',
  'redundant object',
  'unknown',
  'invalid',
]);

/** Says nothing where it has no words. */
export const WORDS_ONLY: ReadonlySet<string> = new Set(['label', 'image', 'cell', 'statusbar', 'document']);

/** ATK's names of roles; what is not here keeps its own. */
const ROLES: Readonly<Record<string, string>> = {
  frame: 'window',
  window: 'window',
  dialog: 'dialog',
  alert: 'dialog',
  'file chooser': 'dialog',
  'color chooser': 'dialog',
  'font chooser': 'dialog',
  'info bar': 'alert',
  notification: 'alert',
  'push button': 'button',
  'toggle button': 'button',
  'push button menu': 'button',
  'check box': 'checkbox',
  switch: 'checkbox',
  'radio button': 'radio',
  'combo box': 'dropdown',
  'spin button': 'spinner',
  'scroll bar': 'scrollbar',
  menu: 'menu',
  'menu item': 'menuitem',
  'check menu item': 'menuitem',
  'radio menu item': 'menuitem',
  'tearoff menu item': 'menuitem',
  'page tab': 'tab',
  'list item': 'listitem',
  'tree item': 'treeitem',
  'table row': 'row',
  'table cell': 'cell',
  'table column header': 'columnheader',
  'column header': 'columnheader',
  'table row header': 'cell',
  'row header': 'cell',
  'status bar': 'statusbar',
  'progress bar': 'statusbar',
  'tool tip': 'label',
  static: 'label',
  caption: 'label',
  heading: 'label',
  paragraph: 'label',
  'accelerator label': 'label',
  'desktop icon': 'icon',
  canvas: 'image',
  'drawing area': 'image',
  entry: 'textfield',
  'password text': 'textfield',
  autocomplete: 'textfield',
  editbar: 'textfield',
  terminal: 'document',
  'document frame': 'document',
  'document web': 'document',
  'document text': 'document',
  'document spreadsheet': 'document',
  'html container': 'document',
};

/** Higher than this on the policy's screen, a text has room for more than one line, also where the tree does not say so. */
const ONE_LINE = 24;

export function roleOf(role: string, states: readonly string[], height: number): string {
  if (role !== 'text') return ROLES[role] ?? role;
  return states.includes('multi line') || height > ONE_LINE ? 'textarea' : 'textfield';
}

const STATES: Readonly<Record<string, ElementState>> = {
  checked: 'checked',
  editable: 'editable',
  expanded: 'expanded',
  focused: 'focused',
  pressed: 'pressed',
  selected: 'selected',
};

/** A tree says what can be used, and a policy is told what cannot. */
const USABLE: readonly string[] = ['sensitive', 'enabled'];

export function statesOf(states: readonly string[]): readonly ElementState[] {
  const known = states.flatMap(state => STATES[state] ?? []);
  return USABLE.some(state => states.includes(state)) ? known : [...known, 'disabled'];
}
