// Dates of the Gregorian calendar as texts, 'YYYY-MM-DD', which sort by date. Pure: everything is in UTC.

export const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Years have four digits, so that texts sort by date. */
const [FIRST_YEAR, LAST_YEAR] = [1000, 9999];

export interface CalendarDay {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly day: number;
}

const utc = ({ year, month, day }: CalendarDay): Date => new Date(Date.UTC(year, month - 1, day));

export const daysIn = (year: number, month: number): number =>
  utc({ year, month: month + 1, day: 0 }).getUTCDate();

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

export const dateText = ({ year, month, day }: CalendarDay): string =>
  `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;

/** Parses a date; undefined if there is no such day. */
export function dayOf(text: string): CalendarDay | undefined {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? []).map(
    Number,
  );
  if (year < FIRST_YEAR || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  return { year, month, day };
}

/** 0 is Monday. */
export const weekdayOf = (day: CalendarDay): number => (utc(day).getUTCDay() + 6) % 7;

/** Adds days, negative ones too, and stays within the years of four digits. */
export function plusDays({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const date = utc({ year, month, day: day + days });
  return clamped({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() });
}

const clamped = (day: CalendarDay): CalendarDay =>
  day.year < FIRST_YEAR
    ? { year: FIRST_YEAR, month: 1, day: 1 }
    : day.year > LAST_YEAR
      ? { year: LAST_YEAR, month: 12, day: 31 }
      : day;

/** Adds months; the last day of the month where it has no such day. */
export function plusMonths({ year, month, day }: CalendarDay, months: number): CalendarDay {
  const count = year * 12 + month - 1 + months;
  const [shiftedYear, shiftedMonth] = [Math.floor(count / 12), (count % 12) + 1];
  return clamped({
    year: shiftedYear,
    month: shiftedMonth,
    day: Math.min(day, daysIn(shiftedYear, shiftedMonth)),
  });
}

/** The six weeks around a month, starting on a Monday. */
export function weeksOf({ year, month }: CalendarDay): readonly CalendarDay[] {
  const first = { year, month, day: 1 };
  const before = weekdayOf(first);
  return Array.from({ length: 42 }, (_, index) => plusDays(first, index - before));
}

export const monthTitle = ({ year, month }: CalendarDay): string => `${MONTHS[month - 1]} ${year}`;

/** 'Thu 12 March'. */
export const dayTitle = (day: CalendarDay): string =>
  `${WEEKDAYS[weekdayOf(day)]} ${day.day} ${MONTHS[day.month - 1]}`;
