// compare_csv and the list of conference cities.

import { expect, test } from 'vitest';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { compareCsv } from '../../../../runtime/tasks/metrics/spreadsheets/compare-csv.ts';
import { compareConferenceCityInOrder } from '../../../../runtime/tasks/metrics/spreadsheets/conference-cities.ts';
import { file, sheet } from './workbooks.ts';

const csv = (text: string) => textFile('a.csv', text);

test('compare_csv ignores line ends, and blanks and case only on request', () => {
  expect(compareCsv(csv('a,b\r\n1,2\r\n'), csv('a,b\n1,2'), {})).toBe(1);
  expect(compareCsv(csv('a,b \n'), csv('a,b'), {})).toBe(0);
  expect(compareCsv(csv('a,b \n'), csv('a,b'), { strict: false })).toBe(1);
  expect(compareCsv(csv('A,B'), csv('a,b'), { ignore_case: true })).toBe(1);
  expect(compareCsv(csv('a,b'), [csv('x'), csv('a,b')], {})).toBe(1);
  expect(compareCsv(null, csv('a,b'), {})).toBe(0);
});

test('each cell of the cities contains its name or one of several', () => {
  const cities = Array.from({ length: 21 }, (_, index) => `City ${index}`);
  const score = (found: readonly (string | number | null)[]): unknown => {
    const rows = [['Name', 'Year', 'City'], ...found.map(city => ['x', 2020, city])];
    const expected = cities.map((city, index) => (index === 3 ? ['Elsewhere', city] : city));
    return compareConferenceCityInOrder(file(sheet(rows)), { expected }, {});
  };
  expect(score(cities)).toBe(1);
  expect(score(cities.map(city => `${city}, Country`))).toBe(1);
  expect(score(cities.with(3, 'Elsewhere'))).toBe(1);
  expect(score(cities.with(4, 'Elsewhere'))).toBe(0);
  expect(score([...cities.slice(0, 20), null])).toBe(0);
});
