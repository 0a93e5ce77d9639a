// Menu bars and tabs at the top of a window.

import { box } from '../../box.ts';
import { CAP_HEIGHT, textWidth } from '../font.ts';
import { row } from './boxes.ts';
import { extendWidget, type KeyStroke, type MenuItem, onKeys, type Widget } from './widget.ts';

const BAR_HEIGHT = 13;

export interface BarMenu {
  readonly name: string;
  /** Computed when the menu opens. */
  readonly items: () => readonly MenuItem[];
}

export const menuBar = (menus: readonly BarMenu[]): Widget =>
  extendWidget(row(menus.map(menuTitle), { gap: 0 }), {
    paint: ({ surface, box: area, theme }) => {
      surface.fill(area, theme.button);
      surface.fill(box(area.x, area.y + area.height - 1, area.width, 1), theme.buttonEdge);
    },
    opaque: true,
    paintKey: 'menubar',
  });

const menuTitle = ({ name, items }: BarMenu): Widget => ({
  key: `menu ${name}`,
  paintKey: `menu ${name}`,
  describe: { role: 'menu', name },
  on: {
    press: (_at, ui, area) => ui.popup(items(), area),
    stroke: onKeys(['enter', 'down'], (ui, area) => ui.popup(items(), area)),
  },
  measure: () => ({ width: textWidth(name) + 10, height: BAR_HEIGHT }),
  paint: ({ surface, box: area, theme, focused }) => {
    if (focused) surface.fill(area, theme.shade);
    surface.text(name, area.x + 5, area.y + Math.floor((area.height - CAP_HEIGHT) / 2), theme.text);
  },
});

/** Keys whose names in menus are short. */
const SHORTCUT_NAMES: Readonly<Record<string, string>> = { delete: 'del', pageup: 'pgup', pagedown: 'pgdn' };

/** The enabled menu item whose shortcut is a key. */
export function shortcutItem(items: readonly MenuItem[], stroke: KeyStroke): MenuItem | undefined {
  const name = SHORTCUT_NAMES[stroke] ?? stroke;
  return items.find(({ shortcut, enabled = true }) => enabled && shortcut?.toLowerCase() === name);
}

export const tabs = (names: readonly string[], chosen: string, choose: (name: string) => void): Widget => {
  const all = names.map((name, index) =>
    tab(name, name === chosen, [names[index - 1], names[index + 1]], choose),
  );
  return extendWidget(row(all, { gap: 1 }), {
    paintKey: 'tabs',
    paint: ({ surface, box: area, theme }) =>
      surface.fill(box(area.x, area.y + area.height - 1, area.width, 1), theme.buttonEdge),
  });
};

const tab = (
  name: string,
  chosen: boolean,
  [before, after]: readonly (string | undefined)[],
  choose: (name: string) => void,
): Widget => ({
  key: `tab ${name}`,
  opaque: true,
  paintKey: `tab ${name} ${chosen}`,
  describe: { role: 'tab', name, states: chosen ? ['selected'] : [] },
  on: {
    press: () => choose(name),
    // The arrow keys choose the next tab and move the focus with it.
    stroke: (stroke, ui) => {
      const there = { enter: name, space: name, left: before, right: after }[stroke];
      if (there === undefined) return stroke === 'left' || stroke === 'right';
      choose(there);
      ui.focus(`tab ${there}`);
      return true;
    },
  },
  measure: () => ({ width: textWidth(name) + 10, height: BAR_HEIGHT + 1 }),
  paint: ({ surface, box: area, theme, focused }) => {
    surface.fill(area, chosen ? theme.window : theme.button);
    surface.frame(area, theme.buttonEdge);
    if (chosen) surface.fill(box(area.x + 1, area.y + area.height - 1, area.width - 2, 1), theme.window);
    if (focused) surface.fill(box(area.x + 4, area.y + area.height - 3, area.width - 8, 1), theme.accent);
    surface.text(name, area.x + 5, area.y + 3, theme.text);
  },
});
