// Deeds with the calculator: sums that were worked out, and the halves of sums on the way there.

import type { Calculation, Operator } from '../../world.ts';
import { toAddAndMultiply, toRemember, toTakePercent, toWorkOut } from '../phrases.ts';
import { alike, only } from './difference.ts';
import { firstOutcome, type Recogniser, said, type WorldChange, type WorldOutcome } from './outcome.ts';

const WORDS: Readonly<Record<Operator, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divided by',
};

interface Sum {
  readonly left: string;
  readonly operator: Operator;
  readonly right: string;
  readonly result: string;
}

interface Reckoning {
  readonly before: Calculation;
  readonly now: Calculation;
  /** What was worked out since, the latest first. */
  readonly sums: readonly Sum[];
}

/** A number as people write it; neither half typed, as '3.', nor with a power of ten. */
const isNumber = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text);
const isCount = (text: string): boolean => /^[1-9]\d*$/.test(text);

const isOperator = (text: string): text is Operator => Object.hasOwn(WORDS, text);

function sumOf(line: string): Sum | undefined {
  const [left = '', operator = '', right = '', equals, result = ''] = line.split(' ');
  const isSum = isOperator(operator) && equals === '=' && [left, right, result].every(isNumber);
  return isSum ? { left, operator, right, result } : undefined;
}

const inWords = ({ left, operator, right }: Omit<Sum, 'result'>): string =>
  `${left} ${WORDS[operator]} ${right}`;

const isQuiet = ({ before, now }: Reckoning): boolean => before.memory === now.memory;

/** What is displayed is the result of the latest sum, and nothing goes on from it. */
const shows = ({ now }: Reckoning, sum: Sum): boolean =>
  now.display === sum.result && now.waiting === undefined;

/** The share that a factor such as 0.15 is; undefined where no whole share is. */
function percentOf(factor: string): string | undefined {
  const share = Math.round(Number(factor) * 100);
  return share > 0 && share < 100 && String(share / 100) === factor ? String(share) : undefined;
}

/** The one sum that was worked out, where its result is displayed and nothing else was done. */
function oneSum(reckoning: Reckoning): Sum | undefined {
  const latest = only(reckoning.sums);
  return latest !== undefined && isQuiet(reckoning) && shows(reckoning, latest) ? latest : undefined;
}

const percent: Recogniser<Reckoning> = reckoning => {
  const { left, operator, right } = oneSum(reckoning) ?? {};
  if (left === undefined || operator !== '*' || !isCount(left)) return undefined;
  const share = percentOf(right ?? '');
  return share === undefined ? undefined : said('calculator-percent', ...toTakePercent(share, left));
};

/** Nobody asks for sums with nothing in them; and of a number with itself the calculator makes one without being told the second. */
const isIdle = ({ left, right }: Pick<Sum, 'left' | 'right'>): boolean =>
  left === '0' || right === '0' || left === right;

const workedOut: Recogniser<Reckoning> = reckoning => {
  const sum = oneSum(reckoning);
  return sum && !isIdle(sum) ? said('calculator-sum', ...toWorkOut(inWords(sum))) : undefined;
};

const chain: Recogniser<Reckoning> = reckoning => {
  const [second, first, ...more] = reckoning.sums;
  if (second === undefined || first === undefined || more.length > 0) return undefined;
  if (!isQuiet(reckoning) || !shows(reckoning, second)) return undefined;
  const goesOn = first.operator === '+' && second.operator === '*' && second.left === first.result;
  // As many people as that pay: at least two.
  const counts = [first.left, first.right, second.right].every(isCount) && second.right !== '1';
  if (!goesOn || !counts) return undefined;
  return said('calculator-chain', ...toAddAndMultiply(first.left, first.right, second.right));
};

const remembered: Recogniser<Reckoning> = reckoning => {
  const sum = only(reckoning.sums);
  if (sum?.operator !== '+' || isQuiet(reckoning) || !shows(reckoning, sum)) return undefined;
  if (reckoning.now.memory !== sum.result) return undefined;
  return said('calculator-memory', ...toRemember(sum.left, sum.right));
};

// Stepping stones: what no template asks for, in words that are near to theirs.

const typed: Recogniser<Reckoning> = reckoning => {
  const { before, now, sums } = reckoning;
  const { display } = now;
  if (sums.length > 0 || !isQuiet(reckoning) || now.waiting !== undefined) return undefined;
  if (display === before.display || display === '0' || !isNumber(display)) return undefined;
  return said(
    'calculator-number',
    `Type ${display} into the calculator.`,
    `Enter the number ${display} into the calculator.`,
    `Let the calculator show ${display}, and work nothing out.`,
  );
};

/** The sum that waits to be worked out, with what was worked out before it where it goes on from that. */
function begun({ now, sums: [sum, ...more] }: Reckoning): string | undefined {
  const { waiting } = now;
  if (waiting === undefined || more.length > 0 || !isNumber(waiting.left)) return undefined;
  if (waiting.left === '0') return undefined;
  if (sum !== undefined && sum.result !== waiting.left) return undefined;
  const left = sum === undefined ? waiting.left : inWords(sum);
  return `${left} ${WORDS[waiting.operator]}`;
}

const withOperator: Recogniser<Reckoning> = reckoning => {
  const left = begun(reckoning);
  if (left === undefined || !isQuiet(reckoning) || reckoning.now.stage !== 'result') return undefined;
  return said(
    'calculator-operator',
    `Enter ${left} into the calculator.`,
    `Type ${left} with the calculator, and nothing behind it.`,
    `Begin to calculate: ${left}. The next number comes later.`,
  );
};

const withOperand: Recogniser<Reckoning> = reckoning => {
  const { now } = reckoning;
  const left = begun(reckoning);
  if (left === undefined || !isQuiet(reckoning) || now.stage === 'result') return undefined;
  if (!isNumber(now.display)) return undefined;
  return said(
    'calculator-operand',
    `Enter ${left} ${now.display} into the calculator, without the result.`,
    `Type ${left} ${now.display} with the calculator, but do not work it out yet.`,
  );
};

const keptNumber: Recogniser<Reckoning> = reckoning => {
  const { now, sums } = reckoning;
  const { memory } = now;
  if (sums.length > 0 || isQuiet(reckoning) || now.waiting !== undefined) return undefined;
  if (memory !== now.display || !isNumber(memory)) return undefined;
  return said(
    'calculator-keep',
    `Make the calculator's memory hold ${memory}.`,
    `Keep the number ${memory} in the memory of the calculator.`,
  );
};

const forgotten: Recogniser<Reckoning> = ({ before, now }) =>
  now.memory === '' && alike({ ...before, memory: '' }, now)
    ? said(
        'calculator-forget',
        "Clear the calculator's memory.",
        'The calculator should keep nothing in its memory any more.',
      )
    : undefined;

const NAMERS = [percent, workedOut, chain, remembered, typed, withOperator, withOperand, keptNumber] as const;

export function calculatorDeed(told: WorldChange): WorldOutcome | undefined {
  const [before, now] = [told.start.calculator, told.end.calculator];
  const cleared = forgotten({ before, now, sums: [] }, told);
  const count = now.history.length - before.history.length;
  // More than two sums are no one thing; with a history cut or cleared nobody can tell what was worked out.
  if (cleared !== undefined || count < 0 || count > 2) return cleared;
  if (!alike(now.history.slice(count), before.history)) return undefined;
  const sums = now.history.slice(0, count).map(sumOf);
  const readable = sums.filter(each => each !== undefined);
  return readable.length < count ? undefined : firstOutcome(NAMERS, { before, now, sums: readable }, told);
}
