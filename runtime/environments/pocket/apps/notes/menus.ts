// The menus of Notes and their shortcuts, from one list of commands.

import type { BarMenu } from '../../toolkit/bars.ts';
import { insert, selectAll, selectedText } from '../../toolkit/text-edit.ts';
import type { KeyStroke, MenuItem, UiServices } from '../../toolkit/widget.ts';
import type { Draft } from './draft.ts';

export interface Commands {
  readonly create: () => void;
  readonly open: () => void;
  readonly save: () => void;
  readonly saveAs: () => void;
  readonly close: () => void;
  readonly find: (ui: UiServices) => void;
  readonly findNext: (ui: UiServices) => void;
  readonly replace: (ui: UiServices) => void;
}

export function commandMenus(draft: Draft, to: Commands): readonly BarMenu[] {
  const selected = selectedText(draft.state);
  const copy = (ui: UiServices) => {
    if (selected !== '') ui.clipboard = selected;
  };
  const file = (): readonly MenuItem[] => [
    { name: 'New', shortcut: 'Ctrl+N', choose: to.create },
    { name: 'Open...', shortcut: 'Ctrl+O', choose: to.open },
    { name: 'Save', shortcut: 'Ctrl+S', apart: true, choose: to.save },
    { name: 'Save As...', shortcut: 'Ctrl+Shift+S', choose: to.saveAs },
    { name: 'Close note', shortcut: 'Ctrl+W', apart: true, choose: to.close },
  ];
  const edit = (): readonly MenuItem[] => [
    { name: 'Undo', shortcut: 'Ctrl+Z', enabled: draft.canUndo, choose: () => draft.undo() },
    { name: 'Redo', shortcut: 'Ctrl+Y', enabled: draft.canRedo, choose: () => draft.redo() },
    {
      name: 'Cut',
      shortcut: 'Ctrl+X',
      apart: true,
      enabled: selected !== '',
      choose: ui => {
        copy(ui);
        draft.change(insert(draft.state, '', true));
      },
    },
    { name: 'Copy', shortcut: 'Ctrl+C', enabled: selected !== '', choose: copy },
    {
      name: 'Paste',
      shortcut: 'Ctrl+V',
      choose: ui => draft.change(insert(draft.state, ui.clipboard, true)),
    },
    { name: 'Select All', shortcut: 'Ctrl+A', choose: () => draft.change(selectAll(draft.state)) },
    { name: 'Find...', shortcut: 'Ctrl+F', apart: true, choose: to.find },
    { name: 'Find Next', shortcut: 'F3', choose: to.findNext },
    { name: 'Replace...', shortcut: 'Ctrl+H', choose: to.replace },
  ];
  return [
    { name: 'File', items: file },
    { name: 'Edit', items: edit },
  ];
}

/** The command that a stroke means: a shortcut in small letters is its stroke. */
export const commandOf = (menus: readonly BarMenu[], stroke: KeyStroke): MenuItem | undefined =>
  menus
    .flatMap(({ items }) => items())
    .find(({ shortcut, enabled = true }) => enabled && shortcut?.toLowerCase() === stroke);
