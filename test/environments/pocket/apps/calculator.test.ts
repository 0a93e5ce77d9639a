// Calculator: properties of its arithmetic and keys, and its use by mouse and keyboard.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compute,
  type Decimal,
  DIGITS,
  formatDecimal,
  hundredth,
  negated,
  parseDecimal,
  ZERO,
} from '../../../../runtime/environments/pocket/apps/calculator/decimal.ts';
import { FAILURE, KEYS, press } from '../../../../runtime/environments/pocket/apps/calculator/engine.ts';
import { emptyWorld, OPERATORS } from '../../../../runtime/environments/pocket/world.ts';
import { Hand } from '../hand.ts';

const LIMIT = 10 ** DIGITS;
const decimals = fc
  .tuple(fc.integer({ min: 1 - LIMIT, max: LIMIT - 1 }), fc.integer({ min: -14, max: 8 }))
  .map(([digits, exponent]) => parseDecimal(`${digits}e${exponent}`) ?? ZERO);
const wholes = fc.integer({ min: -99_999, max: 99_999 });
const operators = fc.constantFrom(...OPERATORS);
const decimal = (text: string | number): Decimal => {
  const value = parseDecimal(String(text));
  if (value === undefined) throw new Error(`'${text}' is no number`);
  return value;
};
const sum = (left: string, operator: (typeof OPERATORS)[number], right: string): string | undefined => {
  const result = compute(decimal(left), operator, decimal(right));
  return result && formatDecimal(result);
};

describe('numbers', () => {
  test('survive formatting and parsing', () => {
    fc.assert(
      fc.property(decimals, value => {
        expect(parseDecimal(formatDecimal(value))).toEqual(value);
      }),
    );
  });

  test('are exact if the result has at most ten digits', () => {
    fc.assert(
      fc.property(wholes, wholes, (a, b) => {
        expect(compute(decimal(a), '+', decimal(b))).toEqual(decimal(a + b));
        expect(compute(decimal(a), '-', decimal(b))).toEqual(decimal(a - b));
        expect(compute(decimal(a), '*', decimal(b))).toEqual(decimal(a * b));
        if (b !== 0) expect(compute(decimal(a * b), '/', decimal(b))).toEqual(decimal(a));
      }),
    );
  });

  test('differ from the true result by at most half of the tenth digit', () => {
    fc.assert(
      fc.property(decimals, operators, decimals, (a, operator, b) => {
        const result = compute(a, operator, b);
        const [left, right] = [Number(formatDecimal(a)), Number(formatDecimal(b))];
        const near = { '+': left + right, '-': left - right, '*': left * right, '/': left / right }[operator];
        if (operator === '/' && b.digits === 0n) expect(result).toBeUndefined();
        else if (result !== undefined) {
          // Cancellation limits the accuracy of the double-precision reference.
          const slack = 6e-10 * Math.abs(near) + 1e-15 * (Math.abs(left) + Math.abs(right));
          expect(Math.abs(Number(formatDecimal(result)) - near)).toBeLessThanOrEqual(slack + 1e-100);
        }
      }),
    );
  });

  test('have at most ten digits', () => {
    fc.assert(
      fc.property(decimals, operators, decimals, (a, operator, b) => {
        const result = compute(a, operator, b);
        if (result !== undefined)
          expect(String(result.digits).replace('-', '').length).toBeLessThanOrEqual(DIGITS);
      }),
    );
  });

  test('obey the laws of commutation and of signs', () => {
    fc.assert(
      fc.property(decimals, decimals, fc.constantFrom('+' as const, '*' as const), (a, b, operator) => {
        expect(compute(a, operator, b)).toEqual(compute(b, operator, a));
        const [minus, plus] = [compute(negated(a), '*', b), compute(a, '*', b)];
        expect(minus).toEqual(plus && negated(plus));
      }),
    );
  });

  test.each([
    ['0.1', '+', '0.2', '0.3'],
    ['1', '/', '3', '0.3333333333'],
    ['2', '/', '3', '0.6666666667'],
    ['-2', '/', '3', '-0.6666666667'],
    ['9999999999', '+', '1', '1e10'],
    ['9999999999', '*', '9999999999', '9.999999998e19'],
    ['1', '/', '1000000', '0.000001'],
    ['1', '/', '10000000', '1e-7'],
    ['5', '/', '0', undefined],
    ['1e99', '*', '10', undefined],
  ] as const)('%s %s %s = %s', (left, operator, right, result) => {
    expect(sum(left, operator, right)).toBe(result);
  });

  test('a hundredth of 12.5 is 0.125', () => expect(formatDecimal(hundredth(decimal('12.5')))).toBe('0.125'));

  test.each(['', 'abc', '1.2.3', '--1', '1e9999', '12 34'])('%j is not a number', text => {
    expect(parseDecimal(text)).toBeUndefined();
  });
});

/** Presses keys, separated by spaces, on a cleared calculator. */
const used = (keys: string) =>
  keys
    .split(' ')
    .filter(key => key !== '')
    .reduce(press, emptyWorld().calculator);

