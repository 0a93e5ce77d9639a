// Rows as a table that fits the width. Pure.

import { cut, faint, plain, type StyledLine, widthOf } from './line.ts';

export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => StyledLine;
  /** Numbers are aligned at the right. */
  readonly isNumber?: boolean;
  /** Narrow tables drop the columns with the highest number first, and never those without one. */
  readonly dropOrder?: number;
}

const GAP = 2;

export function table<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  width: number,
): readonly StyledLine[] {
  const all = columns.map(column => {
    const cells = [[faint(column.title)], ...rows.map(column.cell)];
    return { ...column, cells, wide: Math.max(...cells.map(widthOf)) };
  });
  let shown = all;
  while (shown.reduce((sum, { wide }) => sum + GAP + wide, -GAP) > width) {
    const first = Math.max(...shown.map(({ dropOrder = 0 }) => dropOrder));
    if (first === 0) break;
    shown = shown.filter(({ dropOrder = 0 }) => dropOrder !== first);
  }
  return Array.from({ length: rows.length + 1 }, (_, index) => {
    const line = shown.flatMap(({ cells, wide, isNumber }, column): StyledLine => {
      const cell = cells[index] ?? [];
      const space = plain(' '.repeat(wide - widthOf(cell)));
      return [
        plain(column === 0 ? '' : ' '.repeat(GAP)),
        ...(isNumber ? [space, ...cell] : [...cell, space]),
      ];
    });
    return cut(line, width);
  });
}
