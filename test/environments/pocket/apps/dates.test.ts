// Date arithmetic, compared with JavaScript's Date.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CalendarDay,
  dateText,
  dayOf,
  daysIn,
  dayTitle,
  monthTitle,
  plusDays,
  plusMonths,
  weekdayOf,
  weeksOf,
} from '../../../../runtime/environments/pocket/apps/calendar/dates.ts';

const MS_A_DAY = 86_400_000;
const fromEpoch = (number: number): CalendarDay => {
  const [year = 0, month = 0, day = 0] = new Date(number * MS_A_DAY)
    .toISOString()
    .slice(0, 10)
    .split('-')
    .map(Number);
  return { year, month, day };
};
/** Days since 1970, from the year 1200 to 2800. */
const numbers = fc.integer({ min: -281_000, max: 303_000 });
const days = numbers.map(fromEpoch);

describe('days', () => {
  test('follow each other as in the Gregorian calendar', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: -1500, max: 1500 }), (number, by) => {
        expect(plusDays(fromEpoch(number), by)).toEqual(fromEpoch(number + by));
      }),
    );
  });

  test('have the right day of the week', () => {
    fc.assert(
      fc.property(numbers, number => {
        const sunday = new Date(number * MS_A_DAY).getUTCDay();
        expect(weekdayOf(fromEpoch(number))).toBe((sunday + 6) % 7);
      }),
    );
    expect(dayTitle({ year: 2026, month: 3, day: 12 })).toBe('Thu 12 March');
  });

  test('survive formatting and parsing', () => {
    fc.assert(
      fc.property(days, day => {
        expect(dayOf(dateText(day))).toEqual(day);
      }),
    );
  });

  test('sort as their texts do', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(Math.sign(dateText(fromEpoch(a)).localeCompare(dateText(fromEpoch(b))))).toBe(
          Math.sign(a - b),
        );
      }),
    );
  });

  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-1-0',
    '26-01-01',
    'soon',
    '',
    '2026-03-12x',
  ])('%j is not a day', text => expect(dayOf(text)).toBeUndefined());

  test('can be written without leading zeros', () => {
    expect(dayOf(' 2026-3-9 ')).toEqual({ year: 2026, month: 3, day: 9 });
  });

  test('stay within the years of four digits', () => {
    expect(plusDays({ year: 9999, month: 12, day: 31 }, 1)).toEqual({ year: 9999, month: 12, day: 31 });
    expect(plusMonths({ year: 1000, month: 1, day: 20 }, -1)).toEqual({ year: 1000, month: 1, day: 1 });
  });
});

describe('months', () => {
  test('have as many days as there are until the next month', () => {
    fc.assert(
      fc.property(days, ({ year, month }) => {
        const last = { year, month, day: daysIn(year, month) };
        expect(plusDays(last, 1)).toEqual({ ...plusMonths({ year, month, day: 1 }, 1) });
      }),
    );
  });

  test('leap years follow the rule of 4, 100 and 400', () => {
    expect([1900, 2000, 2023, 2024, 2100, 2400].map(year => daysIn(year, 2))).toEqual([
      28, 29, 28, 29, 28, 29,
    ]);
  });

  test('plusMonths keeps the day, or takes the last day of a shorter month', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -40, max: 40 }), (day, by) => {
        const there = plusMonths(day, by);
        expect(there.year * 12 + there.month).toBe(day.year * 12 + day.month + by);
        expect(there.day).toBe(Math.min(day.day, daysIn(there.year, there.month)));
      }),
    );
    expect(plusMonths({ year: 2024, month: 1, day: 31 }, 1)).toEqual({ year: 2024, month: 2, day: 29 });
  });

  test('fit into six weeks that start on a Monday', () => {
    fc.assert(
      fc.property(days, day => {
        const weeks = weeksOf(day);
        const [first] = weeks;
        expect(weeks.length).toBe(42);
        expect(first && weekdayOf(first)).toBe(0);
        expect(weeks.filter(({ month }) => month === day.month).length).toBe(daysIn(day.year, day.month));
        weeks.slice(1).forEach((each, index) => {
          expect(each).toEqual(plusDays(weeks[index] ?? each, 1));
        });
      }),
      { numRuns: 30 },
    );
  });

  test('have titles', () => expect(monthTitle({ year: 2026, month: 3, day: 1 })).toBe('March 2026'));
});
