// A model of small workbooks, which the cases of spreadsheets change and write.

/** A formula has its last result, or none, as openpyxl writes it. */
export type CellValue =
  | string
  | number
  | boolean
  | { readonly formula: string; readonly result: string | number | null }
  | { readonly error: string };

export interface CellModel {
  value: CellValue | null;
  /** An index of `STYLES`. */
  style: number;
}

export interface StyleModel {
  readonly font?: {
    readonly name?: string;
    readonly size?: number;
    readonly bold?: boolean;
    readonly italic?: boolean;
    readonly underline?: 'single' | 'double';
    readonly color?: string;
  };
  /** Eight hexadecimal digits, `theme`, or `gradient`. */
  readonly fill?: string;
  readonly format?: string;
}

export interface ChartModel {
  type: 'barChart' | 'lineChart' | 'pieChart' | 'scatterChart' | 'areaChart';
  direction: 'bar' | 'col';
  /** Null without a title, an empty text for an automatic one. */
  title: string | null;
  xTitle: string | null;
  yTitle: string | null;
  legend: 'r' | 'b' | 't' | null;
  series: { values: string; categories: string | null; isNumeric: boolean }[];
  from: [column: number, row: number];
  isOneCell: boolean;
}

export interface PivotModel {
  name: string;
  source: string;
  fieldCount: number;
  rowFields: number[];
  columnFields: number[];
  pageFields: number[];
  dataFields: { field: number; name: string; subtotal: string }[];
  hidden: number[];
  location: string;
  showHeaders: boolean;
}

export interface SheetModel {
  name: string;
  rows: (CellModel | null)[][];
  rowProperties: Record<number, string>;
  columnProperties: string[];
  merged: string[];
  links: { cell: string; address: string; isInside: boolean }[];
  frozen: string | null;
  zoom: number | null;
  filter: string | null;
  validations: string[];
  conditional: string[];
  sparklines: [cell: string, range: string][];
  charts: ChartModel[];
  pivots: PivotModel[];
}

export interface BookModel {
  /** Whose habits the file has. */
  writer: 'calc' | 'openpyxl' | 'excel';
  sheets: SheetModel[];
  /** The number in the first part of a sheet; later ones follow. */
  firstId: number;
  activeSheet: number;
  /** The index of the sheet that most rules and changes are about. */
  focus: number;
  from1904: boolean;
}

export const sheetModel = (name: string, rows: (CellModel | null)[][] = []): SheetModel => ({
  name,
  rows,
  rowProperties: {},
  columnProperties: [],
  merged: [],
  links: [],
  frozen: null,
  zoom: null,
  filter: null,
  validations: [],
  conditional: [],
  sparklines: [],
  charts: [],
  pivots: [],
});

export const bookModel = (sheets: SheetModel[]): BookModel => ({
  writer: 'calc',
  sheets,
  firstId: 1,
  activeSheet: 0,
  focus: 0,
  from1904: false,
});

export const cell = (value: CellValue | null, style = 0): CellModel => ({ value, style });

/** Style 0 is the default one. */
export const STYLES: readonly StyleModel[] = [
  {},
  { font: { bold: true } },
  { fill: 'FFFFFF00' },
  { fill: 'FFFF0000', font: { italic: true, color: 'FF0000FF' } },
  { format: 'yyyy-mm-dd' },
  { format: 'yyyy\\-mm\\-dd hh:mm:ss' },
  { format: 'h:mm' },
  { format: '[h]:mm:ss' },
  { format: '0.00%' },
  { format: '#,##0.00\\ [$€-407];[RED]\\-#,##0.00\\ [$€-407]' },
  { fill: 'theme', font: { underline: 'single', name: 'Liberation Sans', size: 10 } },
  { font: { color: 'theme', size: 14, name: 'Arial', underline: 'double' } },
  { fill: 'gradient' },
  { format: '"day "0' },
  { format: 'mmm d, yyyy', fill: 'FF00FF00' },
];
