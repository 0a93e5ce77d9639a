// Selectable rows of lists, tables and trees. The application owns the selection.

import type { ElementState } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import { fitText, textWidth } from '../font.ts';
import { column } from './boxes.ts';
import { label, textTop } from './controls.ts';
import { ARROW_DOWN, ARROW_UP, drawIcon, ICON_SIZE, type Icon } from './icons.ts';
import {
  type DragPayload,
  type EventHandlers,
  extendWidget,
  type MenuItem,
  onKeys,
  type Widget,
} from './widget.ts';

export const ROW_HEIGHT = 13;

export interface RowOptions {
  readonly key?: string;
  readonly chosen?: boolean;
  readonly bold?: boolean;
  readonly icon?: Icon;
  /** Name and value of the element, where they differ from the visible text. */
  readonly name?: string;
  readonly value?: string;
  readonly press: () => void;
  readonly double?: () => void;
  /** Computed when the menu opens. */
  readonly menu?: () => readonly MenuItem[];
  readonly payload?: DragPayload | undefined;
  readonly drop?: ((payload: DragPayload) => void) | undefined;
}

/** A table's columns as shares of its width. */
export type Columns = readonly number[];

export const listRow = (name: string, options: RowOptions): Widget =>
  selectableRow('listitem', name, [name], [1], 0, options);

export const tableRow = (cells: readonly string[], columns: Columns, options: RowOptions): Widget =>
  selectableRow('row', options.name ?? cells.join(', '), cells, columns, 0, options);

export interface TreeNode {
  readonly depth: number;
  /** Undefined for a leaf. */
  readonly open?: boolean;
  readonly toggle?: () => void;
}

const INDENT = 9;
const CLOSED = ['x   ', 'xx  ', 'xxx ', 'xx  ', 'x   '];

export function treeRow(name: string, { depth, open, toggle }: TreeNode, options: RowOptions): Widget {
  const indent = depth * INDENT + 9;
  const plain = selectableRow('treeitem', name, [name], [1], indent, options);
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
    paint: context => {
      plain.paint?.(context);
      if (open === undefined) return;
      const { surface, box: area, theme } = context;
      const mark = open ? ARROW_DOWN : CLOSED;
      const top = area.y + Math.floor((area.height - mark.length) / 2);
      surface.bitmap(mark, area.x + depth * INDENT + 3, top, { x: theme.text });
    },
  });
}

/** Up and down select the previous or next row and move the focus to it. */
export function withArrowKeys<T>(
  row: Widget,
  all: readonly T[],
  index: number,
  keyOf: (item: T) => string,
  select: (item: T) => void,
): Widget {
  return extendWidget(row, {
    on: {
      ...row.on,
      stroke: (stroke, ui, area) => {
        if (stroke !== 'up' && stroke !== 'down') return row.on?.stroke?.(stroke, ui, area) ?? false;
        const next = all[index + (stroke === 'up' ? -1 : 1)];
        if (next !== undefined) {
          select(next);
          ui.focus(keyOf(next));
        }
        return true;
      },
    },
  });
}

function selectableRow(
  role: string,
  name: string,
  cells: readonly string[],
  columns: Columns,
  indent: number,
  options: RowOptions,
): Widget {
  const { key = name, chosen = false, bold = false, icon, value = '' } = options;
  const states: ElementState[] = chosen ? ['selected'] : [];
  return {
    key,
    opaque: true,
    paintKey: `${role} ${chosen} ${bold} ${icon} ${cells.join('\t')}`,
    describe: { role, name, value, states },
    on: rowHandlers(options),
    measure: width => ({ width, height: ROW_HEIGHT }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, chosen ? theme.selection : theme.field);
      if (focused) surface.frame(area, theme.accent);
      const colour = chosen ? theme.selectionText : theme.text;
      const top = textTop(area.y, area.height);
      let left = area.x + 3 + indent;
      if (icon !== undefined) {
        drawIcon(surface, icon, left, area.y + Math.floor((area.height - ICON_SIZE) / 2));
        left += ICON_SIZE + 3;
      }
      for (const { text: cell, width } of inColumns(cells, columns, area.x + area.width - left - 2)) {
        surface.text(fitText(cell, width - 3, bold), left, top, colour, bold);
        left += width;
      }
    },
  };
}

/** The texts of a row with the widths of their columns. */
function inColumns(texts: readonly string[], columns: Columns, width: number) {
  const total = columns.reduce((sum, share) => sum + share, 0);
  return texts.map((text, index) => {
    const share = columns[index];
    if (share === undefined) throw new RangeError(`Column ${index} of a table has no width.`);
    return { text, width: Math.floor((width * share) / total) };
  });
}

const rowHandlers = ({ press, double = press, menu, payload, drop }: RowOptions): EventHandlers => ({
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
  stroke: onKeys(['enter'], () => double()),
});

/** The column by which a table is sorted. */
export interface SortOrder {
  readonly column: number;
  readonly descending: boolean;
}

/** The header of a table. */
export const tableHead = (
  titles: readonly string[],
  columns: Columns,
  sort?: (index: number) => void,
  order?: SortOrder,
): Widget => ({
  paintKey: `head ${titles.join('\t')}`,
  measure: width => ({ width, height: ROW_HEIGHT }),
  children: area => {
    let x = area.x;
    return inColumns(titles, columns, area.width).map(({ text: title, width }, index) => {
      const cell = headCell(title, sort && (() => sort(index)), order?.column === index ? order : undefined);
      const child = { widget: cell, box: box(x, area.y, width, area.height) };
      x += child.box.width;
      return child;
    });
  },
});

const headCell = (title: string, sort: (() => void) | undefined, order: SortOrder | undefined): Widget => ({
  opaque: true,
  paintKey: `cell ${title} ${order?.descending}`,
  describe: {
    role: 'columnheader',
    name: title,
    value: order && (order.descending ? 'descending' : 'ascending'),
  },
  on: sort && { press: sort },
  measure: () => ({ width: textWidth(title) + 6, height: ROW_HEIGHT }),
  paint: ({ surface, box: area, theme }) => {
    surface.fill(area, theme.button);
    surface.fill(box(area.x, area.y + area.height - 1, area.width, 1), theme.buttonEdge);
    const width = area.width - (order ? 12 : 5);
    surface.text(fitText(title, width, true), area.x + 3, area.y + 3, theme.text, true);
    if (order === undefined) return;
    const arrow = order.descending ? ARROW_DOWN : ARROW_UP;
    surface.bitmap(arrow, area.x + area.width - 8, area.y + 5, { x: theme.text });
  },
});

/** Rows without gaps; `empty` takes their place where there are none. */
export const rows = (all: readonly Widget[], empty?: Widget): Widget =>
  all.length === 0 && empty !== undefined ? empty : column(all, { gap: 0 });

/** A short text in the place of an empty list. */
export const emptyNote = (text: string, margin: number): Widget =>
  column([label(text, { faint: true })], { margin });
