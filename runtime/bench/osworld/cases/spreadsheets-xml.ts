// Writes the parts of model workbooks: sheets and styles.

import { columnName } from '../../../tasks/formats/spreadsheet/coordinates.ts';
import {
  type BookModel,
  type CellModel,
  type SheetModel,
  STYLES,
  type StyleModel,
} from './spreadsheets-model.ts';

export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const keepsBlanks = (text: string): string => (text.trim() === text ? '' : ' xml:space="preserve"');

/** Collects the texts of a workbook. */
export type Share = (text: string) => number;

export function sheetXml(sheet: SheetModel, book: BookModel, share: Share, isActive: boolean): string {
  const { writer } = book;
  const view =
    `<sheetViews><sheetView ${isActive ? 'tabSelected="1" ' : ''}workbookViewId="0"` +
    `${sheet.zoom === null ? '' : ` zoomScale="${sheet.zoom}"`}>${pane(sheet)}</sheetView></sheetViews>`;
  const columns =
    sheet.columnProperties.length === 0
      ? ''
      : `<cols>${sheet.columnProperties.map(each => `<col ${each}/>`).join('')}</cols>`;
  const merged = sheet.merged.map(range => `<mergeCell ref="${range}"/>`).join('');
  const links = sheet.links.map(({ cell, address, isInside }, index) =>
    isInside
      ? `<hyperlink ref="${cell}" location="${escaped(address)}" display="${escaped(address)}"/>`
      : `<hyperlink ref="${cell}" r:id="link${index + 1}"/>`,
  );
  const sparklines = sheet.sparklines
    .map(
      ([cell, range]) => `<x14:sparkline><xm:f>${range}</xm:f><xm:sqref>${cell}</xm:sqref></x14:sparkline>`,
    )
    .join('');
  return (
    `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}" ` +
    'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" ' +
    'xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" ' +
    'xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main">' +
    `<dimension ref="A1"/>${view}${columns}<sheetData>${rows(sheet, writer, share)}</sheetData>` +
    (sheet.filter ?? '') +
    (merged && `<mergeCells count="${sheet.merged.length}">${merged}</mergeCells>`) +
    sheet.conditional.join('') +
    (sheet.validations.length > 0
      ? `<dataValidations count="${sheet.validations.length}">${sheet.validations.join('')}</dataValidations>`
      : '') +
    (links.length > 0 ? `<hyperlinks>${links.join('')}</hyperlinks>` : '') +
    '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>' +
    (sheet.charts.length > 0 ? '<drawing r:id="drawing1"/>' : '') +
    (sparklines &&
      '<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"><x14:sparklineGroups><x14:sparklineGroup>' +
        `<x14:sparklines>${sparklines}</x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>`) +
    '</worksheet>'
  );
}

const pane = ({ frozen }: SheetModel): string =>
  frozen === null
    ? '<selection activeCell="A1" sqref="A1"/>'
    : `<pane xSplit="1" ySplit="1" topLeftCell="${frozen}" activePane="bottomRight" state="frozen"/>`;

function rows(sheet: SheetModel, writer: BookModel['writer'], share: Share): string {
  const count = Math.max(sheet.rows.length, ...Object.keys(sheet.rowProperties).map(Number));
  return Array.from({ length: count }, (_, index) => index + 1)
    .map(number => {
      const cells = (sheet.rows[number - 1] ?? []).map((cell, column) =>
        cell === null ? '' : cellXml(cell, `${columnName(column + 1)}${number}`, writer, share),
      );
      const properties = sheet.rowProperties[number] ?? HABITS[writer];
      // LibreOffice and Excel leave out empty rows.
      if (cells.join('') === '' && sheet.rowProperties[number] === undefined && writer !== 'openpyxl')
        return '';
      return `<row r="${number}"${properties && ` ${properties}`}>${cells.join('')}</row>`;
    })
    .join('');
}

const HABITS: Readonly<Record<BookModel['writer'], string>> = {
  calc: 'customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false"',
  excel: 'spans="1:4" x14ac:dyDescent="0.3"',
  openpyxl: '',
};

