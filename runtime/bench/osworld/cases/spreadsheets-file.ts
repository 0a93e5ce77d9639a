// Writes a model workbook as an xlsx file.

import type { BookModel } from './spreadsheets-model.ts';
import { cacheXml, chartXml, drawingXml, pivotXml } from './spreadsheets-objects-xml.ts';
import { escaped, HEAD, MAIN, RELATIONS, sharedStringsXml, sheetXml, stylesXml } from './spreadsheets-xml.ts';
import { zipOf } from './zip.ts';

/** The formats of conditional formats, by their index. */
export const DIFFERENTIAL: readonly string[] = [
  '<dxf><font><b val="1"/><color rgb="FF9C0006"/></font><fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill></dxf>',
  '<dxf><font><i val="1"/><color rgb="FF006100"/></font><fill><patternFill patternType="solid"><fgColor rgb="FF00FF00"/><bgColor rgb="FFC6EFCE"/></patternFill></fill></dxf>',
];

type Relation = readonly [id: string, type: string, target: string, isExternal?: boolean];

/** The parts by path, before they are packed. */
export function workbookParts(book: BookModel): Record<string, string> {
  const parts: Record<string, string> = {};
  const types: [path: string, type: string][] = [];
  const add = (path: string, type: string, text: string): void => {
    parts[path] = text;
    types.push([path, type]);
  };
  const relate = (folder: string, name: string, relations: readonly Relation[]): void => {
    if (relations.length > 0) parts[`${folder}_rels/${name}.rels`] = relationsXml(relations);
  };
  const texts: string[] = [];
  const share = (text: string): number => {
    const known = texts.indexOf(text);
    return known < 0 ? texts.push(text) - 1 : known;
  };
  const main: Relation[] = [['styles', 'styles', 'styles.xml']];
  let caches = '';
  let [chartCount, pivotCount] = [0, 0];
  for (const [index, sheet] of book.sheets.entries()) {
    const file = `sheet${index + 1}.xml`;
    const absolute = book.writer === 'openpyxl' ? '/xl/' : '';
    main.push([`sheet${index + 1}`, 'worksheet', `${absolute}worksheets/${file}`]);
    add(`xl/worksheets/${file}`, SHEET, sheetXml(sheet, book, share, index === book.activeSheet));
    const relations: Relation[] = sheet.links.flatMap(({ address, isInside }, link) =>
      isInside ? [] : [[`link${link + 1}`, 'hyperlink', address, true] as const],
    );
    if (sheet.charts.length > 0) {
      relations.push(['drawing1', 'drawing', `../drawings/drawing${index + 1}.xml`]);
      add(`xl/drawings/drawing${index + 1}.xml`, DRAWING, drawingXml(sheet.charts));
      const charts = sheet.charts.map((chart, place) => {
        chartCount += 1;
        add(`xl/charts/chart${chartCount}.xml`, CHART, chartXml(chart));
        return [`chart${place + 1}`, 'chart', `../charts/chart${chartCount}.xml`] as const;
      });
      relate('xl/drawings/', `drawing${index + 1}.xml`, charts);
    }
    for (const pivot of sheet.pivots) {
      pivotCount += 1;
      const cache = `pivotCacheDefinition${pivotCount}.xml`;
      relations.push([`pivot${pivotCount}`, 'pivotTable', `../pivotTables/pivotTable${pivotCount}.xml`]);
      add(`xl/pivotTables/pivotTable${pivotCount}.xml`, PIVOT, pivotXml(pivot, pivotCount + 10));
      add(`xl/pivotCache/${cache}`, CACHE, cacheXml(pivot, book.sheets[0]?.name ?? ''));
      main.push([`cache${pivotCount}`, 'pivotCacheDefinition', `pivotCache/${cache}`]);
      caches += `<pivotCache cacheId="${pivotCount + 10}" r:id="cache${pivotCount}"/>`;
    }
    relate('xl/worksheets/', file, relations);
  }
  if (texts.length > 0) {
    main.push(['strings', 'sharedStrings', 'sharedStrings.xml']);
    add('xl/sharedStrings.xml', STRINGS, sharedStringsXml(texts, book.writer));
  }
  add('xl/styles.xml', STYLES_TYPE, stylesXml(DIFFERENTIAL, book.writer));
  add('xl/workbook.xml', WORKBOOK, workbookXml(book, caches));
  relate('xl/', 'workbook.xml', main);
  relate('', '', [['book', 'officeDocument', 'xl/workbook.xml']]);
  parts['[Content_Types].xml'] = contentTypesXml(types);
  return parts;
}

export const workbookBytes = (book: BookModel): Uint8Array => zipOf(workbookParts(book));

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const SHEET = `${OFFICE}spreadsheetml.worksheet+xml`;
const STRINGS = `${OFFICE}spreadsheetml.sharedStrings+xml`;
const STYLES_TYPE = `${OFFICE}spreadsheetml.styles+xml`;
const WORKBOOK = `${OFFICE}spreadsheetml.sheet.main+xml`;
const DRAWING = `${OFFICE}drawing+xml`;
const CHART = `${OFFICE}drawingml.chart+xml`;
const PIVOT = `${OFFICE}spreadsheetml.pivotTable+xml`;
const CACHE = `${OFFICE}spreadsheetml.pivotCacheDefinition+xml`;

const relationsXml = (relations: readonly Relation[]): string =>
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations
    .map(
      ([id, type, target, isExternal]) =>
        `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${escaped(target)}"${isExternal ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`;

const contentTypesXml = (types: readonly (readonly [path: string, type: string])[]): string =>
  `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `${types.map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`).join('')}</Types>`;

const workbookXml = (book: BookModel, caches: string): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${book.from1904 ? ' date1904="true"' : ''}/>` +
  `<bookViews><workbookView activeTab="${book.activeSheet}"/></bookViews><sheets>` +
  book.sheets
    .map(
      ({ name }, index) =>
        `<sheet name="${escaped(name)}" sheetId="${book.firstId + index}" state="visible" r:id="sheet${index + 1}"/>`,
    )
    .join('') +
  `</sheets>${caches && `<pivotCaches>${caches}</pivotCaches>`}</workbook>`;
