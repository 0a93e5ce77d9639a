// The values of attributes in WordprocessingML. Lengths are in English Metric Units (EMU), of which an inch has 914,400.

import { roundHalfToEven } from '../../../core/rounding.ts';
import type { Element } from '../xml.ts';
import { DocumentError } from './document-error.ts';
import { wordAttribute } from './word-xml.ts';

export const EMU_PER_POINT = 12_700;
const EMU_PER_TWIP = 635;

const EMU_PER_UNIT: Readonly<Record<string, number>> = {
  mm: 36_000,
  cm: 360_000,
  in: 914_400,
  pt: EMU_PER_POINT,
  pc: 152_400,
  pi: 152_400,
};

/** The value of a switch such as `w:i`. Without the attribute it is on; without the element it is inherited. */
export function switchOf(element: Element | undefined): boolean | undefined {
  if (element === undefined) return undefined;
  const value = wordAttribute(element, 'val') ?? 'true';
  if (['1', 'true', 'on'].includes(value)) return true;
  if (['0', 'false', 'off'].includes(value)) return false;
  throw invalid(element, 'val');
}

export function integerOf(element: Element | undefined, name: string): number | undefined {
  const text = wordAttribute(element, name);
  if (element === undefined || text === undefined) return undefined;
  return wholeNumber(text) ?? fail(element, name);
}

/** A length in twips, or with a unit. */
export function twipsOf(element: Element | undefined, name: string): number | undefined {
  const text = wordAttribute(element, name);
  if (element === undefined || text === undefined) return undefined;
  const twips = /[imp]/.test(text) ? undefined : wholeNumber(text);
  return twips === undefined ? measured(element, name, text) : twips * EMU_PER_TWIP;
}

/** A length in twips that may be negative and may have decimals, or with a unit. */
export function signedTwipsOf(element: Element | undefined, name: string): number | undefined {
  const text = wordAttribute(element, name);
  if (element === undefined || text === undefined) return undefined;
  const twips = /[imp]/.test(text) ? undefined : decimal(text);
  return twips === undefined ? measured(element, name, text) : roundHalfToEven(twips) * EMU_PER_TWIP;
}

/** The size of a font in half points, or with a unit. */
export function halfPointsOf(element: Element | undefined): number | undefined {
  const text = wordAttribute(element, 'val');
  if (element === undefined) return undefined;
  if (text === undefined) throw invalid(element, 'val');
  const halves = /[mnp]/.test(text) ? undefined : wholeNumber(text);
  return halves === undefined ? measured(element, 'val', text) : Math.trunc((halves / 2) * EMU_PER_POINT);
}

/** An attribute that must be one of a list. */
export function choiceOf<Choice extends string>(
  element: Element,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = wordAttribute(element, name);
  if (text === undefined) return undefined;
  return choices.find(each => each === text) ?? fail(element, name);
}

export function invalid(element: Element, name: string): DocumentError {
  const value = wordAttribute(element, name);
  const found = value === undefined ? 'is missing' : `has the invalid value ${JSON.stringify(value)}`;
  return new DocumentError(`The attribute ${name} of <${element.tagName}> ${found}.`, {
    xml: element.ownerDocument,
  });
}

function fail(element: Element, name: string): never {
  throw invalid(element, name);
}

function measured(element: Element, name: string, text: string): number {
  const factor = EMU_PER_UNIT[text.slice(-2)];
  const amount = decimal(text.slice(0, -2));
  if (factor === undefined || amount === undefined) throw invalid(element, name);
  return roundHalfToEven(amount * factor);
}

const wholeNumber = (text: string): number | undefined =>
  /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined;

const decimal = (text: string): number | undefined =>
  /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : undefined;
