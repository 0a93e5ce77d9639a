// Dates of the Gregorian calendar as texts, 'YYYY-MM-DD', which compare as they follow each other. Pure
// arithmetic: no clock and no time zone.

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** From Monday on. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Years with four digits only, so that texts compare as dates. */
const [FIRST_YEAR, LAST_YEAR] = [1000, 9999];

export interface CalendarDay {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly day: number;
}

export const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

export const dateText = ({ year, month, day }: CalendarDay): string =>
  `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;

/** The day that a text names; undefined where there is no such day. */
export function dayOf(text: string): CalendarDay | undefined {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? []).map(
    Number,
  );
  if (year < FIRST_YEAR || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  return { year, month, day };
}

/**
 * Days since 1 March of the year 0: with years that begin in March the leap day comes last and shifts
 * nothing.
 */
function numberOf({ year, month, day }: CalendarDay): number {
  const shifted = month <= 2 ? year - 1 : year;
  const fromMarch = (month + 9) % 12;
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leaps + Math.floor((fromMarch * 153 + 2) / 5) + day - 1;
}

/** 0 is Monday. */
export const weekdayOf = (day: CalendarDay): number => (numberOf(day) + 2) % 7;

/** The day some days later, or earlier; the first and the last day there are, where there is none. */
export function plusDays(from: CalendarDay, days: number): CalendarDay {
  let { year, month, day } = from;
  day += days;
  while (day < 1) {
    [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1];
    day += daysIn(year, month);
  }
  while (day > daysIn(year, month)) {
    day -= daysIn(year, month);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
  return kept({ year, month, day });
}

const kept = (day: CalendarDay): CalendarDay =>
  day.year < FIRST_YEAR
    ? { year: FIRST_YEAR, month: 1, day: 1 }
    : day.year > LAST_YEAR
      ? { year: LAST_YEAR, month: 12, day: 31 }
      : day;

/** The same day some months later; the month's last day where it has no such day. */
export function plusMonths({ year, month, day }: CalendarDay, months: number): CalendarDay {
  const count = year * 12 + month - 1 + months;
  const [there, then] = [Math.floor(count / 12), (count % 12) + 1];
  return kept({ year: there, month: then, day: Math.min(day, daysIn(there, then)) });
}

/** The six weeks around a month, from a Monday on. */
export function weeksOf({ year, month }: CalendarDay): readonly CalendarDay[] {
  const first = { year, month, day: 1 };
  const before = weekdayOf(first);
  return Array.from({ length: 42 }, (_, index) => plusDays(first, index - before));
}

export const monthTitle = ({ year, month }: CalendarDay): string => `${MONTHS[month - 1]} ${year}`;

/** 'Thu 12 March'. */
export const dayTitle = (day: CalendarDay): string =>
  `${WEEKDAYS[weekdayOf(day)]} ${day.day} ${MONTHS[day.month - 1]}`;
