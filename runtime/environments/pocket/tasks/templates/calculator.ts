// Tasks about the calculator. Evaluators check its display and memory, and that the history shows how a result came about.

import { type Calculation, emptyWorld } from '../../world.ts';
import { all, fileIs, inWorld, onlyChanged, stateHas, stateIs } from '../conditions.ts';
import { itemAt } from '../draw.ts';
import { addAndMultiply, rememberSum, takePercent, workOut } from '../outcomes/calculator.ts';
import { click, openApp, press, steps, write } from '../scripted-user.ts';
import { inFront } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';
import { paste, saveNoteAs } from './scripts.ts';

const apps = ['calculator'];
const USED = 'calculator.**';

/** The display shows the result, and the last sum has it. */
const shows = (result: number) =>
  all(
    stateIs('calculator.display', String(result)),
    stateHas('calculator.history.0', [`= ${result}`]),
    onlyChanged(USED),
  );

const calculate = (sum: string) => steps(openApp('Calculator'), write(sum));

/** What the calculator cannot do, in two phrasings each. */
const MISSING: Readonly<Record<'train' | 'test', readonly (readonly [string, string])[]>> = {
  train: [
    ['Switch the calculator to hexadecimal numbers', 'I want the calculator to count in hexadecimal'],
    ['Set the calculator to degrees', 'Let the calculator take angles in degrees'],
    ['Print the history of the calculator', 'I want the history of the calculator on paper'],
    ['Make the calculator draw the graph of a sine', 'I want to see the sine drawn by the calculator'],
  ],
  test: [
    ['Switch the calculator to Roman numerals', 'I want the calculator to count in Roman numerals'],
    ['Make the calculator show fractions', 'I want to see results of the calculator as fractions'],
    ['Let the calculator read its results out loud', 'I want to hear what the calculator works out'],
    ['Give the calculator a key for square roots', 'I want to see a key for square roots on the calculator'],
  ],
};

