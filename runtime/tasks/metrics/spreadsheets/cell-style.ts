// Properties of the style of a cell by OSWorld's names.

import type { CellFont, CellFormat, DifferentialFormat, Styles } from '../../formats/spreadsheet/styles.ts';
import type { Worksheet } from '../../formats/spreadsheet/worksheet.ts';
import { MetricError } from '../metric.ts';

const FONT_PROPERTIES: Readonly<Record<string, (font: CellFont) => unknown>> = {
  font_name: font => font.name,
  font_family: font => font.family,
  font_color: font => font.color ?? undefined,
  font_bold: font => font.bold,
  font_italic: font => font.italic,
  font_underline: font => font.underline,
  font_size: font => font.size,
};

/** One property of a cell; undefined where OSWorld fails, such as for the color of a font without one. */
export function styleOf(
  property: string,
  sheet: Worksheet,
  styles: Styles,
  cell: string,
  /** The conditional format that applies to the cell. */
  conditional?: DifferentialFormat,
): unknown {
  const { stored, format } = cellView(sheet, styles, cell);
  const isEmpty = stored === undefined || stored.value === null;
  const source = conditional ?? format;
  const fontProperty = FONT_PROPERTIES[property];
  if (fontProperty !== undefined) {
    if (isEmpty) return null;
    return source.font && fontProperty(source.font);
  }
  switch (property) {
    case 'number_format':
      return isEmpty || stored.type !== 'n' ? null : source.numberFormat;
    case 'fill_type':
      return source.fill?.kind ?? null;
    case 'bgcolor':
    case 'fgcolor':
      return (conditional ? conditional.fill?.background : format.fill?.foreground) ?? null;
    case 'hyperlink':
      return isEmpty ? null : (sheet.links.get(cell) ?? '');
    case 'merge':
      return sheet.merged.has(cell);
    default:
      throw new MetricError(
        `${JSON.stringify(property)} is not a style. Use a name such as bgcolor or font_bold.`,
      );
  }
}

function cellView(
  sheet: Worksheet,
  styles: Styles,
  name: string,
): { stored: { type: string; value: unknown } | undefined; format: CellFormat } {
  const cell = sheet.cells.get(name);
  return { stored: cell?.stored, format: (cell && styles.cells[cell.styleId]) ?? styles.merged };
}
