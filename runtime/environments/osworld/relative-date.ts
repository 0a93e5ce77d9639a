// The days that OSWorld's tasks name relative to today, such as "next Monday" or "10th next month". Pure.

/** A day of the calendar; months count from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MONDAY = 0;
const FRIDAY = 4;
const SATURDAY = 5;
const SUNDAY = 6;
const WEEK = 7;

const dateOf = ({ year, month, day }: Day): Date => new Date(Date.UTC(year, month - 1, day));

const dayOf = (date: Date): Day => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
});

/** Monday is 0. */
export const weekday = (day: Day): number => (dateOf(day).getUTCDay() + SUNDAY) % WEEK;

export const plusDays = (day: Day, days: number): Day => dayOf(dateOf({ ...day, day: day.day + days }));

const inMonth = (today: Day, months: number, day: number): Day =>
  dayOf(dateOf({ year: today.year, month: today.month + months, day }));

/** The days from a day to the first later one with that weekday. */
const until = (day: Day, wanted: number): number => ((wanted - weekday(day) + WEEK - 1) % WEEK) + 1;

/** On or after the first of a later month. */
function firstMonday(today: Day, months: number): Day {
  const first = inMonth(today, months, 1);
  return plusDays(first, (WEEK - weekday(first)) % WEEK);
}

const inNextWeek = (today: Day, wanted: number): Day => plusDays(today, WEEK - weekday(today) + wanted);

const STARTS: Readonly<Record<string, (today: Day) => Day>> = {
  tomorrow: today => plusDays(today, 1),
  'this month': today => today,
  '5th next month': today => inMonth(today, 1, 5),
  '10th next month': today => inMonth(today, 1, 10),
  '11th next month': today => inMonth(today, 1, 11),
  'this Saturday': today => plusDays(today, SATURDAY - weekday(today)),
  'this Sunday': today => plusDays(today, SUNDAY - weekday(today)),
  'next Monday': today => plusDays(today, until(today, MONDAY)),
  'next Friday': today => plusDays(today, until(today, FRIDAY)),
  'next Saturday': today => plusDays(today, until(today, SATURDAY)),
  'next Sunday': today => plusDays(today, until(today, SUNDAY)),
  'next week Friday': today => inNextWeek(today, FRIDAY),
  'next week Saturday': today => inNextWeek(today, SATURDAY),
  'next week Sunday': today => inNextWeek(today, SUNDAY),
  'first monday four months later': today => firstMonday(today, 4),
  'first monday eight months later': today => firstMonday(today, 8),
};

/** `split` is a way to write the date, not another day. */
const plainName = (name: string): string => name.replace(/ split$/, '');

export const isRelativeDay = (name: string): boolean => Object.hasOwn(STARTS, plainName(name));

/** Undefined for an unknown name. */
export const relativeDay = (name: string, today: Day): Day | undefined =>
  isRelativeDay(name) ? STARTS[plainName(name)]?.(today) : undefined;

/** The end of a range lies in the week of its start: Friday after "next Monday", Sunday after "next Friday". */
export function relativeEnd(name: string, today: Day, start: string): Day | undefined {
  const [from, to] = [plainName(start), plainName(name)];
  const first = relativeDay(from, today);
  if (first === undefined) return undefined;
  if (to === 'next Friday' && from === 'next Monday') return plusDays(first, FRIDAY);
  const isWeekend = ['Friday', 'Saturday'].some(day => from.endsWith(day));
  if (to.startsWith('next') && to.endsWith('Sunday') && isWeekend && from.startsWith('next'))
    return plusDays(first, SUNDAY - weekday(first));
  return relativeDay(to, today);
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Fills in the parts of a date; each name is replaced once, as in OSWorld. */
export function formatDay(format: string, day: Day): string {
  const month = MONTHS[day.month - 1] ?? '';
  const parts: Readonly<Record<string, string>> = {
    DoW: WEEKDAYS[weekday(day)] ?? '',
    Month: month.slice(0, 3),
    DayD: String(day.day),
    Year: String(day.year),
    Month0D: twoDigits(day.month),
    month: month.toLowerCase(),
    MonthFull: month,
    Day0D: twoDigits(day.day),
    MonthD: String(day.month),
  };
  return Object.entries(parts).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => value),
    format,
  );
}

/** In a format of Python with `%Y`, `%m` and `%d`. */
export const pythonDate = (format: string, { year, month, day }: Day): string =>
  format.replaceAll('%Y', String(year)).replaceAll('%m', twoDigits(month)).replaceAll('%d', twoDigits(day));

/** The day of the calendar at a time in a time zone. */
export function dayAt(time: Date, timeZone: string): Day {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
    .formatToParts(time)
    .map(({ type, value }) => [type, Number(value)]);
  const { year, month, day }: Record<string, number> = Object.fromEntries(parts);
  return { year: year ?? 0, month: month ?? 0, day: day ?? 0 };
}
