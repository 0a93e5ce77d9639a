// Random data of workbooks, and changes of it.

import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/rng.ts';
import {
  type BookModel,
  bookModel,
  type CellModel,
  type CellValue,
  cell,
  type SheetModel,
  sheetModel,
} from './spreadsheets-model.ts';
import { word, words } from './words.ts';

export const pick = <T>(random: Random, items: readonly T[]): T => at(items, random.int(items.length));

export const chance = (random: Random, oneIn: number): boolean => random.int(oneIn) === 0;

const decimal = (random: Random, digits: number): number =>
  Number((random.next() * 1000 - 200).toFixed(digits));

/** Makers of the cells of a column. */
const COLUMNS: readonly ((random: Random) => CellModel)[] = [
  random => cell(words(random, 1 + random.int(2)).join(' ')),
  random => cell(words(random, 1 + random.int(2)).join(' '), random.int(4)),
  random => cell(random.int(200) - 20),
  random => cell(decimal(random, 2), 9),
  random => cell(decimal(random, 6)),
  random => cell(43_000 + random.int(3000), 4),
  random => cell(43_000 + Math.round(random.next() * 1e6) / 1e3, 5),
  random => cell(Math.round(random.next() * 1e5) / 1e5, 6),
  random => cell(Math.round(random.next() * 3e4) / 1e4, 7),
  random => cell(random.next(), 8),
  random => cell(chance(random, 2)),
  random => cell(String(random.int(1000))),
  random => cell(pick(random, ['1.50', ' 7 ', '007', '1e3', '-.5', '+4', '12 %', '1,000'])),
  random => cell(pick(random, ['N/A', 'null', 'None', 'nan', 'x', 'NA ', 'inf'])),
  random => cell(pick(random, ['True', 'FALSE', 'true', 'yes'])),
  random => cell({ formula: `SUM(A${1 + random.int(5)}:A9)`, result: decimal(random, 3) }),
  random => cell({ formula: 'A1&"<b>"', result: word(random) }),
  random => pick(random, [cell(random.int(9)), cell({ error: '#N/A' }), cell({ error: '#DIV/0!' })]),
  random => pick(random, [cell(word(random)), cell(random.int(9)), cell(chance(random, 2)), cell(44_000, 4)]),
  () => cell(null, 2),
];

/** Columns that pandas reads as numbers or texts come more often. */
const columnOf = (random: Random): ((random: Random) => CellModel) =>
  chance(random, 2) ? at(COLUMNS, random.int(5)) : pick(random, COLUMNS);

const headerOf = (random: Random): CellModel | null => {
  const kind = random.int(20);
  if (kind === 0) return null;
  if (kind === 1) return cell(2020 + random.int(3));
  if (kind === 2) return cell('total');
  if (kind === 3) return cell(pick<CellValue>(random, [1, true, 1.5, 'Unnamed: 1', 'total.1']));
  if (kind === 4) return cell(43_831 + random.int(2), 4);
  return cell(words(random, 2).join(' '), random.int(2));
};

export function randomSheet(random: Random, name: string): SheetModel {
  const height = chance(random, 15) ? random.int(2) : 2 + random.int(7);
  const makers = Array.from({ length: 1 + random.int(5) }, () => columnOf(random));
  const hasGaps = chance(random, 3);
  const body = Array.from({ length: height }, () =>
    makers.map(make => (hasGaps && chance(random, 5) ? null : make(random))),
  );
  const rows = [makers.map(() => headerOf(random)), ...body];
  if (chance(random, 12)) rows.unshift([], []);
  return sheetModel(name, rows);
}

const NAMES = ['Sheet1', 'Sheet2', 'Données', 'A & B', '2024', 'Sheet 3'];

export function randomBook(random: Random): BookModel {
  const count = 1 + random.int(3);
  const book = bookModel(NAMES.slice(0, count).map(name => randomSheet(random, name)));
  if (chance(random, 4))
    for (const sheet of book.sheets) sheet.name = pick(random, NAMES.slice(2)) + sheet.name;
  book.writer = pick(random, ['calc', 'calc', 'excel', 'openpyxl']);
  if (chance(random, 12)) book.from1904 = true;
  if (chance(random, 20)) book.firstId = 3;
  book.focus = random.int(count);
  return book;
}

export type Change = (book: BookModel, random: Random) => void;

/** Mostly the sheet that the rules are about. */
export const anySheet = ({ sheets, focus }: BookModel, random: Random): SheetModel =>
  (chance(random, 6) ? undefined : sheets[focus]) ?? pick(random, sheets);

/** A random place with a cell in it, in a random sheet. */
function anyCell(book: BookModel, random: Random): CellModel {
  const cells = anySheet(book, random)
    .rows.flat()
    .filter(each => each !== null);
  return cells.length === 0 ? cell(null) : pick(random, cells);
}

const setValue =
  (value: (old: CellValue | null, random: Random) => CellValue | null): Change =>
  (book, random) => {
    const target = anyCell(book, random);
    target.value = value(target.value, random);
  };

/** Changes of values that matter for the data of a sheet. */
export const VALUE_CHANGES: readonly Change[] = [
  setValue((_, random) => word(random)),
  setValue((old, random) => (typeof old === 'number' ? old + pick(random, [1, 0.01, 0.0002, -5]) : 17)),
  setValue(old => (typeof old === 'string' ? old.toUpperCase() : old === null ? 0 : null)),
  setValue(old => (typeof old === 'string' ? ` ${old}` : String(old))),
  setValue(old => (typeof old === 'boolean' ? Number(old) : true)),
  (book, random) => anySheet(book, random).rows.pop(),
  (book, random) => anySheet(book, random).rows.push([cell(word(random)), cell(1)]),
  (book, random) => anySheet(book, random).rows.shift(),
  (book, random) => {
    for (const row of anySheet(book, random).rows) row.splice(0, 1);
  },
  (book, random) => anySheet(book, random).rows.reverse(),
];

/** Changes that do not matter for the data of a sheet, or only sometimes. */
export const HARMLESS_CHANGES: readonly Change[] = [
  setValue(old => (typeof old === 'number' && !Number.isInteger(old) ? old + 1e-7 : old)),
  setValue(old => (typeof old === 'number' ? { formula: 'A1+0', result: old } : old)),
  setValue(old => (typeof old === 'string' && old !== '' ? { formula: 'T(A1)', result: old } : old)),
  (book, random) => anySheet(book, random).rows.push([], [cell(null, 1)]),
  (book, random) => {
    for (const row of anySheet(book, random).rows) row.push(cell(null, 3));
  },
  (book, random) => {
    book.writer = pick(random, ['calc', 'excel']);
  },
  (book, random) => {
    anyCell(book, random).style = random.int(4);
  },
  (book, random) => {
    const numbers = anySheet(book, random).rows.slice(1).flat();
    for (const each of numbers)
      if (each !== null && typeof each.value === 'number') each.value = String(each.value);
  },
  (book, random) => {
    book.activeSheet = random.int(book.sheets.length);
  },
  (book, random) => {
    anySheet(book, random).zoom = 80;
  },
];
