// Small workbooks for the tests of spreadsheets.

import { workbookBytes } from '../../../../runtime/bench/osworld/cases/spreadsheets-file.ts';
import {
  type BookModel,
  bookModel,
  type CellValue,
  cell,
  type SheetModel,
  sheetModel,
} from '../../../../runtime/bench/osworld/cases/spreadsheets-model.ts';
import type { TaskFile } from '../../../../runtime/tasks/metrics/metric.ts';

export const sheet = (rows: readonly (readonly (CellValue | null)[])[], name = 'Sheet1'): SheetModel =>
  sheetModel(
    name,
    rows.map(row => row.map(value => (value === null ? null : cell(value)))),
  );

export const file = (
  sheets: SheetModel | SheetModel[],
  name = 'book.xlsx',
  options: Partial<BookModel> = {},
): TaskFile => ({
  name,
  bytes: workbookBytes({ ...bookModel(Array.isArray(sheets) ? sheets : [sheets]), ...options }),
});
