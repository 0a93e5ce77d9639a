// A table without the columns whose values are all equal: a sentence above it lists them once. Pure.

import { el, type Markup, type MarkupColumn, type MarkupRow, table } from './markup.ts';

export interface NamedColumn extends MarkupColumn {
  readonly title: string;
}

/** Stands for a value that is unknown. */
export const UNKNOWN = '–';

/** The first column always stays. A single row keeps its columns, but for those without a value. */
export function distinctTable(
  caption: string,
  columns: readonly NamedColumn[],
  rows: readonly MarkupRow[],
): readonly Markup[] {
  const textOf = (row: MarkupRow, index: number): string => el('i', {}, row.cells[index]).html;
  const unknown = el('i', {}, UNKNOWN).html;
  const valuesOf = (index: number) => new Set(rows.map(row => textOf(row, index)));
  const isEqual = (index: number): boolean => index > 0 && valuesOf(index).size === 1;
  const isUnknown = (index: number): boolean => isEqual(index) && valuesOf(index).has(unknown);
  const isShared = (index: number): boolean => rows.length > 1 && isEqual(index) && !isUnknown(index);
  const kept = columns.flatMap((_, index) => (isUnknown(index) || isShared(index) ? [] : [index]));
  const shared = columns.flatMap(({ title }, index) =>
    isShared(index) ? [el('span', { class: 'shared' }, `${title}: `, rows[0]?.cells[index])] : [],
  );
  const of = <T>(all: readonly T[]): readonly T[] => kept.flatMap(index => all.slice(index, index + 1));
  return [
    ...(shared.length === 0 ? [] : [el('p', { class: 'faint' }, 'Equal in all rows: ', joined(shared), '.')]),
    ...(kept.length < 2
      ? []
      : [
          table(
            caption,
            of(columns),
            rows.map(row => ({ ...row, cells: of(row.cells) })),
          ),
        ]),
  ];
}

const joined = (parts: readonly Markup[]): readonly (Markup | string)[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]));
