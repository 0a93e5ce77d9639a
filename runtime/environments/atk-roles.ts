// Maps roles and states of ATK to the vocabulary of the policies, so that learning transfers between kinds of desktops.

import type { ElementState } from '../core/screen.ts';

/** Roles that only arrange other nodes: users neither see nor mean them. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['application', 'filler', 'panel', 'grouping', 'scroll pane', 'viewport', 'split pane', 'layered pane'],
  ...['root pane', 'glass pane', 'internal frame', 'option pane', 'page tab list', 'menu bar', 'tool bar'],
  ...['list', 'list box', 'table', 'tree', 'tree table', 'form', 'section', 'separator', 'embedded'],
  ...['redundant object', 'unknown', 'invalid'],
]);

export const isContainer = (atkRole: string): boolean => CONTAINERS.has(atkRole);

/** Roles without meaning if they have no text. */
export const hasTextOnly = (role: string): boolean =>
  ['label', 'image', 'cell', 'statusbar', 'document'].includes(role);

/** The roles of ATK for each role of a policy. Others keep their name. */
const ATK_ROLES: Readonly<Record<string, readonly string[]>> = {
  window: ['frame', 'window'],
  dialog: ['dialog', 'alert', 'file chooser', 'color chooser', 'font chooser'],
  alert: ['info bar', 'notification'],
  button: ['push button', 'toggle button', 'push button menu'],
  checkbox: ['check box', 'switch'],
  radio: ['radio button'],
  dropdown: ['combo box'],
  spinner: ['spin button'],
  scrollbar: ['scroll bar'],
  menuitem: ['menu item', 'check menu item', 'radio menu item', 'tearoff menu item'],
  tab: ['page tab'],
  listitem: ['list item'],
  treeitem: ['tree item'],
  row: ['table row'],
  cell: ['table cell', 'table row header', 'row header'],
  columnheader: ['table column header', 'column header'],
  statusbar: ['status bar', 'progress bar'],
  label: ['tool tip', 'static', 'caption', 'heading', 'paragraph', 'accelerator label'],
  icon: ['desktop icon'],
  image: ['canvas', 'drawing area'],
  textfield: ['entry', 'password text', 'autocomplete', 'editbar'],
  document: [
    ...['terminal', 'document frame', 'document web', 'document text', 'document spreadsheet'],
    'html container',
  ],
};

const ROLES: ReadonlyMap<string, string> = new Map(
  Object.entries(ATK_ROLES).flatMap(([role, atkRoles]) => atkRoles.map(atkRole => [atkRole, role] as const)),
);

/** A higher text (in the policy's pixels) has room for several lines, even if the tree does not report it. */
const ONE_LINE_HEIGHT = 24;

export function roleOf(atkRole: string, states: readonly string[], height: number): string {
  if (atkRole !== 'text') return ROLES.get(atkRole) ?? atkRole;
  return states.includes('multi line') || height > ONE_LINE_HEIGHT ? 'textarea' : 'textfield';
}

const STATES: readonly ElementState[] = ['checked', 'editable', 'expanded', 'focused', 'pressed', 'selected'];

/** ATK marks usable nodes, a policy sees unusable ones. */
export function statesOf(atkStates: readonly string[]): readonly ElementState[] {
  const states = atkStates.flatMap(state => STATES.find(each => each === state) ?? []);
  const isUsable = atkStates.includes('sensitive') || atkStates.includes('enabled');
  return isUsable ? states : [...states, 'disabled'];
}
