// Cases of the metrics in `tasks/metrics/spreadsheets`.

import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import type { CaseMakers, MetricCase } from '../metric-case.ts';
import { chance, HARMLESS_CHANGES, pick, randomBook } from './spreadsheets-data.ts';
import { workbookBytes, workbookParts } from './spreadsheets-file.ts';
import { type BookModel, bookModel, cell, type SheetModel, sheetModel } from './spreadsheets-model.ts';
import type { Scenario } from './spreadsheets-scenario.ts';
import { SCENARIOS } from './spreadsheets-scenarios.ts';
import { textFile, word, words } from './words.ts';
import { zipOf } from './zip.ts';

const scenarioList: readonly Scenario[] = Object.values(SCENARIOS).flatMap(scenario =>
  Array.from({ length: scenario.weight }, () => scenario),
);

function tableCase(random: Random): MetricCase {
  const scenarios = [pick(random, scenarioList), ...(chance(random, 4) ? [pick(random, scenarioList)] : [])];
  const expected = randomBook(random);
  for (const scenario of scenarios) scenario.prepare(expected, random);
  const result = structuredClone(expected);
  for (const scenario of scenarios)
    for (let count = pick(random, [0, 1, 1, 2, 2]); count > 0; count--)
      pick(random, chance(random, 3) ? HARMLESS_CHANGES : scenario.changes)(result, random);
  const isPrinted = scenarios.some(scenario => scenario.isPrinted);
  const rules = scenarios.map(scenario => scenario.rule(expected, random));
  const needsExpected = rules.some(rule => 'sheet_idx1' in rule || String(rule['sheet_idx']).startsWith('E'));
  return {
    result: resultFile(result, isPrinted, random),
    ...((needsExpected || chance(random, 2)) && {
      expected: bookFile('gold.xlsx', expected, isPrinted, random),
    }),
    options: { rules },
  };
}

function bookFile(name: string, book: BookModel, isPrinted: boolean, random: Random): TaskFile {
  const file = { name, bytes: workbookBytes(book) };
  if (!isPrinted) return file;
  const stem = name.replace(/\.xlsx$/, '');
  return {
    ...file,
    siblings: book.sheets.map(sheet => textFile(`${stem}-${sheet.name}.csv`, printed(sheet, random))),
  };
}

const printed = ({ rows }: SheetModel, random: Random): string => {
  const [comma, end] = [pick(random, [',', ',', ',', ', ']), pick(random, ['\n', '\n', '\r\n'])];
  const lines = rows.map(row =>
    row
      .map(each => {
        const value = each?.value ?? '';
        return typeof value === 'object'
          ? 'error' in value
            ? value.error
            : String(value.result ?? '')
          : String(value);
      })
      .join(comma),
  );
  return lines.join(end) + pick(random, ['', end, `${end} ${end}`]);
};

const truncated = ({ name, bytes }: TaskFile, random: Random): TaskFile => ({
  name,
  bytes: bytes.subarray(0, random.int(bytes.length)),
});

/** Most results are whole; some are missing, damaged or of another kind. */
function resultFile(book: BookModel, isPrinted: boolean, random: Random): TaskFile | null {
  const kind = random.int(50);
  const file = bookFile('result.xlsx', book, isPrinted, random);
  if (kind === 0) return null;
  if (kind === 1) return truncated(file, random);
  if (kind === 2) return textFile('result.xlsx', pick(random, ['', 'a,b\n1,2\n']));
  if (kind === 3)
    return { ...file, name: pick(random, ['result.ods', 'result.csv', 'result.XLSX', 'result.xlsm']) };
  if (kind !== 4) return file;
  const parts = workbookParts(book);
  const path = pick(
    random,
    Object.keys(parts)
      .filter(each => each.endsWith('.xml'))
      .sort(),
  );
  const text = parts[path] ?? '';
  if (chance(random, 2)) parts[path] = text.slice(0, text.length - 5);
  else delete parts[path];
  return { name: file.name, bytes: zipOf(parts) };
}

const CITIES = 'Vienna Toronto,Montréal Sydney Lille Barcelona Beijing Stockholm Long_Beach Vancouver'.split(
  ' ',
);
const CITY_COUNT = 21;

function cityCase(random: Random): MetricCase {
  const cities = Array.from({ length: CITY_COUNT }, () => at(CITIES, random.int(CITIES.length)).split(','));
  const rows = cities.map(names => [
    cell(word(random)),
    cell(2000 + random.int(20)),
    cell(pick(random, names)),
  ]);
  const book = bookModel([sheetModel('Conferences', [[cell('Name'), cell('Year'), cell('City')], ...rows])]);
  book.writer = pick(random, ['calc', 'excel', 'openpyxl']);
  const place = random.int(CITY_COUNT);
  const found = rows[place]?.[2];
  if (found !== undefined)
    found.value = pick(random, [
      ...[found.value, found.value, found.value, `${found.value}, Country`, ` ${found.value}`],
      ...[null, 12, 'Nowhere', true, String(found.value).toUpperCase()],
    ]);
  if (chance(random, 8)) rows.reverse();
  if (chance(random, 6)) book.sheets.push(sheetModel('Other', [[cell('x')]]));
  if (chance(random, 12)) book.activeSheet = book.sheets.length - 1;
  const expected = cities.map(names => (names.length === 1 ? names[0] : names));
  if (chance(random, 15)) expected.pop();
  if (chance(random, 15)) expected.push('Athens');
  return { result: resultFile(book, false, random), expected: { expected } };
}

function csvCase(random: Random): MetricCase {
  const lines = Array.from({ length: 1 + random.int(5) }, () =>
    words(random, 3).join(pick(random, [',', ';', ', '])),
  );
  const text = lines.join('\n');
  const change = (): string =>
    pick(random, [
      ...[text, text, `${text}\n`, text.replaceAll('\n', '\r\n'), text.toUpperCase(), `${text}  `],
      ...[text.replaceAll('\n', ' \n\t'), `\uFEFF${text}`, `${text}\n\n`, lines.slice(1).join('\n'), ''],
      ...[`${text}\u2028`, text.replaceAll('\n', '\f'), `${text}\u00A0`, `${text}\uFEFF`],
    ]);
  const latin = (name: string, content: string): TaskFile => ({
    name,
    bytes: Buffer.from(content, 'latin1'),
  });
  const isLatin = chance(random, 6);
  const file = (name: string, content: string): TaskFile =>
    isLatin ? latin(name, content) : textFile(name, content);
  const gold = file('gold.csv', text);
  return {
    result: chance(random, 30) ? null : file('result.csv', change()),
    expected: chance(random, 3) ? [file('gold-2.csv', change()), file('gold-3.csv', change()), gold] : gold,
    options: {
      ...(chance(random, 2) && { strict: chance(random, 3) }),
      ...(chance(random, 2) && { ignore_case: !chance(random, 4) }),
    },
  };
}

export const SPREADSHEET_CASES = {
  compare_table: tableCase,
  compare_csv: csvCase,
  compare_conference_city_in_order: cityCase,
} satisfies CaseMakers;
