// Outcomes of the calculator: sums that were worked out, and the first steps of sums.

import { sameValue } from '../../../../tasks/metrics/same-value.ts';
import type { Calculation, Operator } from '../../world.ts';
import { defineOutcome, firstOf, type WorldChange, type WorldOutcome } from './outcome.ts';

const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divided by',
};

/** `sum` is in words, such as '12 plus 30'. */
export const workOut = defineOutcome('calculator-sum', (sum: string) => [
  `Work out ${sum} with the calculator.`,
  `How much is ${sum}? Let the calculator show the result.`,
  `Calculate ${sum}, and leave the result in the display.`,
]);

export const addAndMultiply = defineOutcome('calculator-chain', (a: string, b: string, factor: string) => [
  `Add ${a} and ${b} and multiply what you get by ${factor}, with the calculator.`,
  `${factor} people each pay ${a} and then ${b} more. Let the calculator show what all of them pay together.`,
  `Take the sum of ${a} and ${b} times ${factor}, and leave the result in the calculator's display.`,
]);

export const takePercent = defineOutcome('calculator-percent', (share: string, whole: string) => [
  `How much is ${share} percent of ${whole}? Let the calculator show it.`,
  `Work out ${share} % of ${whole} with the calculator, and leave the result in its display.`,
  `Something that costs ${whole} becomes ${share} percent cheaper. Work out with the calculator how much one saves.`,
]);

export const rememberSum = defineOutcome('calculator-memory', (a: string, b: string) => [
  `Put the sum of ${a} and ${b} into the calculator's memory, in place of whatever is there.`,
  `Add ${a} and ${b} with the calculator, and make its memory hold exactly the result.`,
  `The memory of the calculator should hold ${a} plus ${b}, and nothing that was in it before.`,
]);

const typeNumber = defineOutcome('calculator-number', (number: string) => [
  `Type ${number} into the calculator.`,
  `Enter the number ${number} into the calculator.`,
  `Let the calculator show ${number}, and work nothing out.`,
]);

const typeOperator = defineOutcome('calculator-operator', (left: string) => [
  `Enter ${left} into the calculator.`,
  `Type ${left} with the calculator, and nothing behind it.`,
  `Begin to calculate: ${left}. The next number comes later.`,
]);

const typeOperand = defineOutcome('calculator-operand', (left: string, right: string) => [
  `Enter ${left} ${right} into the calculator, without the result.`,
  `Type ${left} ${right} with the calculator, but do not work it out yet.`,
]);

const rememberNumber = defineOutcome('calculator-keep', (number: string) => [
  `Make the calculator's memory hold ${number}.`,
  `Keep the number ${number} in the memory of the calculator.`,
]);

const clearMemory = defineOutcome('calculator-forget', () => [
  "Clear the calculator's memory.",
  'The calculator should keep nothing in its memory any more.',
]);

interface Sum {
  readonly left: string;
  readonly operator: Operator;
  readonly right: string;
  readonly result: string;
}

/** A complete number without an exponent. */
const isNumber = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text);
const isCount = (text: string): boolean => /^[1-9]\d*$/.test(text);
const isOperator = (text: string): text is Operator => Object.hasOwn(OPERATOR_WORDS, text);

function parseSum(line: string): Sum | undefined {
  const [left = '', operator = '', right = '', equals, result = ''] = line.split(' ');
  const isSum = isOperator(operator) && equals === '=' && [left, right, result].every(isNumber);
  return isSum ? { left, operator, right, result } : undefined;
}

const inWords = ({ left, operator, right }: Sum): string => `${left} ${OPERATOR_WORDS[operator]} ${right}`;

function percentOutcome({ left, operator, right }: Sum): WorldOutcome | undefined {
  const share = Math.round(Number(right) * 100);
  const isShare = share > 0 && share < 100 && String(share / 100) === right;
  return isShare && operator === '*' && isCount(left) ? takePercent(String(share), left) : undefined;
}

/** Instructions never ask for sums with 0; and '5 + =' adds 5 to itself without a second operand. */
const isTrivial = ({ left, right }: Sum): boolean => left === '0' || right === '0' || left === right;

/** 'Factor people each pay': they are at least two. */
function chainOutcome(first: Sum, second: Sum): WorldOutcome | undefined {
  const isChain = first.operator === '+' && second.operator === '*' && second.left === first.result;
  const areCounts = [first.left, first.right, second.right].every(isCount) && second.right !== '1';
  return isChain && areCounts ? addAndMultiply(first.left, first.right, second.right) : undefined;
}

/** The sum that waits for its right operand, after the sum whose result it continues. */
function unfinishedSum({ waiting }: Calculation, sums: readonly Sum[]): string | undefined {
  const [sum] = sums;
  if (waiting === undefined || sums.length > 1 || !isNumber(waiting.left) || waiting.left === '0')
    return undefined;
  if (sum !== undefined && sum.result !== waiting.left) return undefined;
  return `${sum === undefined ? waiting.left : inWords(sum)} ${OPERATOR_WORDS[waiting.operator]}`;
}

/** `sums` were worked out in the episode, the latest first. */
function calculation(before: Calculation, now: Calculation, sums: readonly Sum[]): WorldOutcome | undefined {
  const { display, memory, stage, waiting } = now;
  const [latest, first] = sums;
  const isResult = waiting === undefined && display === latest?.result;
  const isSameMemory = memory === before.memory;
  if (latest !== undefined && isResult && isSameMemory) {
    if (first !== undefined) return chainOutcome(first, latest);
    return firstOf(percentOutcome(latest), !isTrivial(latest) && workOut(inWords(latest)));
  }
  if (latest !== undefined && isResult) {
    const isRemembered = first === undefined && latest.operator === '+' && memory === latest.result;
    return isRemembered ? rememberSum(latest.left, latest.right) : undefined;
  }
  const left = unfinishedSum(now, sums);
  const isNewNumber = latest === undefined && waiting === undefined && display !== before.display;
  return firstOf(
    isSameMemory && isNewNumber && display !== '0' && isNumber(display) && typeNumber(display),
    isSameMemory && left !== undefined && stage === 'result' && typeOperator(left),
    isSameMemory &&
      left !== undefined &&
      stage !== 'result' &&
      isNumber(display) &&
      typeOperand(left, display),
    !isSameMemory &&
      latest === undefined &&
      waiting === undefined &&
      memory === display &&
      isNumber(memory) &&
      rememberNumber(memory),
  );
}

export function calculatorOutcome({ start, end }: WorldChange): WorldOutcome | undefined {
  const [before, now] = [start.calculator, end.calculator];
  if (now.memory === '' && sameValue({ ...before, memory: '' }, now)) return clearMemory();
  const count = now.history.length - before.history.length;
  // More than two sums are no single outcome, and a cleared history hides what was worked out.
  if (count < 0 || count > 2 || !sameValue(now.history.slice(count), before.history)) return undefined;
  const sums = now.history.slice(0, count).flatMap(line => parseSum(line) ?? []);
  return sums.length < count ? undefined : calculation(before, now, sums);
}
