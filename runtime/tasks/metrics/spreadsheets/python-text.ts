// Texts as Python reads and prints them.

import { splitLines } from '../../formats/python/text.ts';

/** The lines of a file in UTF-8, or in Latin-1 where it is not UTF-8. */
export const linesOf = (bytes: Uint8Array): readonly string[] => splitLines(decode(bytes));

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // TextDecoder reads "latin1" as Windows-1252, which differs in the control characters.
    return Buffer.from(bytes).toString('latin1');
  }
}

/** A number as `repr` of a float prints it: 1.0, 0.5, 1e+16. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) return Number.isInteger(value) ? `${value}.0` : String(value);
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits}e${exponent < 0 ? '-' : '+'}${size}`;
}
