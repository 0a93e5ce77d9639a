// Rows that can be chosen: of lists, tables and trees. A row knows how it looks and what happens to it; which row is
// chosen belongs to the application.

import type { ElementState } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import { CAP_HEIGHT, fitText, textWidth } from '../font.ts';
import { column } from './boxes.ts';
import { drawIcon, ICON_SIZE, type Icon } from './icons.ts';
import { type DragPayload, type EventHandlers, extendWidget, type MenuItem, type Widget } from './widget.ts';

export const ROW_HEIGHT = 13;

export interface RowOptions {
  readonly key?: string;
  readonly chosen?: boolean;
  readonly bold?: boolean;
  readonly icon?: Icon;
  /** What it is called, where that is not all that it shows; and what else is told of it. */
  readonly name?: string;
  readonly value?: string;
  readonly press: () => void;
  readonly double?: () => void;
  /** Made when it is asked for: most rows never are. */
  readonly menu?: () => readonly MenuItem[];
  readonly payload?: DragPayload | undefined;
  readonly drop?: ((cargo: DragPayload) => void) | undefined;
}

/** A table's columns, by their share of the width. */
export type Columns = readonly number[];

export const listRow = (name: string, options: RowOptions): Widget =>
  rowOf('listitem', name, [name], [1], 0, options);

export const tableRow = (cells: readonly string[], columns: Columns, options: RowOptions): Widget =>
  rowOf('row', options.name ?? cells.join(', '), cells, columns, 0, options);

export interface Branch {
  readonly depth: number;
  /** Whether it shows what is in it; undefined for a leaf. */
  readonly open?: boolean;
  readonly toggle?: () => void;
}

const INDENT = 9;
const CLOSED = ['x   ', 'xx  ', 'xxx ', 'xx  ', 'x   '];
const OPEN = ['xxxxx', ' xxx ', '  x  '];

export function treeRow(name: string, { depth, open, toggle }: Branch, options: RowOptions): Widget {
  const indent = depth * INDENT + 9;
  const plain = rowOf('treeitem', name, [name], [1], indent, options);
  return extendWidget(plain, {
    paintKey: `${plain.paintKey} ${depth} ${open}`,
    describe: {
      role: 'treeitem',
      name,
      states: [...(plain.describe?.states ?? []), ...(open ? (['expanded'] as const) : [])],
    },
    on: {
      ...plain.on,
      press: (at, ui, area) => {
        if (toggle !== undefined && at.x < area.x + indent) toggle();
        else plain.on?.press?.(at, ui, area);
      },
      stroke: (stroke, ui, area) => {
        if ((stroke === 'right' && open === false) || (stroke === 'left' && open === true)) {
          toggle?.();
          return true;
        }
        return plain.on?.stroke?.(stroke, ui, area) ?? false;
      },
    },
    paint: look => {
      plain.paint?.(look);
      if (open === undefined) return;
      const { surface, box: area, theme } = look;
      const mark = open ? OPEN : CLOSED;
      surface.bitmap(
        mark,
        area.x + depth * INDENT + 3,
        area.y + Math.floor((area.height - mark.length) / 2),
        { x: theme.text },
      );
    },
  });
}

function rowOf(
  role: string,
  name: string,
  cells: readonly string[],
  columns: Columns,
  indent: number,
  options: RowOptions,
): Widget {
  const { key = name, chosen = false, bold = false, icon, value = '', press, double = press } = options;
  const states: ElementState[] = chosen ? ['selected'] : [];
  return {
    key,
    opaque: true,
    paintKey: `${role} ${chosen} ${bold} ${icon} ${cells.join('\t')}`,
    describe: { role, name, value, states },
    on: reactionsOf(press, double, options),
    measure: width => ({ width, height: ROW_HEIGHT }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, chosen ? theme.selection : theme.field);
      if (focused) surface.frame(area, theme.accent);
      const colour = chosen ? theme.selectionText : theme.text;
      const top = area.y + Math.floor((area.height - CAP_HEIGHT) / 2);
      let left = area.x + 3 + indent;
      if (icon !== undefined) {
        drawIcon(surface, icon, left, area.y + Math.floor((area.height - ICON_SIZE) / 2));
        left += ICON_SIZE + 3;
      }
      const whole = columns.reduce((sum, share) => sum + share, 0);
      const room = area.x + area.width - left - 2;
      for (const [index, cell] of cells.entries()) {
        const wide = Math.floor((room * (columns[index] ?? 0)) / whole);
        surface.text(fitText(cell, wide - 3, bold), left, top, colour, bold);
        left += wide;
      }
    },
  };
}

function reactionsOf(
  press: () => void,
  double: () => void,
  { menu, payload, drop }: RowOptions,
): EventHandlers {
  return {
    press,
    double,
    menu:
      menu &&
      (() => {
        press();
        return menu();
      }),
    payload,
    drop,
    stroke: stroke => {
      if (stroke !== 'enter') return false;
      double();
      return true;
    },
  };
}

/** The column by which a table is sorted: an arrow in its head shows which way. */
export interface Sorted {
  readonly column: number;
  readonly descending: boolean;
}

/** The titles over a table's columns. */
export function tableHead(
  titles: readonly string[],
  columns: Columns,
  sort?: (index: number) => void,
  sorted?: Sorted,
): Widget {
  const whole = columns.reduce((sum, share) => sum + share, 0);
  return {
    paintKey: `head ${titles.join('\t')}`,
    measure: width => ({ width, height: ROW_HEIGHT }),
    children: area => {
      let x = area.x;
      return titles.map((title, index) => {
        const width = Math.floor((area.width * (columns[index] ?? 0)) / whole);
        const child = {
          widget: headCell(title, sort && (() => sort(index)), sorted?.column === index ? sorted : undefined),
          box: box(x, area.y, width, area.height),
        };
        x += width;
        return child;
      });
    },
  };
}

const ASCENDING = ['  x  ', ' xxx ', 'xxxxx'];
const DESCENDING = ['xxxxx', ' xxx ', '  x  '];

const headCell = (title: string, sort: (() => void) | undefined, sorted: Sorted | undefined): Widget => ({
  opaque: true,
  paintKey: `cell ${title} ${sorted?.descending}`,
  describe: {
    role: 'columnheader',
    name: title,
    value: sorted && (sorted.descending ? 'descending' : 'ascending'),
  },
  on: sort && { press: sort },
  measure: () => ({ width: textWidth(title) + 6, height: ROW_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, theme.button);
    surface.fill(box(area.x, area.y + area.height - 1, area.width, 1), theme.buttonEdge);
    const room = area.width - (sorted ? 12 : 5);
    surface.text(fitText(title, room, true), area.x + 3, area.y + 3, theme.text, true);
    if (sorted === undefined) return;
    const arrow = sorted.descending ? DESCENDING : ASCENDING;
    surface.bitmap(arrow, area.x + area.width - 8, area.y + 5, { x: theme.text });
  },
});

/** Rows under each other without gaps. */
export const rows = (all: readonly Widget[]): Widget => column(all, { gap: 0 });