function cellXml(
  { value, style }: CellModel,
  name: string,
  writer: BookModel['writer'],
  share: Share,
): string {
  const start = `<c r="${name}"${style === 0 && writer !== 'calc' ? '' : ` s="${style}"`}`;
  const number = writer === 'excel' ? '' : ' t="n"';
  if (value === null) return `${start}/>`;
  if (typeof value === 'number') return `${start}${number}><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `${start} t="b"><v>${Number(value)}</v></c>`;
  if (typeof value === 'string')
    return writer === 'openpyxl'
      ? `${start} t="inlineStr"><is><t${keepsBlanks(value)}>${escaped(value)}</t></is></c>`
      : `${start} t="s"><v>${share(value)}</v></c>`;
  if ('error' in value) return `${start} t="e"><v>${value.error}</v></c>`;
  const { formula, result } = value;
  const f = `<f${writer === 'calc' ? ' aca="false"' : ''}>${escaped(formula)}</f>`;
  if (result === null || writer === 'openpyxl') return `${start}>${f}<v></v></c>`;
  const type = typeof result === 'string' ? ' t="str"' : number;
  return `${start}${type}>${f}<v>${escaped(String(result))}</v></c>`;
}

export const sharedStringsXml = (texts: readonly string[], writer: BookModel['writer']): string =>
  `${HEAD}<sst xmlns="${MAIN}" count="${texts.length}" uniqueCount="${texts.length}">${texts
    .map((text, index) => `<si>${shared(text, writer === 'excel' && index % 7 === 3)}</si>`)
    .join('')}</sst>`;

/** Excel splits a text with several formats into runs. */
function shared(text: string, hasRuns: boolean): string {
  const t = (part: string, always: boolean): string =>
    `<t${always ? ' xml:space="preserve"' : keepsBlanks(part)}>${escaped(part)}</t>`;
  if (!hasRuns || text.length < 2) return t(text, false);
  return `<r>${t(text.slice(0, 1), true)}</r><r><rPr><b/><sz val="11"/></rPr>${t(text.slice(1), true)}</r>`;
}

const FIRST_FORMAT = 164;

/** The styles of `STYLES` and the formats of conditional formats. `calc` counts its fonts in another order. */
export function stylesXml(differential: readonly string[], writer: BookModel['writer']): string {
  const formats = STYLES.map(({ format }, index) =>
    format === undefined
      ? ''
      : `<numFmt numFmtId="${FIRST_FORMAT + index}" formatCode="${escaped(format)}"/>`,
  );
  const xfs = STYLES.map(
    ({ format }, index) =>
      `<xf numFmtId="${format === undefined ? 0 : FIRST_FORMAT + index}" fontId="${index}" fillId="${index === 0 ? 0 : index + 1}" borderId="0" xfId="0"/>`,
  );
  const fills = STYLES.slice(1).map(({ fill }) => fillXml(fill, writer));
  return (
    `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.filter(Boolean).length}">${formats.join('')}</numFmts>` +
    `<fonts count="${STYLES.length}">${STYLES.map(({ font }) => fontXml(font ?? {}, writer)).join('')}</fonts>` +
    `<fills count="${STYLES.length + 1}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fills.join('')}</fills>` +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
    `<dxfs count="${differential.length}">${differential.join('')}</dxfs></styleSheet>`
  );
}

function fontXml(font: NonNullable<StyleModel['font']>, writer: BookModel['writer']): string {
  const flag = (name: string, isOn: boolean | undefined): string =>
    isOn
      ? writer === 'excel'
        ? `<${name}/>`
        : `<${name} val="true"/>`
      : writer === 'calc'
        ? `<${name} val="false"/>`
        : '';
  const underline =
    font.underline === undefined
      ? ''
      : font.underline === 'single' && writer === 'excel'
        ? '<u/>'
        : `<u val="${font.underline}"/>`;
  const color = font.color === 'theme' || font.color === undefined ? 'theme="1"' : `rgb="${font.color}"`;
  return (
    `<font>${flag('b', font.bold)}${flag('i', font.italic)}${underline}<sz val="${font.size ?? 11}"/>` +
    `<color ${color}/><name val="${font.name ?? 'Calibri'}"/><family val="2"/></font>`
  );
}

function fillXml(fill: string | undefined, writer: BookModel['writer']): string {
  if (fill === undefined) return '<fill><patternFill patternType="none"/></fill>';
  if (fill === 'gradient')
    return '<fill><gradientFill degree="90"><stop position="0"><color rgb="FF92D050"/></stop><stop position="1"><color rgb="FF0070C0"/></stop></gradientFill></fill>';
  const color = fill === 'theme' ? 'theme="4" tint="0.5999"' : `rgb="${fill}"`;
  const background = writer === 'calc' ? '<bgColor rgb="FFCCFFFF"/>' : '<bgColor indexed="64"/>';
  return `<fill><patternFill patternType="solid"><fgColor ${color}/>${background}</patternFill></fill>`;
}
