// One sheet of a workbook: cells, merged ranges, links, sizes, view, filter, validations and conditional formats.

import { attribute, child, children, type Document, type Element, rootOf } from '../xml.ts';
import { numberAttribute, textAttribute, WorkbookError } from './attributes.ts';
import { type Cell, type CellContext, type Row, readRows } from './cells.ts';
import type { Chart } from './charts.ts';
import {
  type CellRange,
  cellName,
  type Position,
  parseRange,
  parseRanges,
  positionsOf,
} from './coordinates.ts';
import {
  type ColumnProperties,
  type RowProperties,
  readColumnProperties,
  readRowProperties,
} from './dimensions.ts';
import { readFilter, type SheetFilter } from './filter.ts';
import type { PivotTable } from './pivots.ts';
import type { DifferentialFormat } from './styles.ts';
import { readValidations, type Validation } from './validations.ts';

export interface Hyperlink {
  readonly ref: string;
  readonly location: string | null;
  readonly tooltip: string | null;
  readonly display: string | null;
  readonly id: string | null;
}

export interface ConditionalRule {
  readonly type: string;
  readonly operator: string | null;
  readonly formulas: readonly string[];
  readonly format: DifferentialFormat | undefined;
}

export interface ConditionalFormat {
  readonly ranges: readonly CellRange[];
  readonly rules: readonly ConditionalRule[];
}

export interface Worksheet {
  readonly kind: 'worksheet' | 'chartsheet';
  readonly name: string;
  readonly rows: readonly Row[];
  /** The cells by name, also empty ones with a style or a link. */
  readonly cells: ReadonlyMap<string, Cell>;
  /** The names of the cells in merged ranges, except the first ones. */
  readonly merged: ReadonlySet<string>;
  /** The last row and the last column with a cell; undefined without cells. */
  readonly last: Position | undefined;
  readonly links: ReadonlyMap<string, Hyperlink>;
  readonly rowProperties: ReadonlyMap<string, RowProperties>;
  readonly columnProperties: ReadonlyMap<string, ColumnProperties>;
  readonly zoom: number | null;
  readonly topLeftCell: string | null;
  readonly filter: SheetFilter;
  readonly validations: readonly Validation[];
  readonly conditionalFormats: readonly ConditionalFormat[];
  readonly charts: readonly Chart[];
  readonly pivots: readonly PivotTable[];
}

export type SheetContents = Omit<Worksheet, 'kind' | 'name' | 'charts' | 'pivots'>;

/** `targetOf` returns the address of a link by the id of its relationship. */
export function readSheet(
  document: Document,
  context: CellContext,
  targetOf: (id: string) => string | undefined,
): SheetContents {
  const root = rootOf(document);
  const rows = readRows(document, context);
  const cells = new Map(rows.flatMap(row => row.cells.map(cell => [cellName(cell), cell] as const)));
  const merged = readMerged(root, cells);
  const links = readLinks(root, cells, merged, targetOf);
  const view = child(root, 'sheetViews', 'sheetView');
  return {
    rows,
    cells,
    merged,
    last: lastPosition([...cells.values(), ...links.positions, ...mergedPositions(root)]),
    links: links.byCell,
    rowProperties: readRowProperties(rows),
    columnProperties: readColumnProperties(root),
    zoom: numberAttribute(view, 'zoomScale'),
    topLeftCell: textAttribute(child(view, 'pane'), 'topLeftCell'),
    filter: readFilter(child(root, 'autoFilter')),
    validations: readValidations(child(root, 'dataValidations')),
    conditionalFormats: readConditionalFormats(root, context),
  };
}

function lastPosition(positions: readonly Position[]): Position | undefined {
  if (positions.length === 0) return undefined;
  let [row, column] = [1, 1];
  for (const position of positions)
    [row, column] = [Math.max(row, position.row), Math.max(column, position.column)];
  return { row, column };
}

