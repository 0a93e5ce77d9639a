// The rules of compare_table about layout: styles, frozen cells, zoom, validations, sizes and filters.

import { cellName } from '../../formats/spreadsheet/coordinates.ts';
import type { ColumnProperties, RowProperties } from '../../formats/spreadsheet/dimensions.ts';
import type { Validation } from '../../formats/spreadsheet/validations.ts';
import { isRecord, MetricError, strings } from '../metric.ts';
import { sameValue } from '../same-value.ts';
import { matchesRule } from './cell-rule.ts';
import { styleOf } from './cell-style.ts';
import { activeFormats, requireSupported } from './conditional-formats.ts';
import { type SheetName, sheetIfAny, sheetName, sheetOrUnreadable, unreadable } from './table-books.ts';
import type { TableRule } from './table-rule.ts';

/** Compares what `read` returns for the two sheets of a rule. */
export const compareSheets =
  (read: (place: SheetName, properties: readonly string[]) => unknown): TableRule =>
  ({ sheet_idx0: first, sheet_idx1: second, props }, books) => {
    const [a, b] = [first, second].map(index => read(sheetName(index, books), strings(props)));
    return sameValue(a, b);
  };

/** Bounds the memory for a sheet whose last cell is far away. */
const MAX_STYLED_CELLS = 5_000_000;

/** A right result has the formulas of the expected file, so those that are not supported are an error of the task first. */
export const sameStyles: TableRule = (rule, books) => {
  for (const index of [rule['sheet_idx0'], rule['sheet_idx1']]) {
    const place = sheetName(index, books);
    const sheet = place.book.side === 'expected' ? sheetIfAny(place) : undefined;
    if (sheet !== undefined) requireSupported(place.book, sheet);
  }
  return sameCellStyles(rule, books);
};

/** The styles of all cells, with conditional formats. A sheet that is missing has none. */
const sameCellStyles = compareSheets((place, properties) => {
  const sheet = sheetIfAny(place);
  const { styles } = place.book.workbook;
  if (sheet?.last !== undefined && sheet.last.row * sheet.last.column > MAX_STYLED_CELLS)
    return unreadable(place.book.side, `${sheet.name} has too many cells. Delete the last empty ones.`);
  const byCell: Record<string, readonly unknown[]> = {};
  if (sheet?.last === undefined) return byCell;
  const read = (cell: string, format?: Parameters<typeof styleOf>[4]): void => {
    byCell[cell] = properties.map(property => {
      const value = styleOf(property, sheet, styles, cell, format);
      if (value !== undefined) return value;
      return unreadable(place.book.side, `${cell} has no ${property}. Set it.`);
    });
  };
  for (let column = 1; column <= sheet.last.column; column++)
    for (let row = 1; row <= sheet.last.row; row++) read(cellName({ row, column }));
  for (const { cell, format } of activeFormats(place.book, sheet)) read(cell, format);
  return byCell;
});

export const sameFreeze = compareSheets(place => sheetOrUnreadable(place).topLeftCell);

const DEFAULT_ZOOM = 100;

export const zoomMatches: TableRule = (rule, books) =>
  matchesRule(sheetOrUnreadable(sheetName(rule['sheet_idx'], books)).zoom || DEFAULT_ZOOM, rule);

type Properties<T> = Readonly<Record<string, (value: T) => unknown>>;

const VALIDATION_PROPERTIES: Properties<Validation> = {
  ranges: ({ ranges }) => ({ ranges }),
  sqref: ({ ranges }) => ({ ranges }),
  cells: ({ ranges }) => ({ ranges }),
  type: each => each.type,
  validation_type: each => each.type,
  formula1: each => each.formula1,
  formula2: each => each.formula2,
  operator: each => each.operator,
  allowBlank: each => each.allowBlank,
  allow_blank: each => each.allowBlank,
  showDropDown: each => each.showDropDown,
  hide_drop_down: each => each.showDropDown,
  showInputMessage: each => each.showInputMessage,
  showErrorMessage: each => each.showErrorMessage,
  error: each => each.error,
  errorTitle: each => each.errorTitle,
  errorStyle: each => each.errorStyle,
  prompt: each => each.prompt,
  promptTitle: each => each.promptTitle,
  imeMode: each => each.imeMode,
};

const ROW_PROPERTIES: Properties<RowProperties> = {
  index: each => each.index,
  r: each => each.index,
  hidden: each => each.hidden,
  collapsed: each => each.collapsed,
  height: each => each.height,
  ht: each => each.height,
  customHeight: each => each.height !== null,
  outlineLevel: each => each.outlineLevel,
  outline_level: each => each.outlineLevel,
  thickBot: each => each.thickBot,
  thickTop: each => each.thickTop,
};

const COLUMN_PROPERTIES: Properties<ColumnProperties> = {
  index: each => each.index,
  hidden: each => each.hidden,
  collapsed: each => each.collapsed,
  width: each => each.width,
  customWidth: each => each.width !== 0,
  auto_size: each => each.autoSize,
  bestFit: each => each.autoSize,
  outlineLevel: each => each.outlineLevel,
  outline_level: each => each.outlineLevel,
  min: each => each.min,
  max: each => each.max,
};

function property<T>(properties: Properties<T>, name: string, value: T): unknown {
  const read = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (read === undefined)
    throw new MetricError(
      `${JSON.stringify(name)} is not a property here. Use ${Object.keys(properties).join(', ')}.`,
    );
  return read(value);
}

/** There are enough validations, and each one matches one of the descriptions. */
export const validationsMatch: TableRule = ({ sheet_idx: index, dv_props: descriptions }, books) => {
  const { validations } = sheetOrUnreadable(sheetName(index, books));
  if (!Array.isArray(descriptions))
    throw new MetricError('data_validation has no dv_props. Add a list of rules.');
  const matches = (validation: Validation, description: unknown): boolean =>
    Object.entries(isRecord(description) ? description : {}).every(([name, rule]) =>
      matchesRule(property(VALIDATION_PROPERTIES, name, validation), rule),
    );
  return (
    validations.length >= descriptions.length &&
    validations.every(validation => descriptions.some(description => matches(validation, description)))
  );
};

const listProperties = <T>(
  properties: Properties<T>,
  names: readonly string[],
  items: ReadonlyMap<string, T> | undefined,
): unknown =>
  Object.fromEntries(
    [...(items ?? [])].map(([key, item]) => [key, names.map(name => property(properties, name, item))]),
  );

export const sameRows = compareSheets((place, names) =>
  listProperties(ROW_PROPERTIES, names, sheetIfAny(place)?.rowProperties),
);

export const sameColumns = compareSheets((place, names) =>
  listProperties(COLUMN_PROPERTIES, names, sheetIfAny(place)?.columnProperties),
);

/** A sheet that is missing differs from one without a filter. */
export const sameFilter = compareSheets(place => sheetIfAny(place)?.filter ?? null);
