// The functions that formulas of conditional formats can call.

import { FORMULA_ERROR, type FormulaValue, isTrue, numberOf, textOfValue } from './formula-values.ts';
import { floatText } from './python-text.ts';

type FormulaFunction = (values: readonly FormulaValue[]) => FormulaValue;

const isError = (value: FormulaValue | undefined): boolean => value === FORMULA_ERROR;

/** The result for values without an error. */
const unlessError =
  (apply: (...values: readonly FormulaValue[]) => FormulaValue): FormulaFunction =>
  values =>
    values.length === 0 || values.some(isError) ? FORMULA_ERROR : apply(...values);

/** Texts among the conditions do not count, unless there is nothing else. */
const combine = (decide: (conditions: readonly boolean[]) => boolean): FormulaFunction =>
  unlessError((...values) => {
    const conditions = values.filter(value => typeof value !== 'string').map(isTrue);
    return conditions.length === 0 ? FORMULA_ERROR : decide(conditions);
  });

/** The place of a text in another one, from 1. Numbers have decimals here: 15 is searched as 15.0. */
const search = (normalize: (text: string) => string): FormulaFunction =>
  unlessError((find = '', within = '', start = 1) => {
    const texts: readonly FormulaValue[] = [find, within];
    const [a = '', b = ''] = texts.map(value =>
      normalize(typeof value === 'number' ? floatText(value) : textOfValue(value)),
    );
    const place = b.indexOf(a, (numberOf(start) ?? 1) - 1);
    return place < 0 ? FORMULA_ERROR : place + 1;
  });

const part = (cut: (text: string, count: number) => string): FormulaFunction =>
  unlessError((text = '', count = 1) => {
    const number = numberOf(count);
    return number === undefined || number < 0 ? FORMULA_ERROR : cut(textOfValue(text), Math.floor(number));
  });

const FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  AND: combine(conditions => conditions.every(Boolean)),
  OR: combine(conditions => conditions.some(Boolean)),
  NOT: unlessError((value = '') => (typeof value === 'string' ? FORMULA_ERROR : !isTrue(value))),
  IF: unlessError((condition = '', yes = true, no = false) => (isTrue(condition) ? yes : no)),
  ISERROR: ([value]) => isError(value),
  ISNUMBER: ([value = '']) => typeof value !== 'boolean' && numberOf(value) !== undefined,
  ISTEXT: ([value]) => typeof value === 'string',
  SEARCH: search(text => text.toLowerCase()),
  FIND: search(text => text),
  LEFT: part((text, count) => text.slice(0, count)),
  RIGHT: part((text, count) => (count === 0 ? '' : text.slice(-count))),
  LEN: unlessError((text = '') => textOfValue(text).length),
  MOD: unlessError((value = '', divisor = '') => {
    const [a, b] = [numberOf(value), numberOf(divisor)];
    return a === undefined || b === undefined || b === 0 ? FORMULA_ERROR : a - b * Math.floor(a / b);
  }),
};

export const FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTIONS);

export const callFunction = (name: string, values: readonly FormulaValue[]): FormulaValue =>
  FUNCTIONS[name]?.(values) ?? FORMULA_ERROR;