const mergedRanges = (root: Element): readonly CellRange[] => {
  const list = child(root, 'mergeCells');
  return list === undefined ? [] : children(list, 'mergeCell').map(element => rangeOf(element));
};

const mergedPositions = (root: Element): readonly Position[] => mergedRanges(root).map(({ last }) => last);

/** Bounds the memory for merged ranges and links. */
const MAX_RANGE_CELLS = 2_000_000;

function rangeOf(element: Element): CellRange {
  const text = attribute(element, 'ref') ?? '';
  const range = parseRange(text);
  if (range === undefined) throw new WorkbookError(`"${text}" is not a range of cells. Save the file again.`);
  const { first, last } = range;
  if ((last.row - first.row + 1) * (last.column - first.column + 1) > MAX_RANGE_CELLS)
    throw new WorkbookError(`The range ${text} has more than ${MAX_RANGE_CELLS} cells. Use a smaller one.`);
  return range;
}

/** A merged range keeps only its first cell. */
function readMerged(root: Element, cells: Map<string, Cell>): ReadonlySet<string> {
  const merged = new Set<string>();
  for (const range of mergedRanges(root)) {
    const [, ...rest] = [...positionsOf(range)].map(cellName);
    for (const name of rest) {
      merged.add(name);
      cells.delete(name);
    }
  }
  return merged;
}

function readLinks(
  root: Element,
  cells: Map<string, Cell>,
  merged: ReadonlySet<string>,
  targetOf: (id: string) => string | undefined,
): { byCell: ReadonlyMap<string, Hyperlink>; positions: readonly Position[] } {
  const byCell = new Map<string, Hyperlink>();
  const positions: Position[] = [];
  const list = child(root, 'hyperlinks');
  for (const element of list === undefined ? [] : children(list, 'hyperlink')) {
    const id = textAttribute(element, 'id');
    const location = textAttribute(element, 'location');
    for (const position of positionsOf(rangeOf(element))) {
      const name = cellName(position);
      if (merged.has(name)) continue;
      positions.push(position);
      byCell.set(name, {
        ref: name,
        location,
        tooltip: textAttribute(element, 'tooltip'),
        display: textAttribute(element, 'display'),
        id,
      });
      showAddress(cells, position, (id === null ? undefined : targetOf(id)) ?? location);
    }
  }
  return { byCell, positions };
}

/** An empty cell with a link has its address as a text. */
function showAddress(cells: Map<string, Cell>, position: Position, address: string | null): void {
  const cell = cells.get(cellName(position));
  if (address === null || (cell !== undefined && cell.stored.value !== null)) return;
  const shown = cell?.shown ?? { type: 'n', value: null };
  cells.set(cellName(position), {
    ...position,
    styleId: cell?.styleId ?? -1,
    stored: { type: 's', value: address },
    shown,
  });
}

/** Elements with the same ranges are one format. */
function readConditionalFormats(root: Element, { styles }: CellContext): readonly ConditionalFormat[] {
  const formats = new Map<string, { ranges: readonly CellRange[]; rules: ConditionalRule[] }>();
  for (const element of children(root, 'conditionalFormatting')) {
    const ranges = parseRanges(attribute(element, 'sqref') ?? '');
    if (ranges === undefined) continue;
    const key = ranges
      .map(range => JSON.stringify(range))
      .sort()
      .join();
    const format = formats.get(key) ?? { ranges, rules: [] };
    formats.set(key, format);
    for (const rule of children(element, 'cfRule')) {
      const id = numberAttribute(rule, 'dxfId');
      if (id !== null && styles.differential[id] === undefined)
        throw new WorkbookError(`The conditional style ${id} is missing. Save the file again.`);
      format.rules.push({
        type: attribute(rule, 'type') ?? '',
        operator: textAttribute(rule, 'operator'),
        formulas: children(rule, 'formula').map(formula => formula.textContent ?? ''),
        format: id === null ? undefined : styles.differential[id],
      });
    }
  }
  return [...formats.values()];
}
