// The effect of each key. As on a pocket calculator, operators apply from left to right while they are typed. Pure functions
// from one calculation to the next.

import { type Calculation, OPERATORS, type Operator } from '../../world.ts';
import {
  compute,
  type Decimal,
  DIGITS,
  formatDecimal,
  hundredth,
  negated,
  parseDecimal,
  ZERO,
} from './decimal.ts';

export const KEYS = [
  ...['MC', 'MR', 'M+', 'Backspace'],
  ...['C', '+/-', '%', '/'],
  ...['7', '8', '9', '*'],
  ...['4', '5', '6', '-'],
  ...['1', '2', '3', '+'],
  ...['0', '.', '='],
] as const;

export const FAILURE = 'Error';
const MAX_HISTORY = 20;

export const clear = (calculation: Calculation): Calculation => ({
  ...calculation,
  display: '0',
  stage: 'typing',
  waiting: undefined,
  again: undefined,
});

/** Applies a key. After an error only C and MC have an effect. */
export function press(calculation: Calculation, key: string): Calculation {
  if (key === 'C') return clear(calculation);
  if (key === 'MC') return { ...calculation, memory: '' };
  if (calculation.display === FAILURE) return calculation;
  if (/^[0-9.]$/.test(key)) return typeDigit(calculation, key);
  const operator = OPERATORS.find(each => each === key);
  if (operator !== undefined) return typeOperator(calculation, operator);
  switch (key) {
    case '=':
      return equals(calculation);
    case 'Backspace':
      return backspace(calculation);
    case '+/-':
      return changeSign(calculation);
    case '%':
      return percent(calculation);
    case 'MR':
      return calculation.memory === '' ? calculation : withOperand(calculation, numberOf(calculation.memory));
    case 'M+': {
      const sum = compute(numberOf(calculation.memory), '+', numberOf(calculation.display));
      if (sum === undefined) return fail(calculation);
      const stage = calculation.stage === 'typing' ? 'operand' : calculation.stage;
      return { ...calculation, stage, memory: formatDecimal(sum) };
    }
    default:
      return calculation;
  }
}

/** Puts a number from the memory, the clipboard or the history into the display. */
export const withOperand = (calculation: Calculation, value: Decimal): Calculation => ({
  ...calculation,
  display: formatDecimal(value),
  stage: 'operand',
});

const numberOf = (text: string): Decimal => parseDecimal(text) ?? ZERO;

const fail = (calculation: Calculation): Calculation => ({ ...clear(calculation), display: FAILURE });

function typeDigit(calculation: Calculation, key: string): Calculation {
  const before = calculation.stage === 'typing' ? calculation.display : '0';
  const full = before.replace(/\D/g, '').length >= DIGITS;
  const display =
    key === '.'
      ? before + (before.includes('.') ? '' : '.')
      : before === '0'
        ? key
        : before + (full ? '' : key);
  return { ...calculation, display, stage: 'typing' };
}

function backspace(calculation: Calculation): Calculation {
  if (calculation.stage !== 'typing') return calculation;
  const display = calculation.display.slice(0, -1);
  return { ...calculation, display: display === '' || display === '-' ? '0' : display };
}

function changeSign(calculation: Calculation): Calculation {
  const { display, stage } = calculation;
  if (stage !== 'typing') return withOperand(calculation, negated(numberOf(display)));
  if (display === '0') return calculation;
  return { ...calculation, display: display.startsWith('-') ? display.slice(1) : `-${display}` };
}

/** Divides by 100; after + and - that share of the left operand, as in 200 + 10 %. */
function percent(calculation: Calculation): Calculation {
  const share = hundredth(numberOf(calculation.display));
  const { waiting } = calculation;
  const part =
    waiting?.operator === '+' || waiting?.operator === '-'
      ? compute(numberOf(waiting.left), '*', share)
      : share;
  return part === undefined ? fail(calculation) : withOperand(calculation, part);
}

function typeOperator(calculation: Calculation, operator: Operator): Calculation {
  // An operator directly after another replaces it.
  const replaced = calculation.waiting !== undefined && calculation.stage === 'result';
  const done = calculation.waiting === undefined || replaced ? calculation : equals(calculation);
  if (done.display === FAILURE) return done;
  const left = formatDecimal(numberOf(done.display));
  return { ...done, display: left, stage: 'result', waiting: { left, operator }, again: undefined };
}

/** Computes the pending operation, or repeats the last one. */
function equals(calculation: Calculation): Calculation {
  const { display, waiting, again } = calculation;
  const right = formatDecimal(numberOf(display));
  const sum =
    waiting !== undefined
      ? { left: waiting.left, operator: waiting.operator, right }
      : again !== undefined
        ? { left: right, operator: again.operator, right: again.right }
        : undefined;
  if (sum === undefined) return { ...calculation, display: right, stage: 'result' };
  const result = compute(numberOf(sum.left), sum.operator, numberOf(sum.right));
  const text = result === undefined ? FAILURE : formatDecimal(result);
  const history = [
    `${sum.left} ${sum.operator} ${sum.right} = ${text}`,
    ...calculation.history.slice(0, MAX_HISTORY - 1),
  ];
  if (result === undefined) return { ...fail(calculation), history };
  return {
    ...calculation,
    display: text,
    stage: 'result',
    waiting: undefined,
    again: { operator: sum.operator, right: sum.right },
    history,
  };
}
