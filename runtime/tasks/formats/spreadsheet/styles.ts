// The styles of a workbook: fonts, fills and number formats of cells, and those of conditional formats.

import { attribute, child, children, type Document, type Element, rootOf } from '../xml.ts';
import { childValue, choice, flag, numberAttribute, parseNumber, WorkbookError } from './attributes.ts';
import { formatCode, isDateFormat, isDurationFormat } from './number-formats.ts';

/** A color of the theme or of the palette: its red, green and blue parts are not in the style. */
export const NOT_RGB: unique symbol = Symbol('a color without RGB value');

/** Eight hexadecimal digits: alpha, red, green and blue. */
export type Color = string | typeof NOT_RGB;

export interface CellFont {
  readonly name: string | null;
  readonly family: number | null;
  readonly color: Color | null;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: string | null;
  readonly size: number | null;
}

export interface CellFill {
  readonly kind: 'patternFill' | 'gradientFill';
  /** Null in a gradient. */
  readonly foreground: Color | null;
  readonly background: Color | null;
}

export interface CellFormat {
  readonly font: CellFont | undefined;
  readonly fill: CellFill | undefined;
  readonly numberFormat: string;
  readonly isDate: boolean;
  readonly isDuration: boolean;
}

/** The parts of a style that a conditional format replaces. */
export interface DifferentialFormat {
  readonly font: CellFont | undefined;
  readonly fill: CellFill | undefined;
  readonly numberFormat: string | undefined;
}

export interface Styles {
  readonly cells: readonly CellFormat[];
  /** The format of the cells inside of a merged range, except its first one. */
  readonly merged: CellFormat;
  readonly differential: readonly DifferentialFormat[];
}

const BLACK = '00000000';
const UNDERLINES = ['single', 'double', 'singleAccounting', 'doubleAccounting'];

const DEFAULT_FONT: CellFont = {
  name: 'Calibri',
  family: 2,
  color: NOT_RGB,
  bold: false,
  italic: false,
  underline: null,
  size: 11,
};
const DEFAULT_FILL: CellFill = { kind: 'patternFill', foreground: BLACK, background: BLACK };

/** Without a part of styles all cells have the default ones. */
export function readStyles(document: Document | undefined): Styles {
  const root = document && rootOf(document);
  const codes = new Map<number, string>();
  for (const format of listed(root, 'numFmts', 'numFmt'))
    codes.set(numberAttribute(format, 'numFmtId') ?? 0, attribute(format, 'formatCode') ?? '');
  const formats = child(root, 'cellXfs');
  const hasFormats = formats !== undefined && children(formats, 'xf').length > 0;
  const fonts = hasFormats ? listed(root, 'fonts').map(readFont) : [DEFAULT_FONT];
  const fills = hasFormats ? listed(root, 'fills').map(readFill) : [DEFAULT_FILL];
  const formatOf = (font: number, fill: number, code: number): CellFormat => {
    const numberFormat = formatCode(code, codes);
    return {
      font: fonts[font],
      fill: fills[fill],
      numberFormat,
      isDate: isDateFormat(numberFormat),
      isDuration: isDurationFormat(numberFormat),
    };
  };
  const merged = formatOf(0, 0, 0);
  const numbers = (xf: Element, name: string): number => numberAttribute(xf, name) ?? 0;
  const cells = listed(root, 'cellXfs', 'xf').map(xf =>
    formatOf(numbers(xf, 'fontId'), numbers(xf, 'fillId'), numbers(xf, 'numFmtId')),
  );
  return {
    cells: cells.length > 0 ? cells : [merged],
    merged,
    differential: hasFormats ? listed(root, 'dxfs').map(readDifferential) : [],
  };
}

const listed = (root: Element | undefined, list: string, name?: string): readonly Element[] => {
  const parent = child(root, list);
  return parent === undefined ? [] : children(parent, name);
};

function readDifferential(element: Element): DifferentialFormat {
  const [font, fill] = [child(element, 'font'), child(element, 'fill')];
  return {
    font: font && readFont(font),
    fill: fill && readFill(fill),
    numberFormat: attribute(child(element, 'numFmt'), 'formatCode'),
  };
}

function readFont(element: Element): CellFont {
  const number = (name: string): number | null => {
    const text = childValue(element, name);
    return text === undefined ? null : parseNumber(text);
  };
  const isOn = (name: string): boolean => {
    const found = child(element, name);
    return found !== undefined && (flag(attribute(found, 'val')) ?? true);
  };
  const underline = child(element, 'u');
  const color = child(element, 'color');
  return {
    name: childValue(element, 'name') ?? null,
    family: number('family'),
    color: color === undefined ? null : readColor(color),
    bold: isOn('b'),
    italic: isOn('i'),
    underline: underlineOf(underline),
    size: number('sz'),
  };
}

const underlineOf = (element: Element | undefined): string | null => {
  if (element === undefined) return null;
  return attribute(element, 'val') === undefined ? 'single' : choice(element, 'val', UNDERLINES);
};

function readFill(element: Element): CellFill | undefined {
  const [content] = children(element);
  if (content === undefined) return undefined;
  if (content.localName !== 'patternFill')
    return { kind: 'gradientFill', foreground: null, background: null };
  const [foreground, background] = [child(content, 'fgColor'), child(content, 'bgColor')];
  return {
    kind: 'patternFill',
    foreground: foreground === undefined ? BLACK : readColor(foreground),
    background: background === undefined ? BLACK : readColor(background),
  };
}

function readColor(element: Element): Color {
  const refers = ['indexed', 'theme', 'auto'].some(name => attribute(element, name) !== undefined);
  if (refers) return NOT_RGB;
  const rgb = attribute(element, 'rgb') ?? BLACK;
  if (!/^([0-9A-Fa-f]{8}|[0-9A-Fa-f]{6})$/.test(rgb))
    throw new WorkbookError(`${JSON.stringify(rgb)} is not a color. Save the file again.`);
  return rgb.length === 6 ? `00${rgb}` : rgb;
}
