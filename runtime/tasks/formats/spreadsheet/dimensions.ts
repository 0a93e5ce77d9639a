// The properties of rows and columns.

import { child, children, type Element } from '../xml.ts';
import { flag, integerAttribute, parseNumber, plainAttributes } from './attributes.ts';
import type { Row } from './cells.ts';
import { columnName } from './coordinates.ts';

export interface RowProperties {
  readonly index: number;
  readonly hidden: boolean;
  readonly collapsed: boolean;
  readonly height: number | null;
  readonly outlineLevel: number;
  readonly thickBot: boolean;
  readonly thickTop: boolean;
}

export interface ColumnProperties {
  readonly index: string;
  readonly hidden: boolean;
  readonly collapsed: boolean;
  readonly width: number;
  readonly autoSize: boolean;
  readonly outlineLevel: number;
  readonly min: number;
  readonly max: number;
}

/** The width of a column without one. */
const DEFAULT_WIDTH = 13;

const numberOf = (attributes: ReadonlyMap<string, string>, name: string): number | undefined => {
  const text = attributes.get(name);
  return text === undefined ? undefined : parseNumber(text);
};

/** Rows by number, only those with a property besides their number and their extent. */
export function readRowProperties(rows: readonly Row[]): ReadonlyMap<string, RowProperties> {
  const properties = new Map<string, RowProperties>();
  for (const { index, element } of rows) {
    const attributes = plainAttributes(element);
    if ([...attributes.keys()].every(name => name === 'r' || name === 'spans')) continue;
    properties.set(String(index), {
      index,
      hidden: flag(attributes.get('hidden')) ?? false,
      collapsed: flag(attributes.get('collapsed')) ?? false,
      height: numberOf(attributes, 'ht') ?? null,
      outlineLevel: numberOf(attributes, 'outlineLevel') ?? 0,
      thickBot: flag(attributes.get('thickBot')) ?? false,
      thickTop: flag(attributes.get('thickTop')) ?? false,
    });
  }
  return properties;
}

/** Groups of columns by the letter of their first column. */
export function readColumnProperties(root: Element): ReadonlyMap<string, ColumnProperties> {
  const properties = new Map<string, ColumnProperties>();
  const list = child(root, 'cols');
  for (const element of list === undefined ? [] : children(list, 'col')) {
    const attributes = plainAttributes(element);
    const min = integerAttribute(element, 'min');
    const index = columnName(min);
    properties.set(index, {
      index,
      hidden: flag(attributes.get('hidden')) ?? false,
      collapsed: flag(attributes.get('collapsed')) ?? false,
      width: numberOf(attributes, 'width') ?? DEFAULT_WIDTH,
      autoSize: flag(attributes.get('bestFit')) ?? false,
      outlineLevel: numberOf(attributes, 'outlineLevel') ?? 0,
      min,
      max: integerAttribute(element, 'max'),
    });
  }
  return properties;
}
