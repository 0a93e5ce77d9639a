// Dates, times and durations of cells.

import { roundHalfToEven } from '../../../core/rounding.ts';

/** Milliseconds: since 1970 for dates, since midnight for times. Days have no time zone. */
export interface Moment {
  readonly kind: 'dateTime' | 'date' | 'time' | 'duration';
  readonly ms: number;
}

export const isMoment = (value: unknown): value is Moment =>
  typeof value === 'object' && value !== null && 'kind' in value && 'ms' in value;

const DAY_MS = 86_400_000;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The moment of a serial number; undefined outside of the years 1 to 9999. */
export function dateOfSerial(serial: number, from1904: boolean): Moment | undefined {
  const epoch = from1904 ? EPOCH_1904 : EPOCH_1900;
  let day = Math.floor(serial);
  const time = roundHalfToEven((serial - day) * DAY_MS);
  if (day === 0 && time < DAY_MS) return { kind: 'time', ms: time };
  // Excel has a 29th of February 1900, which did not exist.
  if (serial > 0 && serial < 60 && !from1904) day += 1;
  const ms = epoch + day * DAY_MS + time;
  return ms >= FIRST_MS && ms <= LAST_MS ? { kind: 'dateTime', ms } : undefined;
}

export function durationOfSerial(serial: number): Moment | undefined {
  const microseconds = roundHalfToEven(serial * DAY_MS * 1000);
  const ms = roundHalfToEven(microseconds / 1000);
  return Number.isFinite(ms) && Math.abs(serial) <= 999_999_999 ? { kind: 'duration', ms } : undefined;
}

/** A date, a time or both, as in 2024-05-06T07:08:09; undefined for any other text. */
export function dateOfIso(text: string): Moment | undefined {
  const match = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?Z?/.exec(text);
  const [, date, time] = match ?? [];
  const clock = (time ?? '').split(':').map(Number);
  const timeMs = Math.round(((clock[0] ?? 0) * 3600 + (clock[1] ?? 0) * 60 + (clock[2] ?? 0)) * 1000);
  if (date === undefined) return time === undefined ? undefined : { kind: 'time', ms: timeMs };
  const dateMs = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(dateMs)) return undefined;
  return time === undefined ? { kind: 'date', ms: dateMs } : { kind: 'dateTime', ms: dateMs + timeMs };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A moment as Python prints it. */
export function momentText({ kind, ms }: Moment): string {
  const inDay = ((ms % DAY_MS) + DAY_MS) % DAY_MS;
  const seconds = Math.floor(inDay / 1000);
  const fraction = inDay % 1000 === 0 ? '' : `.${String(inDay % 1000).padStart(3, '0')}000`;
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction}`;
  const hours = Math.floor(seconds / 3600);
  if (kind === 'time') return `${two(hours)}:${clock}`;
  const days = Math.floor(ms / DAY_MS);
  if (kind === 'duration') {
    const prefix = days === 0 ? '' : `${days} day${Math.abs(days) === 1 ? '' : 's'}, `;
    return `${prefix}${hours}:${clock}`;
  }
  const date = new Date(days * DAY_MS).toISOString().slice(0, 10);
  return kind === 'date' ? date : `${date} ${two(hours)}:${clock}`;
}
