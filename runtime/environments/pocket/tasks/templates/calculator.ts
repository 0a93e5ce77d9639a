// Tasks about the calculator. What counts is what it shows and keeps in the end, and that it has worked that out.

import { type Calculation, emptyWorld } from '../../world.ts';
import { toAddAndMultiply, toRemember, toTakePercent, toWorkOut } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, infeasible, onlyChanged, type PocketTemplate, stateHas, stateIs } from '../template.ts';
import { placeOf, saveNoteAs } from './chores.ts';
import { nearby, somewhere } from './mail-desk.ts';

const APPS = ['calculator'];
const open = [{ app: 'calculator' }];
const USED = 'calculator.**';

/** The result is displayed, and came out of a sum. */
const shows = (result: number) => [
  stateIs('calculator.display', String(result)),
  stateHas('calculator.history.0', [`= ${result}`]),
];

const typed = (sum: string) => (hand: ScriptedUser) => {
  hand.open('Calculator');
  hand.type(sum);
};

const sum: PocketTemplate = {
  id: 'calculator-sum',
  tier: 1,
  apps: APPS,
  make: draw => {
    const [a, b] = [draw.whole(100, 9_999), draw.whole(100, 9_999)];
    const [word, sign, result] = draw.one([
      ['plus', '+', a + b],
      ['minus', '-', a - b],
      ['times', '*', a * b],
    ] as const);
    return {
      instruction: draw.say(...toWorkOut(`${a} ${word} ${b}`)),
      world: draw.world(),
      open,
      evaluator: all(...shows(result), onlyChanged(USED)),
      solve: typed(`${a}${sign}${b}=`),
      misses: {
        'the result typed, not worked out': typed(String(result)),
        'not finished': typed(`${a}${sign}${b}`),
        'another sum': typed(`${a}${sign}${b + 1}=`),
        'cleared again': hand => {
          typed(`${a}${sign}${b}=`)(hand);
          hand.keys('esc');
        },
      },
    };
  },
};

const chain: PocketTemplate = {
  id: 'calculator-chain',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [a, b, c] = [draw.whole(12, 99), draw.whole(12, 99), draw.whole(3, 19)];
    const result = (a + b) * c;
    return {
      instruction: draw.say(...toAddAndMultiply(`${a}`, `${b}`, `${c}`)),
      world: draw.world(),
      open: draw.chance(0.5) ? [] : [{ app: 'settings' }],
      evaluator: all(...shows(result), onlyChanged(USED)),
      solve: hand => {
        typed(`${a}+${b}`)(hand);
        hand.type(`*${c}=`);
      },
      misses: {
        'multiplied first': typed(`${b}*${c}+${a}=`),
        'the sum alone': typed(`${a}+${b}=`),
        'the result typed, not worked out': typed(String(result)),
      },
    };
  },
};

const percent: PocketTemplate = {
  id: 'calculator-percent',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [whole, share] = [draw.whole(3, 90) * 20, draw.one([5, 10, 15, 20, 25, 35, 40, 60])];
    const result = (whole * share) / 100;
    return {
      instruction: draw.say(...toTakePercent(`${share}`, `${whole}`)),
      world: draw.world(),
      open: somewhere(draw, 'calculator'),
      evaluator: all(...shows(result), onlyChanged(USED)),
      solve: hand => {
        typed(`${whole}*${share}`)(hand);
        hand.click('button', '%');
        hand.click('button', '=');
      },
      misses: {
        'what is left': typed(`${whole}-${share}%=`),
        'not finished': typed(`${whole}*${share}%`),
        'without the percent': typed(`${whole}*${share}=`),
      },
    };
  },
};

