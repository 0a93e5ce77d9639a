// Days relative to today. The expected days are those of OSWorld's own code for the week of 23 November 2026.

import { describe, expect, test } from 'vitest';
import {
  dayAt,
  formatDay,
  plusDays,
  relativeDay,
  relativeEnd,
} from '../../../runtime/environments/osworld/relative-date.ts';

const MONDAY = { year: 2026, month: 11, day: 23 };
const written = (name: string, from: number) =>
  formatDay('{Month0D}-{Day0D}', relativeDay(name, plusDays(MONDAY, from)) ?? MONDAY);

test.each<[string, string[]]>([
  ['tomorrow', ['11-24', '11-25', '11-26', '11-27', '11-28', '11-29', '11-30']],
  ['this Saturday', ['11-28', '11-28', '11-28', '11-28', '11-28', '11-28', '11-28']],
  ['next Monday', ['11-30', '11-30', '11-30', '11-30', '11-30', '11-30', '11-30']],
  ['next Friday', ['11-27', '11-27', '11-27', '11-27', '12-04', '12-04', '12-04']],
  ['next Saturday', ['11-28', '11-28', '11-28', '11-28', '11-28', '12-05', '12-05']],
  ['next week Friday', ['12-04', '12-04', '12-04', '12-04', '12-04', '12-04', '12-04']],
  ['10th next month', ['12-10', '12-10', '12-10', '12-10', '12-10', '12-10', '12-10']],
])('%s, from each day of a week', (name, days) => {
  expect(days.map((_, from) => written(name, from))).toEqual(days);
});

describe('a month that lies in the next year', () => {
  const december = { year: 2026, month: 12, day: 31 };

  test('counts on', () => {
    expect(relativeDay('5th next month', december)).toEqual({ year: 2027, month: 1, day: 5 });
    expect(relativeDay('first monday four months later', december)).toEqual({ year: 2027, month: 4, day: 5 });
  });

  test('of which December is one', () => {
    const august = { year: 2026, month: 8, day: 2 };
    expect(relativeDay('first monday four months later', august)).toEqual({ year: 2026, month: 12, day: 7 });
  });
});

test('a range ends in the week in which it starts', () => {
  expect(relativeEnd('next Friday', MONDAY, 'next Monday')).toEqual({ year: 2026, month: 12, day: 4 });
  expect(relativeEnd('next Sunday', MONDAY, 'next Saturday')).toEqual({ year: 2026, month: 11, day: 29 });
  expect(relativeEnd('next week Sunday', MONDAY, 'next week Friday')).toEqual({
    year: 2026,
    month: 12,
    day: 6,
  });
});

test('an unknown name is no day', () => {
  expect(relativeDay('next year', MONDAY)).toBeUndefined();
  expect(relativeDay('constructor', MONDAY)).toBeUndefined();
});

test('a format names each part of a date', () => {
  const day = { year: 2026, month: 3, day: 5 };
  expect(formatDay('{DoW}, {Month} {DayD}, {Year}', day)).toBe('Thu, Mar 5, 2026');
  expect(formatDay('{MonthFull} {Day0D} {month}-{MonthD}', day)).toBe('March 05 march-3');
});

test('the day depends on the time zone', () => {
  const evening = new Date(Date.UTC(2026, 11, 31, 23, 30));
  expect(dayAt(evening, 'America/New_York')).toEqual({ year: 2026, month: 12, day: 31 });
  expect(dayAt(evening, 'Europe/Zurich')).toEqual({ year: 2027, month: 1, day: 1 });
});
