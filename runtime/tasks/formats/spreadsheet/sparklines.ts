// The small charts inside of cells, an extension of sheets.

import type { OfficePackage } from '../office-package.ts';
import { child, descendants } from '../xml.ts';
import { WorkbookError } from './attributes.ts';
import { rawSheetPath } from './raw-values.ts';

/** The range of the data by the cell that shows it. */
export function readSparklines(office: OfficePackage, sheet: string): ReadonlyMap<string, string> {
  const path = rawSheetPath(office, sheet);
  const document = path === undefined ? undefined : office.xml(path);
  if (document === undefined)
    throw new WorkbookError(`The sheet ${JSON.stringify(sheet)} is missing. Add it.`);
  return new Map(
    descendants(document, 'sparkline').map(sparkline => {
      const [cell, data] = [child(sparkline, 'sqref'), child(sparkline, 'f')];
      if (cell === undefined || data === undefined)
        throw new WorkbookError(`A sparkline of ${JSON.stringify(sheet)} has no data. Draw it again.`);
      return [(cell.textContent ?? '').trim(), (data.textContent ?? '').trim()];
    }),
  );
}
