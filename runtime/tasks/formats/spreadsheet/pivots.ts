// The pivot tables of a sheet and the source of their data.

import type { OfficePackage } from '../office-package.ts';
import { attribute, child, children, type Document, type Element, rootOf } from '../xml.ts';
import {
  flag,
  flagAttribute,
  integerAttribute,
  numberAttribute,
  textAttribute,
  WorkbookError,
} from './attributes.ts';

export interface PivotItem {
  readonly hidden: boolean | null;
  readonly index: number;
}

export interface PivotSource {
  readonly type: string;
  readonly ref: string | null;
  readonly sheet: string | null;
}

export interface PivotTable {
  readonly name: string | null;
  readonly visualTotals: boolean;
  readonly showEmptyRow: boolean;
  readonly showEmptyColumn: boolean;
  readonly showHeaders: boolean;
  readonly location: readonly (string | number | null)[];
  /** The items of each field of the source. */
  readonly fields: readonly (readonly PivotItem[])[];
  readonly pageFields: readonly number[];
  readonly columnFields: readonly number[];
  readonly rowFields: readonly number[];
  readonly dataFields: readonly {
    readonly field: number;
    readonly name: string | null;
    readonly subtotal: string;
    readonly showAs: string;
  }[];
  readonly source: PivotSource;
}

/** The sources of the pivot tables of a workbook, by the id of their cache. */
export function readPivotSources(
  office: OfficePackage,
  workbookPath: string,
  workbook: Document,
): ReadonlyMap<number, PivotSource> {
  const targets = new Map(office.relationships(workbookPath).map(({ id, target }) => [id, target]));
  const list = child(rootOf(workbook), 'pivotCaches');
  const caches = list === undefined ? [] : children(list, 'pivotCache');
  return new Map(
    caches.map(cache => {
      const part = office.xml(targets.get(cacheRelationship(cache)) ?? '');
      if (part === undefined) throw new WorkbookError('A pivot cache is missing. Save the file again.');
      const source = child(rootOf(part), 'cacheSource');
      const sheet = child(source, 'worksheetSource');
      const read = {
        type: attribute(source, 'type') ?? '',
        ref: textAttribute(sheet, 'ref'),
        sheet: textAttribute(sheet, 'sheet'),
      };
      return [integerAttribute(cache, 'cacheId'), read];
    }),
  );
}

const cacheRelationship = (cache: Element): string => attribute(cache, 'id') ?? '';

export const readPivots = (
  office: OfficePackage,
  sheetPath: string,
  sources: ReadonlyMap<number, PivotSource>,
): readonly PivotTable[] =>
  office
    .relationships(sheetPath)
    .filter(({ type }) => type === 'pivotTable')
    .map(({ target }) => {
      const part = office.xml(target);
      if (part === undefined) throw new WorkbookError(`${target} is missing. Save the file again.`);
      return readPivot(rootOf(part), sources);
    });

function readPivot(root: Element, sources: ReadonlyMap<number, PivotSource>): PivotTable {
  const source = sources.get(integerAttribute(root, 'cacheId'));
  if (source === undefined) throw new WorkbookError('A pivot table has no cache. Save the file again.');
  const isOn = (name: string, otherwise: boolean): boolean => flag(attribute(root, name)) ?? otherwise;
  return {
    name: textAttribute(root, 'name'),
    visualTotals: isOn('visualTotals', true),
    showEmptyRow: isOn('showEmptyRow', false),
    showEmptyColumn: isOn('showEmptyCol', false),
    showHeaders: isOn('showHeaders', true),
    location: readLocation(child(root, 'location')),
    fields: listed(root, 'pivotFields').map(readItems),
    pageFields: listed(root, 'pageFields').map(field => integerAttribute(field, 'fld')),
    columnFields: listed(root, 'colFields').map(field => integerAttribute(field, 'x')),
    rowFields: listed(root, 'rowFields').map(field => integerAttribute(field, 'x')),
    dataFields: listed(root, 'dataFields').map(field => ({
      field: integerAttribute(field, 'fld'),
      name: textAttribute(field, 'name'),
      subtotal: attribute(field, 'subtotal') ?? 'sum',
      showAs: attribute(field, 'showDataAs') ?? 'normal',
    })),
    source,
  };
}

const listed = (root: Element, name: string): readonly Element[] => {
  const list = child(root, name);
  return list === undefined ? [] : children(list);
};

const readItems = (field: Element): readonly PivotItem[] =>
  listed(field, 'items').flatMap(item => {
    const index = numberAttribute(item, 'x');
    return index === null ? [] : [{ hidden: flagAttribute(item, 'h'), index }];
  });

const LOCATION_NUMBERS = ['firstHeaderRow', 'firstDataRow', 'firstDataCol', 'rowPageCount', 'colPageCount'];

const readLocation = (location: Element | undefined): PivotTable['location'] => [
  textAttribute(location, 'ref'),
  ...LOCATION_NUMBERS.map(name => numberAttribute(location, name)),
];
