// What each key of the calculator does. As on a pocket calculator, sums are worked out from left to right
// while they are typed. Pure: a calculation goes in and a calculation comes out.

import { type Calculation, OPERATORS, type Operator } from '../../world.ts';
import { computed, type Decimal, DIGITS, hundredth, negated, parsed, shown, ZERO } from './decimal.ts';

export const KEYS = [
  ...['MC', 'MR', 'M+', 'Backspace'],
  ...['C', '+/-', '%', '/'],
  ...['7', '8', '9', '*'],
  ...['4', '5', '6', '-'],
  ...['1', '2', '3', '+'],
  ...['0', '.', '='],
] as const;

export const FAILURE = 'Error';
/** Older sums are forgotten. */
const REMEMBERED = 20;

export const cleared = (calculation: Calculation): Calculation => ({
  ...calculation,
  display: '0',
  stage: 'typing',
  waiting: undefined,
  again: undefined,
});

/** The calculation after a key. After a failure only C, and what concerns the memory alone, does anything. */
export function pressed(calculation: Calculation, key: string): Calculation {
  if (key === 'C') return cleared(calculation);
  if (key === 'MC') return { ...calculation, memory: '' };
  if (calculation.display === FAILURE) return calculation;
  if (/^[0-9.]$/.test(key)) return withTyped(calculation, key);
  const operator = OPERATORS.find(each => each === key);
  if (operator !== undefined) return withOperator(calculation, operator);
  switch (key) {
    case '=':
      return worked(calculation);
    case 'Backspace':
      return shortened(calculation);
    case '+/-':
      return signed(calculation);
    case '%':
      return percent(calculation);
    case 'MR':
      return calculation.memory === '' ? calculation : withOperand(calculation, numberOf(calculation.memory));
    case 'M+': {
      const sum = computed(numberOf(calculation.memory), '+', numberOf(calculation.display));
      if (sum === undefined) return failed(calculation);
      const stage = calculation.stage === 'typing' ? 'operand' : calculation.stage;
      return { ...calculation, stage, memory: shown(sum) };
    }
    default:
      return calculation;
  }
}

/**
 * The calculation with a number in the place where one is typed, from the memory, the clipboard or the
 * history.
 */
export const withOperand = (calculation: Calculation, value: Decimal): Calculation => ({
  ...calculation,
  display: shown(value),
  stage: 'operand',
});

const numberOf = (text: string): Decimal => parsed(text) ?? ZERO;

const failed = (calculation: Calculation): Calculation => ({ ...cleared(calculation), display: FAILURE });

function withTyped(calculation: Calculation, key: string): Calculation {
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

function shortened(calculation: Calculation): Calculation {
  if (calculation.stage !== 'typing') return calculation;
  const display = calculation.display.slice(0, -1);
  return { ...calculation, display: display === '' || display === '-' ? '0' : display };
}

function signed(calculation: Calculation): Calculation {
  const { display, stage } = calculation;
  if (stage !== 'typing') return withOperand(calculation, negated(numberOf(display)));
  if (display === '0') return calculation;
  return { ...calculation, display: display.startsWith('-') ? display.slice(1) : `-${display}` };
}

/** A hundredth; after + and - that part of the left operand, as in 200 + 10 %. */
function percent(calculation: Calculation): Calculation {
  const share = hundredth(numberOf(calculation.display));
  const { waiting } = calculation;
  const part =
    waiting?.operator === '+' || waiting?.operator === '-'
      ? computed(numberOf(waiting.left), '*', share)
      : share;
  return part === undefined ? failed(calculation) : withOperand(calculation, part);
}

function withOperator(calculation: Calculation, operator: Operator): Calculation {
  // Another operator right after the first takes its place.
  const replaced = calculation.waiting !== undefined && calculation.stage === 'result';
  const done = calculation.waiting === undefined || replaced ? calculation : worked(calculation);
  if (done.display === FAILURE) return done;
  const left = shown(numberOf(done.display));
  return { ...done, display: left, stage: 'result', waiting: { left, operator }, again: undefined };
}

/** The sum that waits, or the last one's second half once more. */
function worked(calculation: Calculation): Calculation {
  const { display, waiting, again } = calculation;
  const right = shown(numberOf(display));
  const sum =
    waiting !== undefined
      ? { left: waiting.left, operator: waiting.operator, right }
      : again !== undefined
        ? { left: right, operator: again.operator, right: again.right }
        : undefined;
  if (sum === undefined) return { ...calculation, display: right, stage: 'result' };
  const result = computed(numberOf(sum.left), sum.operator, numberOf(sum.right));
  const text = result === undefined ? FAILURE : shown(result);
  const history = [
    `${sum.left} ${sum.operator} ${sum.right} = ${text}`,
    ...calculation.history.slice(0, REMEMBERED - 1),
  ];
  if (result === undefined) return { ...failed(calculation), history };
  return {
    ...calculation,
    display: text,
    stage: 'result',
    waiting: undefined,
    again: { operator: sum.operator, right: sum.right },
    history,
  };
}
