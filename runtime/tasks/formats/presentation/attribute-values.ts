// Values of attributes. A value that python-pptx rejects is a PresentationError.

import { roundHalfToEven } from '../../../core/rounding.ts';
import { PresentationError } from './presentation-error.ts';

const wrong = (kind: string, text: string): PresentationError =>
  new PresentationError(`${JSON.stringify(text.slice(0, 80))} is not ${kind}. Repair the file.`);

export function integer(text: string): number {
  if (!/^\s*[+-]?\d+(_\d+)*\s*$/.test(text)) throw wrong('an integer', text);
  return Number(text.replaceAll('_', ''));
}

export function flag(text: string): boolean {
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  throw wrong('a boolean', text);
}

const EMU_PER_UNIT: Readonly<Record<string, number>> = {
  mm: 36_000,
  cm: 360_000,
  in: 914_400,
  pt: 12_700,
  pc: 152_400,
  pi: 152_400,
};

/** A length in English metric units (EMU), written as a number or with a unit, as `2.5in`. */
export function coordinate(text: string): number {
  if (!/[imp]/.test(text)) return integer(text);
  const factor = EMU_PER_UNIT[text.slice(-2)];
  const quantity = Number(text.slice(0, -2).trim() || 'none');
  if (factor === undefined || Number.isNaN(quantity)) throw wrong('a length', text);
  return roundHalfToEven(quantity * factor);
}

export function oneOf(values: readonly string[], text: string, kind: string): string {
  if (!values.includes(text)) throw wrong(kind, text);
  return text;
}
