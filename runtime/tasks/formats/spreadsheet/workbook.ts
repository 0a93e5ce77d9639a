// Reads a workbook (xlsx) as pandas and openpyxl see it.

import { OfficePackage } from '../office-package.ts';
import { attribute, child, children, type Element, rootOf, XmlError } from '../xml.ts';
import { ArchiveError } from '../zip.ts';
import { flag, numberAttribute, WorkbookError } from './attributes.ts';
import { type CellContext, readSharedStrings } from './cells.ts';
import { readCharts } from './charts.ts';
import { type PivotSource, readPivotSources, readPivots } from './pivots.ts';
import { readStyles, type Styles } from './styles.ts';
import { readSheet, type Worksheet } from './worksheet.ts';

export interface Workbook {
  /** Worksheets and chart sheets in their order. */
  readonly sheets: readonly Worksheet[];
  readonly active: Worksheet | undefined;
  readonly styles: Styles;
  readonly office: OfficePackage;
}

const MAIN_TYPE =
  /^application\/vnd\.(openxmlformats-officedocument\.spreadsheetml\.(sheet|template)|ms-excel\.(sheet|template)\.macroEnabled)\.main\+xml$/;

/** Throws a WorkbookError if the bytes are not a workbook, or a part of it is damaged. */
export function readWorkbook(bytes: Uint8Array): Workbook {
  try {
    return readParts(new OfficePackage(bytes));
  } catch (error) {
    if (error instanceof XmlError || error instanceof ArchiveError)
      throw new WorkbookError(`The file is not a workbook, or it is damaged. ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

function readParts(office: OfficePackage): Workbook {
  const { workbook: path, strings } = contentTypes(office);
  const workbook = office.xml(path);
  if (workbook === undefined) throw new WorkbookError(`${path} is missing. Save the file again.`);
  // The parts below are not needed, but a damaged one makes the whole file unreadable for openpyxl.
  for (const part of ['docProps/core.xml', 'docProps/custom.xml']) office.xml(part);
  const root = rootOf(workbook);
  const styles = readStyles(office.xml('xl/styles.xml'));
  const context: CellContext = {
    strings: readSharedStrings(strings === undefined ? undefined : office.xml(strings)),
    styles,
    from1904: flag(attribute(child(root, 'workbookPr'), 'date1904')) ?? false,
  };
  const sources = readPivotSources(office, path, workbook);
  const targets = new Map(office.relationships(path).map(each => [each.id, each]));
  const list = child(root, 'sheets');
  const sheets = (list === undefined ? [] : children(list, 'sheet')).flatMap(sheet => {
    const relationship = targets.get(attribute(sheet, 'id') ?? '');
    if (relationship === undefined) throw new WorkbookError('A sheet has no part. Save the file again.');
    return readSheetPart(office, sheet, relationship, context, sources);
  });
  const active = numberAttribute(child(root, 'bookViews', 'workbookView'), 'activeTab') ?? 0;
  return { sheets, active: sheets[active], styles, office };
}

/** The paths of the workbook and of its shared texts. */
function contentTypes(office: OfficePackage): { workbook: string; strings: string | undefined } {
  const document = office.xml('[Content_Types].xml');
  if (document === undefined) throw new WorkbookError('The archive is not a workbook. Save it as xlsx.');
  const overrides = children(rootOf(document), 'Override');
  const pathOf = (isType: (type: string) => boolean): string | undefined => {
    const found = overrides.find(each => isType(attribute(each, 'ContentType') ?? ''));
    return found && (attribute(found, 'PartName') ?? '').slice(1);
  };
  const isDefault = children(rootOf(document), 'Default').some(each =>
    MAIN_TYPE.test(attribute(each, 'ContentType') ?? ''),
  );
  const workbook = pathOf(type => MAIN_TYPE.test(type)) ?? (isDefault ? 'xl/workbook.xml' : undefined);
  if (workbook === undefined) throw new WorkbookError('The archive has no workbook. Save it as xlsx.');
  return { workbook, strings: pathOf(type => type.endsWith('spreadsheetml.sharedStrings+xml')) };
}

function readSheetPart(
  office: OfficePackage,
  sheet: Element,
  { type, target }: { type: string; target: string },
  context: CellContext,
  sources: ReadonlyMap<number, PivotSource>,
): readonly Worksheet[] {
  const document = office.xml(target);
  if (document === undefined) return [];
  const isChartSheet = type === 'chartsheet';
  const links = new Map(office.relationships(target).map(each => [each.id, each.target]));
  return [
    {
      kind: isChartSheet ? 'chartsheet' : 'worksheet',
      name: attribute(sheet, 'name') ?? '',
      ...readSheet(document, context, id => links.get(id)),
      charts: readCharts(office, target),
      pivots: readPivots(office, target, sources),
    },
  ];
}

export const worksheetNames = ({ sheets }: Workbook): readonly string[] =>
  sheets.filter(({ kind }) => kind === 'worksheet').map(({ name }) => name);

export const sheetOf = ({ sheets }: Workbook, name: string): Worksheet | undefined =>
  sheets.find(sheet => sheet.name === name);

export { WorkbookError } from './attributes.ts';