export const CALCULATOR: readonly PocketTemplate[] = [
  template('calculator-sum', { tier: 1, apps }, draw => {
    const [a, b] = [draw.integer(100, 9_999), draw.integer(100, 9_999)];
    const [word, sign, result] = draw.pick([
      ['plus', '+', a + b],
      ['minus', '-', a - b],
      ['times', '*', a * b],
    ] as const);
    return {
      instruction: draw.phrase(...workOut(`${a} ${word} ${b}`).ways),
      world: draw.world(),
      open: inFront('calculator'),
      evaluator: shows(result),
      solve: calculate(`${a}${sign}${b}=`),
      misses: {
        'the result typed, not worked out': calculate(String(result)),
        'not finished': calculate(`${a}${sign}${b}`),
        'another sum': calculate(`${a}${sign}${b + 1}=`),
        'cleared again': steps(calculate(`${a}${sign}${b}=`), press('esc')),
      },
    };
  }),

  template('calculator-chain', { tier: 2, apps }, draw => {
    const [a, b, c] = [draw.integer(12, 99), draw.integer(12, 99), draw.integer(3, 19)];
    const result = (a + b) * c;
    return {
      instruction: draw.phrase(...addAndMultiply(`${a}`, `${b}`, `${c}`).ways),
      world: draw.world(),
      open: draw.chance(0.5) ? [] : inFront('settings'),
      evaluator: shows(result),
      solve: steps(calculate(`${a}+${b}`), write(`*${c}=`)),
      misses: {
        'multiplied first': calculate(`${b}*${c}+${a}=`),
        'the sum alone': calculate(`${a}+${b}=`),
        'the result typed, not worked out': calculate(String(result)),
      },
    };
  }),

  template('calculator-percent', { tier: 2, apps }, draw => {
    const [whole, share] = [draw.integer(3, 90) * 20, draw.pick([5, 10, 15, 20, 25, 35, 40, 60])];
    return {
      instruction: draw.phrase(...takePercent(`${share}`, `${whole}`).ways),
      world: draw.world(),
      open: draw.somewhere('calculator'),
      evaluator: shows((whole * share) / 100),
      solve: steps(calculate(`${whole}*${share}`), click('button', '%'), click('button', '=')),
      misses: {
        'what is left': calculate(`${whole}-${share}%=`),
        'not finished': calculate(`${whole}*${share}%`),
        'without the percent': calculate(`${whole}*${share}=`),
      },
    };
  }),

  template('calculator-memory', { tier: 2, apps }, draw => {
    const [a, b] = [draw.integer(100, 999), draw.integer(100, 999)];
    const before = draw.chance(0.5) ? '' : String(draw.integer(2, 90));
    const calculator: Calculation = { ...emptyWorld().calculator, memory: before };
    const remember = (sum: string, ...buttons: readonly string[]) =>
      steps(calculate(sum), ...buttons.map(name => click('button', name)));
    return {
      instruction: draw.phrase(...rememberSum(`${a}`, `${b}`).ways),
      world: { ...draw.world(), calculator },
      open: draw.nearby('calculator'),
      evaluator: all(stateIs('calculator.memory', String(a + b)), onlyChanged(USED)),
      solve: before === '' ? remember(`${a}+${b}=`, 'M+') : remember(`${a}+${b}=`, 'MC', 'M+'),
      misses: {
        'only worked out': remember(`${a}+${b}=`),
        'kept twice': remember(`${a}+${b}=`, 'M+', 'M+'),
        'before it was worked out': remember(`${a}+${b}`, 'M+'),
        'and forgotten': remember(`${a}+${b}=`, 'M+', 'MC'),
      },
    };
  }),

  template('calculator-note', { tier: 3, apps: ['calculator', 'notes'] }, draw => {
    const [a, b] = [draw.integer(23, 98), draw.integer(112, 989)];
    const { name } = draw.file();
    const path = `/Notes/${name}`;
    const note = (sum: string, as: string) =>
      steps(calculate(sum), press('ctrl', 'c'), openApp('Notes'), paste, saveNoteAs(as));
    return {
      instruction: draw.phrase(
        `Work out ${a} times ${b}, and save the result, nothing else, as a note "${name}".`,
        `How much is ${a} times ${b}? Write only the number into a new note called "${name}".`,
        `Make a note "${name}" that holds the product of ${a} and ${b}.`,
      ),
      world: draw.world(),
      open: draw.somewhere('calculator'),
      evaluator: all(fileIs(path, String(a * b)), onlyChanged(USED, inWorld(path))),
      solve: note(`${a}*${b}=`, name),
      misses: {
        'the sum': note(`${a}+${b}=`, name),
        'under another name': note(`${a}*${b}=`, `my ${name}`),
        'not worked out': note(`${a}*${b}`, name),
      },
    };
  }),

  template('calculator-history', { tier: 2, apps, unseen: true }, draw => {
    const pairs = Array.from({ length: 3 }, () => [draw.integer(100, 999), draw.integer(100, 999)] as const);
    const [[a, b] = [0, 0], [first, second] = [0, 0]] = pairs;
    const factor = draw.integer(3, 9);
    const history = pairs.map(([left, right]) => `${left} + ${right} = ${left + right}`);
    const recall = steps(openApp('Calculator'), click('listitem', itemAt(history, 1)));
    return {
      instruction: draw.phrase(
        `The calculator's history has a sum of ${first} and ${second}. Multiply its result by ${factor}.`,
        `Some time ago the calculator added ${first} and ${second}. Let it show ${factor} times what came out.`,
      ),
      world: { ...draw.world(), calculator: { ...emptyWorld().calculator, history } },
      open: draw.nearby('calculator'),
      evaluator: shows((first + second) * factor),
      solve: steps(recall, write(`*${factor}=`)),
      misses: {
        'the latest sum': calculate(`${a + b}*${factor}=`),
        'only recalled': recall,
        added: calculate(`${first + second}+${factor}=`),
      },
    };
  }),

  template('calculator-infeasible', { tier: 1, apps }, draw => {
    const [wish, another] = draw.pick(draw.isTest ? MISSING.test : MISSING.train);
    return {
      instruction: draw.phrase(`${wish}.`, `${another}.`),
      world: draw.world(),
      open: inFront('calculator'),
      misses: { 'a sum instead': calculate('360/16=') },
    };
  }),
];
