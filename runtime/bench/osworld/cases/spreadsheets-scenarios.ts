// Scenarios of compare_table: for each type of rule, what the workbook has, the rules, and the changes that matter.

import type { Random } from '../../../core/rng.ts';
import { anySheet, type Change, chance, pick, VALUE_CHANGES } from './spreadsheets-data.ts';
import { LAYOUT_SCENARIOS } from './spreadsheets-layouts.ts';
import { type BookModel, cell, sheetModel } from './spreadsheets-model.ts';
import { OBJECT_SCENARIOS } from './spreadsheets-objects.ts';
import { type RuleModel, type Scenario, sheetPair } from './spreadsheets-scenario.ts';
import { word, words } from './words.ts';

const nothing = (): void => undefined;

const CELL_METHODS: readonly ((value: number, random: Random) => RuleModel)[] = [
  value => ({ method: 'eq', ref: value }),
  value => ({ method: 'ne', ref: value }),
  (value, random) => ({ method: pick(random, ['le', 'lt', 'ge', 'gt']), ref: value }),
  (value, random) => ({
    method: pick(random, ['approx:0.1', 'approx:0.001']),
    ref: value + pick(random, [0, 0.05]),
  }),
  (value, random) => ({
    method: pick(random, ['range.te', 'range.ee', 'range.tt', 'range.et']),
    ref: [value - random.int(2), value + 1],
  }),
];

const TEXT_METHODS: readonly ((value: string) => RuleModel)[] = [
  value => ({ method: 'eq', ref: value }),
  value => ({ method: 're', ref: `^${value.slice(0, 2).replace(/\W/g, '.')}` }),
  value => ({ method: 're.I', ref: value.toUpperCase().replace(/[^A-Z]/g, '.') }),
  value => ({ method: 'str_list_eq', ref: value.split(',') }),
  value => ({ method: 'str_set_eq', ref: [value, value] }),
];

const STYLE_RULES: readonly [name: string, ref: unknown][] = [
  ['font_bold', true],
  ['font_name', 'Calibri'],
  ['font_size', 11],
  ['font_family', 2],
  ['font_italic', false],
  ['font_underline', null],
  ['font_color', 'FF0000FF'],
  ['bgcolor', 'FFFFFF00'],
  ['fgcolor', '00000000'],
  ['fill_type', 'patternFill'],
  ['number_format', 'General'],
  ['merge', false],
  ['hyperlink', ''],
];

function cellRule(book: BookModel, random: Random): RuleModel {
  const index = book.focus;
  const row = random.int(4);
  const column = random.int(3);
  const value = book.sheets[index]?.rows[row]?.[column]?.value ?? null;
  const found = typeof value === 'object' && value !== null && 'result' in value ? value.result : value;
  const [name, ref] = pick(random, STYLE_RULES);
  const valueRule =
    typeof found === 'string'
      ? pick(random, TEXT_METHODS)(found)
      : pick(random, CELL_METHODS)(Number(found), random);
  return {
    type: 'check_cell',
    sheet_idx: pick<unknown>(random, [index, `RI${index}`, index, `EI${index}`]),
    coordinate: `${'ABC'[column]}${row + 1}`,
    props: {
      ...(!chance(random, 4) && { value: valueRule }),
      ...(chance(random, 3) && { [name]: { method: 'eq', ref } }),
    },
  };
}

const FUZZY: readonly ((random: Random) => RuleModel)[] = [
  () => ({ type: 'exact_match' }),
  () => ({ type: 'exact_match', ignore_case: true }),
  random => ({ type: 'fuzzy_match', threshold: pick(random, [85, 90, 60]) }),
  () => ({
    type: 'fuzzy_match',
    ignore_case: true,
    normalization: [
      ['Street', 'St'],
      ['e', 'E'],
    ],
  }),
  () => ({ type: 'includes', trim_leadings: '+ ', ignore_chars: ' ()-' }),
  () => ({ type: 'included_by', trim_trailings: ' .0', ignore_case: true }),
];

const respelled: Change = (book, random) => {
  for (const row of anySheet(book, random).rows)
    for (const each of row)
      if (each !== null && typeof each.value === 'string')
        each.value = pick(random, [
          each.value,
          each.value.toUpperCase(),
          ` ${each.value}`,
          `+ ${each.value}`,
          `${each.value}.`,
          `${each.value}e`,
          each.value.replace('e', '(e)'),
        ]);
};

const VALUE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  sheet_data: {
    weight: 12,
    prepare: nothing,
    rule: (book, random) => ({
      type: 'sheet_data',
      ...(chance(random, 8)
        ? { sheet_idx0: 0, sheet_idx1: book.sheets.length - 1 }
        : sheetPair(book, random)),
      ...(chance(random, 3) && { precision: pick(random, [0, 1, 2, 3, 6, -1]) }),
    }),
    changes: [...VALUE_CHANGES],
  },
  sheet_name: {
    weight: 2,
    prepare: nothing,
    rule: () => ({ type: 'sheet_name' }),
    changes: [
      (book, random) => {
        anySheet(book, random).name += pick(random, [' ', 'x']);
      },
      book => book.sheets.reverse(),
      book => book.sheets.push(sheetModel('More', [[cell('a')]])),
    ],
  },
  sheet_print: {
    weight: 4,
    prepare: nothing,
    rule: (book, random) => ({
      type: 'sheet_print',
      ...sheetPair(book, random),
      ...(chance(random, 2) && { ignore_case: chance(random, 2) }),
    }),
    changes: [...VALUE_CHANGES.slice(0, 3)],
    isPrinted: true,
  },
  sheet_fuzzy: {
    weight: 5,
    prepare: (book, random) => {
      if (chance(random, 2))
        anySheet(book, random).rows.push(words(random, 3).map(each => cell(`${each} Street`)));
    },
    rule: (book, random) => ({
      type: 'sheet_fuzzy',
      ...sheetPair(book, random),
      rules: Array.from({ length: 1 + random.int(2) }, () => ({
        range: pick(random, [['A1:B3', 'C2'], ['A2:A6'], ['B1:D2', 'A9'], 'A1:A3 B2']),
        ...pick(random, FUZZY)(random),
      })),
    }),
    changes: [respelled, respelled, ...VALUE_CHANGES.slice(0, 5)],
  },
  check_cell: {
    weight: 5,
    prepare: (book, random) => {
      if (chance(random, 3))
        anySheet(book, random).rows[0] = [cell('"a,b,c"'), cell('a,b', 1), cell(word(random), 3)];
    },
    rule: cellRule,
    changes: [...VALUE_CHANGES],
  },
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  ...VALUE_SCENARIOS,
  ...LAYOUT_SCENARIOS,
  ...OBJECT_SCENARIOS,
};
