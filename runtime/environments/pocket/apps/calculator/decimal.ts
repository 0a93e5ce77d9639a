// Decimal numbers of ten digits, rounded half away from zero. Integer arithmetic, so that 0.1 + 0.2 is 0.3 and every machine
// computes the same.

import type { Operator } from '../../world.ts';

export const DIGITS = 10;
/** Larger numbers overflow, smaller ones underflow to zero. */
const MAX_EXPONENT = 100;
/** Extra digits of a quotient: enough to round it correctly to ten digits. */
const EXTRA_DIGITS = 30n;

/**
 * digits * 10^exponent; digits end in no zero, and zero is 0 * 10^0, so that equal numbers have equal parts.
 */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export const ZERO: Decimal = { digits: 0n, exponent: 0 };

const magnitude = (digits: bigint): bigint => (digits < 0n ? -digits : digits);
const lengthOf = (digits: bigint): number => magnitude(digits).toString().length;

/** Rounds to ten digits; undefined on overflow. */
function rounded(digits: bigint, exponent: number): Decimal | undefined {
  let [kept, power] = [digits, exponent];
  const spare = lengthOf(kept) - DIGITS;
  if (spare > 0) {
    const unit = 10n ** BigInt(spare);
    const half = kept < 0n ? -unit / 2n : unit / 2n;
    kept = (kept + half) / unit;
    power += spare;
  }
  if (kept === 0n) return ZERO;
  while (kept % 10n === 0n) {
    kept /= 10n;
    power += 1;
  }
  const point = lengthOf(kept) + power;
  if (point > MAX_EXPONENT) return undefined;
  return point < -MAX_EXPONENT ? ZERO : { digits: kept, exponent: power };
}

const aligned = (a: Decimal, b: Decimal): readonly [bigint, bigint, number] => {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (of: Decimal): bigint => of.digits * 10n ** BigInt(of.exponent - exponent);
  return [scaled(a), scaled(b), exponent];
};

/** Undefined on overflow or division by zero. */
export function compute(left: Decimal, operator: Operator, right: Decimal): Decimal | undefined {
  const [a, b, exponent] = aligned(left, right);
  switch (operator) {
    case '+':
      return rounded(a + b, exponent);
    case '-':
      return rounded(a - b, exponent);
    case '*':
      return rounded(left.digits * right.digits, left.exponent + right.exponent);
    case '/':
      if (right.digits === 0n) return undefined;
      return rounded(
        (left.digits * 10n ** EXTRA_DIGITS) / right.digits,
        left.exponent - right.exponent - Number(EXTRA_DIGITS),
      );
  }
}

export const negated = ({ digits, exponent }: Decimal): Decimal => ({ digits: -digits, exponent });

export const hundredth = ({ digits, exponent }: Decimal): Decimal => rounded(digits, exponent - 2) ?? ZERO;

const NUMBER = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** Parses a typed or pasted number; undefined if it is not a number. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign = '', whole = '', part = '', power = '0'] = NUMBER.exec(text.trim()) ?? [];
  if (whole === '') return undefined;
  const digits = BigInt(whole + part);
  return rounded(sign === '-' ? -digits : digits, Number(power) - part.length);
}

/** '-12.5', or '1.5e12' if plain digits do not fit. */
export function formatDecimal({ digits, exponent }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const figures = magnitude(digits).toString();
  const point = figures.length + exponent;
  if (point > DIGITS || point < -5) {
    const rest = figures.slice(1);
    return `${sign}${figures.slice(0, 1)}${rest === '' ? '' : `.${rest}`}e${point - 1}`;
  }
  if (exponent >= 0) return sign + figures + '0'.repeat(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${figures}`;
  return `${sign}${figures.slice(0, point)}.${figures.slice(point)}`;
}
