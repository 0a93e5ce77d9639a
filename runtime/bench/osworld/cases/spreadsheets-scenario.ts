// The parts that the scenarios of compare_table share.

import type { Random } from '../../../core/rng.ts';
import { type Change, chance, pick } from './spreadsheets-data.ts';
import type { BookModel } from './spreadsheets-model.ts';

export type RuleModel = Readonly<Record<string, unknown>>;

export interface Scenario {
  /** How often it occurs. */
  readonly weight: number;
  readonly prepare: (book: BookModel, random: Random) => void;
  readonly rule: (book: BookModel, random: Random) => RuleModel;
  readonly changes: readonly Change[];
  /** The file also has its sheets as CSV files. */
  readonly isPrinted?: boolean;
}

/** The same sheet of both files, by its index or its name. */
export function sheetPair(book: BookModel, random: Random): RuleModel {
  const index = chance(random, 8) ? random.int(book.sheets.length) : book.focus;
  const name = book.sheets[index]?.name ?? '';
  const last = chance(random, 30) ? 9 : index;
  return {
    sheet_idx0: pick<unknown>(random, [index, `RI${index}`, `RN${name}`]),
    sheet_idx1: pick(random, [`EI${last}`, `EN${name}`]),
  };
}

/** Some of the items, at least one. */
export const subset = <T>(random: Random, items: readonly T[]): readonly T[] => {
  const some = items.filter(() => chance(random, 3));
  return some.length > 0 ? some : [pick(random, items)];
};
