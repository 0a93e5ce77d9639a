// Labels, buttons, panels, rules, and the menu bar and tabs at the top of a window.

import { box, inset } from '../../box.ts';
import { boldWidth, CAP_HEIGHT, fitText, LINE_HEIGHT, textWidth, wrapText } from '../font.ts';
import { row } from './boxes.ts';
import { extendWidget, type KeyStroke, type MenuItem, onKeys, type Widget } from './widget.ts';

export const CONTROL_HEIGHT = 14;
export const PADDING = 4;

/** The y of text that is centred vertically. */
export const textTop = (top: number, height: number): number => top + Math.floor((height - CAP_HEIGHT) / 2);

interface LabelOptions {
  readonly bold?: boolean;
  readonly faint?: boolean;
  /** An error message. */
  readonly warning?: boolean;
  readonly wrap?: boolean;
}

export function label(
  text: string,
  { bold = false, faint = false, warning = false, wrap = false }: LabelOptions = {},
): Widget {
  const linesWithin = (width: number): readonly string[] =>
    wrap ? wrapText(text, Math.max(8, width)) : [text];
  return {
    paintKey: `label ${bold} ${faint} ${warning} ${text}`,
    describe: { role: 'label', name: text },
    measure: width => {
      const lines = linesWithin(width);
      const widest = Math.max(0, ...lines.map(line => (bold ? boldWidth(line) : textWidth(line))));
      return {
        width: Math.min(width, widest),
        height: Math.max(CAP_HEIGHT + 3, lines.length * LINE_HEIGHT - 1),
      };
    },
    paint: ({ surface, box: area, theme }) => {
      const colour = warning ? theme.warning : faint ? theme.faint : theme.text;
      const lines = linesWithin(area.width);
      if (lines.length > 1) {
        for (const [index, line] of lines.entries())
          surface.text(line, area.x, area.y + index * LINE_HEIGHT, colour, bold);
      } else {
        surface.text(fitText(text, area.width, bold), area.x, textTop(area.y, area.height), colour, bold);
      }
    },
  };
}

interface ButtonOptions {
  readonly enabled?: boolean;
  /** The default action of its window. */
  readonly primary?: boolean;
  readonly press: () => void;
}

export function button(name: string, { enabled = true, primary = false, press }: ButtonOptions): Widget {
  const act = () => {
    if (enabled) press();
  };
  return {
    key: name,
    opaque: true,
    paintKey: `button ${enabled} ${primary} ${name}`,
    describe: { role: 'button', name, states: enabled ? [] : ['disabled'] },
    on: {
      press: act,
      stroke: onKeys(['enter', 'space'], act),
    },
    measure: () => ({ width: Math.max(24, textWidth(name) + 2 * PADDING + 2), height: CONTROL_HEIGHT }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, primary ? theme.accent : theme.button);
      surface.frame(area, focused ? theme.text : theme.buttonEdge);
      const text = fitText(name, area.width - 4);
      const colour = enabled ? (primary ? theme.accentText : theme.text) : theme.faint;
      const left = area.x + Math.floor((area.width - textWidth(text)) / 2);
      surface.text(text, left, textTop(area.y, area.height), colour);
    },
  };
}

/** A frame with its own background around another widget. */
export function panel(content: Widget, { field = false }: { readonly field?: boolean } = {}): Widget {
  return {
    opaque: true,
    paintKey: `panel ${field}`,
    grow: content.grow,
    measure: width => {
      const size = content.measure(width - 2);
      return { width: size.width + 2, height: size.height + 2 };
    },
    children: area => [{ widget: content, box: inset(area, 1) }],
    paint: ({ surface, box: area, theme }) => {
      surface.fill(area, field ? theme.field : theme.window);
      surface.frame(area, theme.buttonEdge);
    },
  };
}

export const rule = (): Widget => ({
  paintKey: 'rule',
  measure: () => ({ width: 1, height: 1 }),
  paint: ({ surface, box: area, theme }) => surface.fill(area, theme.shade),
});

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
      const next = { enter: name, space: name, left: before, right: after }[stroke];
      if (next === undefined) return stroke === 'left' || stroke === 'right';
      choose(next);
      ui.focus(`tab ${next}`);
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
