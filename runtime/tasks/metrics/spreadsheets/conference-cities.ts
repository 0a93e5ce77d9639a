// Tests a list of cities in cells C2 to C22 of a spreadsheet, in their order.

import { readWorkbook, type Workbook, WorkbookError } from '../../formats/spreadsheet/workbook.ts';
import { isFile, type Metric, MetricError, pass, rulesOf } from '../metric.ts';

const FIRST_ROW = 2;
const LAST_ROW = 22;

/** Each cell contains its expected text, or one of several. */
export const compareConferenceCityInOrder: Metric = (result, expected) => {
  const cities = rulesOf(expected)['expected'];
  if (!Array.isArray(cities))
    throw new MetricError(
      `The expected cities are ${JSON.stringify(cities) ?? 'missing'}. Use a list of texts.`,
    );
  const workbook = isFile(result) ? workbookIfAny(result.name, result.bytes) : undefined;
  if (workbook?.active === undefined) return 0;
  const { cells } = workbook.active;
  const contains = (row: number): boolean => {
    const found = cells.get(`C${row}`)?.stored.value;
    const wanted: unknown = cities[row - FIRST_ROW];
    const choices: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    return (
      typeof found === 'string' && choices.some(city => typeof city === 'string' && found.includes(city))
    );
  };
  const rows = Array.from({ length: LAST_ROW + 1 - FIRST_ROW }, (_, index) => index + FIRST_ROW);
  return pass(rows.every(contains));
};

function workbookIfAny(name: string, bytes: Uint8Array): Workbook | undefined {
  try {
    return /\.xl[st][xm]$/i.test(name) ? readWorkbook(bytes) : undefined;
  } catch (error) {
    if (error instanceof WorkbookError) return undefined;
    throw error;
  }
}