describe('keys', () => {
  test.each([
    ['1 2 + 3 =', '15'],
    ['2 + 3 * 4 =', '20'],
    ['5 + =', '10'],
    ['5 + 3 = = =', '14'],
    ['5 + 3 = 2 =', '5'],
    ['5 + * 3 =', '15'],
    ['0 0 7', '7'],
    ['1 . 5 . 2', '1.52'],
    ['. 5 + . 5 =', '1'],
    ['1 2 3 Backspace', '12'],
    ['1 Backspace Backspace', '0'],
    ['5 +/- Backspace', '0'],
    ['2 + 3 = Backspace', '5'],
    ['2 + 3 = 7', '7'],
    ['8 +/- +/-', '8'],
    ['8 + 2 +/- =', '6'],
    ['2 0 0 + 1 0 % =', '220'],
    ['2 0 0 * 1 0 % =', '20'],
    ['5 %', '0.05'],
    ['1 2 3 4 5 6 7 8 9 0 1', '1234567890'],
    ['7 M+ C 3 M+ MR', '10'],
    ['7 M+ 1', '1'],
    ['7 M+ MC 4 + MR =', '8'],
    ['5 / 0 =', 'Error'],
    ['5 / 0 = 7 + 1 =', 'Error'],
    ['5 / 0 = C 7 + 1 =', '8'],
    ['5 / 0 + 2', 'Error'],
  ])('%s shows %s', (keys, display) => {
    expect(used(keys).display).toBe(display);
  });

  const many = fc.array(fc.constantFrom(...KEYS), { maxLength: 40 });

  test('any keys display a number or Error', () => {
    fc.assert(
      fc.property(many, keys => {
        const { display } = keys.reduce(press, emptyWorld().calculator);
        expect(display === FAILURE || parseDecimal(display) !== undefined).toBe(true);
      }),
    );
  });

  test('C clears everything except memory and history', () => {
    fc.assert(
      fc.property(many, keys => {
        const state = keys.reduce(press, emptyWorld().calculator);
        const { memory, history } = state;
        expect(press(state, 'C')).toEqual({ ...emptyWorld().calculator, memory, history });
      }),
    );
  });

  test('the history has every calculation with its result, the latest first', () => {
    expect(used('1 + 2 = * 4 =').history).toEqual(['3 * 4 = 12', '1 + 2 = 3']);
    expect(used('1 / 0 =').history).toEqual(['1 / 0 = Error']);
  });
});

describe('the window', () => {
  const opened = (): Hand => {
    const hand = new Hand();
    hand.open('Calculator');
    return hand;
  };
  const display = (hand: Hand) => hand.element('Display', 'label').value;

  test('has a button for each key', () => {
    const hand = opened();
    for (const key of KEYS) expect(hand.find(key, 'button'), key).toBeDefined();
    for (const key of ['7', '.', '5', '*', '2', '=']) hand.click(key, 'button');
    expect(display(hand)).toBe('15');
    expect(hand.world.calculator.display).toBe('15');
  });

  test('accepts typed keys at once, and Enter is = with any focus', () => {
    const hand = opened();
    hand.type('12*3\n');
    expect(display(hand)).toBe('36');
    hand.click('+', 'button');
    hand.type('4');
    hand.keys('enter');
    expect(display(hand)).toBe('40');
    hand.keys('backspace');
    hand.keys('esc');
    expect(display(hand)).toBe('0');
  });

  test('Enter is = also after a press on the history or on Clear history', () => {
    const hand = opened();
    hand.type('2+3=');
    hand.click('2 + 3 = 5', 'listitem');
    hand.type('+1');
    hand.keys('enter');
    expect(display(hand)).toBe('6');
    for (const _ of [1, 2]) hand.click('Clear history', 'button');
    hand.type('*7\n');
    expect(display(hand)).toBe('42');
    hand.keys('space');
    expect(hand.world.calculator.history).toEqual([]);
  });

  test('Space presses the focused key', () => {
    const hand = opened();
    hand.click('8', 'button');
    hand.keys('space');
    expect(display(hand)).toBe('88');
  });

  test('a double click presses a key twice', () => {
    const hand = opened();
    hand.double('4', 'button');
    expect(display(hand)).toBe('44');
  });

  test('copies the result and pastes it as an operand', () => {
    const hand = opened();
    hand.type('6*7=');
    hand.keys('ctrl+c');
    expect(hand.machine.shell.ui.clipboard).toBe('42');
    expect(hand.find('Copied 42', 'alert')).toBeDefined();
    hand.keys('esc');
    hand.type('8+');
    hand.click('Edit', 'menu');
    hand.click('Paste', 'menuitem');
    hand.type('=');
    expect(display(hand)).toBe('50');
  });

  test('does not paste a text that is not a number', () => {
    const hand = opened();
    hand.type('5');
    hand.keys('ctrl+v');
    expect(display(hand)).toBe('5');
    expect(hand.names('alert')).toEqual(['The clipboard holds no number']);
  });

  test('the memory keys are enabled once it has a value', () => {
    const hand = opened();
    expect(hand.element('MR', 'button').states).toContain('disabled');
    hand.type('9');
    hand.click('M+', 'button');
    expect(hand.element('Memory', 'label').value).toBe('9');
    hand.click('MC', 'button');
    expect(hand.find('Memory', 'label')).toBeUndefined();
  });

  test('a press on the history recalls its result, and the history can be cleared', () => {
    const hand = opened();
    hand.type('2+3=4*4=');
    hand.click('2 + 3 = 5', 'listitem');
    expect(display(hand)).toBe('5');
    hand.click('Clear history', 'button');
    expect(hand.names('listitem')).toEqual([]);
    expect(hand.world.calculator.history).toEqual([]);
  });
});
