// Values of XML attributes in spreadsheet files.

import { attribute, child, type Element } from '../xml.ts';

export class WorkbookError extends Error {
  override readonly name = 'WorkbookError';
}

/** The attributes of an element that have no namespace, by name. */
export function plainAttributes(element: Element): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const { name, value } of element.attributes)
    if (!name.includes(':') && name !== 'xmlns') attributes.set(name, value);
  return attributes;
}

/** The value of a Boolean attribute. */
export const flag = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text !== '' && text !== '0' && text !== 'false' && text !== 'f';

export const textAttribute = (element: Element | undefined, name: string): string | null =>
  attribute(element, name) ?? null;

export const flagAttribute = (element: Element | undefined, name: string): boolean | null =>
  flag(attribute(element, name)) ?? null;

/** A number; null without the attribute. */
export function numberAttribute(element: Element | undefined, name: string): number | null {
  const text = attribute(element, name);
  return text === undefined ? null : parseNumber(text);
}

/** An attribute that the format demands. */
export function integerAttribute(element: Element, name: string): number {
  const number = numberAttribute(element, name);
  if (number === null || !Number.isInteger(number))
    throw new WorkbookError(
      `The attribute ${name} of <${element.tagName}> is not an integer. Save the file again.`,
    );
  return number;
}

export function parseNumber(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number))
    throw new WorkbookError(`${JSON.stringify(text)} is not a number. Save the file again.`);
  return number;
}

/** An attribute with one of these values; `none` and a missing attribute are null. */
export function choice(element: Element, name: string, values: readonly string[]): string | null {
  const text = attribute(element, name);
  if (text === undefined || text === 'none') return null;
  if (values.includes(text)) return text;
  throw new WorkbookError(`${name}="${text}" is not valid in <${element.tagName}>. Save the file again.`);
}

/** The attribute `val` of a child; undefined if there is no such child. */
export const childValue = (parent: Element | undefined, name: string): string | undefined => {
  const element = child(parent, name);
  return element && (attribute(element, 'val') ?? '');
};