const memory: PocketTemplate = {
  id: 'calculator-memory',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [a, b] = [draw.whole(100, 999), draw.whole(100, 999)];
    const before = draw.chance(0.5) ? '' : String(draw.whole(2, 90));
    const calculator: Calculation = { ...emptyWorld().calculator, memory: before };
    const kept =
      (total: string, ...keys: readonly string[]) =>
      (hand: ScriptedUser) => {
        typed(total)(hand);
        for (const key of keys) hand.click('button', key);
      };
    return {
      instruction: draw.say(...toRemember(`${a}`, `${b}`)),
      world: { ...draw.world(), calculator },
      open: nearby(draw, 'calculator'),
      evaluator: all(stateIs('calculator.memory', String(a + b)), onlyChanged(USED)),
      solve: before === '' ? kept(`${a}+${b}=`, 'M+') : kept(`${a}+${b}=`, 'MC', 'M+'),
      misses: {
        'only worked out': kept(`${a}+${b}=`),
        'kept twice': kept(`${a}+${b}=`, 'M+', 'M+'),
        'before it was worked out': kept(`${a}+${b}`, 'M+'),
        'and forgotten': kept(`${a}+${b}=`, 'M+', 'MC'),
      },
    };
  },
};

const toNote: PocketTemplate = {
  id: 'calculator-note',
  tier: 3,
  apps: ['calculator', 'notes'],
  make: draw => {
    const [a, b] = [draw.whole(23, 98), draw.whole(112, 989)];
    const name = draw.file().name;
    const path = `/Notes/${name}`;
    const noted = (total: string, as: string) => (hand: ScriptedUser) => {
      typed(total)(hand);
      hand.keys('ctrl', 'c');
      hand.open('Notes');
      hand.keys('ctrl', 'v');
      saveNoteAs(hand, as);
    };
    return {
      instruction: draw.say(
        `Work out ${a} times ${b}, and save the result, nothing else, as a note "${name}".`,
        `How much is ${a} times ${b}? Write only the number into a new note called "${name}".`,
        `Make a note "${name}" that holds the product of ${a} and ${b}.`,
      ),
      world: draw.world(),
      open: somewhere(draw, 'calculator'),
      evaluator: all(fileIs(path, String(a * b)), onlyChanged(USED, placeOf(path))),
      solve: noted(`${a}*${b}=`, name),
      misses: {
        'the sum': noted(`${a}+${b}=`, name),
        'under another name': noted(`${a}*${b}=`, `my ${name}`),
        'not worked out': noted(`${a}*${b}`, name),
      },
    };
  },
};

const recall: PocketTemplate = {
  id: 'calculator-history',
  tier: 2,
  apps: APPS,
  unseen: true,
  make: draw => {
    const lines = Array.from({ length: 3 }, () => [draw.whole(100, 999), draw.whole(100, 999)] as const);
    const [first = 0, second = 0] = lines[1] ?? [];
    const [before, times] = [first + second, draw.whole(3, 9)];
    const history = lines.map(([a, b]) => `${a} + ${b} = ${a + b}`);
    const [latest] = lines.map(([a, b]) => a + b);
    const calculator: Calculation = { ...emptyWorld().calculator, history };
    const result = before * times;
    return {
      instruction: draw.say(
        `The calculator's history has a sum of ${first} and ${second}. Multiply its result by ${times}.`,
        `Some time ago the calculator added ${first} and ${second}. Let it show ${times} times what came out.`,
      ),
      world: { ...draw.world(), calculator },
      open: nearby(draw, 'calculator'),
      evaluator: all(...shows(result), onlyChanged(USED)),
      solve: hand => {
        hand.open('Calculator');
        hand.click('listitem', history[1] ?? '');
        hand.type(`*${times}=`);
      },
      misses: {
        'the latest sum': typed(`${latest}*${times}=`),
        'only recalled': hand => {
          hand.open('Calculator');
          hand.click('listitem', history[1] ?? '');
        },
        added: typed(`${before}+${times}=`),
      },
    };
  },
};

/** What the calculator cannot, each in two ways. */
const BEYOND: Readonly<Record<'train' | 'test', readonly (readonly [string, string])[]>> = {
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

const impossible: PocketTemplate = {
  id: 'calculator-infeasible',
  tier: 1,
  apps: APPS,
  make: draw => {
    const [wish, another] = draw.one(draw.isTest ? BEYOND.test : BEYOND.train);
    return {
      instruction: draw.say(`${wish}.`, `${another}.`),
      world: draw.world(),
      open,
      evaluator: infeasible(),
      solve: () => undefined,
      misses: { 'a sum instead': typed('360/16=') },
    };
  },
};

export const CALCULATOR: readonly PocketTemplate[] = [
  sum,
  chain,
  percent,
  memory,
  toNote,
  recall,
  impossible,
];
