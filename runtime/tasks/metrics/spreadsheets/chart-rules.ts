// The rules of compare_table about charts and pivot tables.

import type { Chart } from '../../formats/spreadsheet/charts.ts';
import { parseCell } from '../../formats/spreadsheet/coordinates.ts';
import type { PivotTable } from '../../formats/spreadsheet/pivots.ts';
import { strings } from '../metric.ts';
import { sameValue } from '../same-value.ts';
import { type Book, sheetIfAny, sheetName, unreadable } from './table-books.ts';
import type { TableRule } from './table-rule.ts';

const CHART_PROPERTIES: Readonly<Record<string, (chart: Chart, book: Book) => unknown>> = {
  title: chart => chart.title,
  legend: chart => chart.legend,
  // OSWorld compares the last row twice and never the first one.
  anchor: ({ anchor }, book) =>
    anchor ?? unreadable(book.side, 'A chart lies at one cell. Place it between two.'),
  type: chart => chart.type,
  direction: ({ direction }, book) =>
    direction ?? unreadable(book.side, 'A chart has no bars. Use a bar chart.'),
  xtitle: chart => chart.xTitle,
  ytitle: chart => chart.yTitle,
  ztitle: chart => chart.zTitle,
};

/** Charts are identified by the ranges of their series. Width and height are the same for every chart. */
export const sameCharts: TableRule = (
  { sheet_idx0: first, sheet_idx1: second, chart_props: props },
  books,
) => {
  const names = Object.keys(CHART_PROPERTIES).filter(name => strings(props).includes(name));
  const [a, b] = [first, second].map(index => {
    const place = sheetName(index, books);
    const charts = sheetIfAny(place)?.charts ?? [];
    return Object.fromEntries(
      charts.map(chart => [
        `series ${chart.series}`,
        names.map(name => CHART_PROPERTIES[name]?.(chart, place.book)),
      ]),
    );
  });
  return sameValue(a, b);
};

/** Pivot tables are identified by the cells of their source. */
export const samePivots: TableRule = (
  { sheet_idx0: first, sheet_idx1: second, pivot_props: props },
  books,
) => {
  const [a, b] = [first, second].map(index => {
    const { book, name } = sheetName(index, books);
    const pivots = sheetIfAny({ book, name })?.pivots ?? [];
    return Object.fromEntries(pivots.map(pivot => describe(pivot, new Set(strings(props)), book)));
  });
  return sameValue(a, b);
};

function describe(pivot: PivotTable, props: ReadonlySet<string>, book: Book): [string, unknown] {
  const { first, count } = usedFields(pivot);
  const used = pivot.fields.slice(first, first + count);
  const isOrdered = props.has('ordered');
  const fields = {
    name: () => pivot.name,
    show_total: () => pivot.visualTotals,
    show_empty_row: () => pivot.showEmptyRow,
    show_empty_col: () => pivot.showEmptyColumn,
    show_headers: () => pivot.showHeaders,
    location: () => pivot.location,
    selection: () =>
      used.map(items => {
        const texts = items.map(({ hidden, index }) => `${hidden} ${index}`);
        return isOrdered ? texts : unordered(texts);
      }),
    filter_fields: () => unordered(pivot.pageFields.map(String)),
    col_fields: () => pivot.columnFields.map(field => field - first),
    row_fields: () => pivot.rowFields.map(field => field - first),
    data_fields: () =>
      pivot.dataFields.map(({ field, name, subtotal, showAs }) => [
        field - first,
        props.has('data_fields_name') ? name : '',
        subtotal,
        showAs,
      ]),
  };
  const isRequested = (name: string): boolean =>
    props.has(name) || (props.has('filter') && (name === 'selection' || name === 'filter_fields'));
  // OSWorld compares the fields of the filter only together with the selection.
  const requested = Object.entries(fields).filter(
    ([name]) => isRequested(name) && (name !== 'filter_fields' || props.has('filter')),
  );
  return [sourceName(pivot, first, count, book), requested.map(([name, read]) => [name, read()])];
}

const unordered = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

/** The fields without items at both ends are outside of the table's data. */
function usedFields({ fields }: PivotTable): { first: number; count: number } {
  const first = fields.findIndex(items => items.length > 0);
  if (first < 0) return { first: fields.length, count: 0 };
  return { first, count: fields.findLastIndex(items => items.length > 0) + 1 - first };
}

function sourceName({ source, fields }: PivotTable, first: number, count: number, book: Book): string {
  const corners = (source.ref ?? '')
    .split(':')
    .map(each => (each.includes('$') ? undefined : parseCell(each)));
  const [start, end] = corners;
  if (start === undefined || end === undefined || corners.length !== 2)
    return unreadable(book.side, `A pivot table has the source "${source.ref}". Use a range of a sheet.`);
  const rest = fields.length - first - count;
  return JSON.stringify([
    source.type,
    [start.row, start.column + first],
    [end.row, end.column - rest],
    source.sheet,
  ]);
}
