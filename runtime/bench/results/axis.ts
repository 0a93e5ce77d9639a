// Numbers along an axis: round ones, from the least to the most and a little beyond, and how each is said.

/** How a number is said. */
export type Unit = 'share' | 'seconds' | 'number';

export interface Axis {
  readonly ticks: readonly number[];
  readonly least: number;
  readonly most: number;
}

/** About so many round numbers that hold all values; an axis of shares ends at 1. */
export function axisOf(values: readonly number[], unit: Unit, about: number, fromZero: boolean): Axis {
  const finite = values.filter(Number.isFinite);
  const [low, high] = finite.length === 0 ? [0, 1] : [Math.min(...finite), Math.max(...finite)];
  const from = fromZero && low > 0 ? 0 : low;
  // Values that are all but the same get an axis of their own size.
  const isFlat = high - from <= LEAST * Math.max(1, Math.abs(high));
  const span = isFlat ? (Math.abs(high) > LEAST ? Math.abs(high) : 1) : high - from;
  const step = stepFor(span / about, unit);
  const first = Math.floor(from / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil((isFlat ? high + span : high) / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { ticks, least: ticks[0] ?? 0, most: ticks.at(-1) ?? 1 };
}

const LEAST = 1e-6;

/** In minutes, hours are round; elsewhere tens are. */
const CLOCK = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];

function stepFor(wanted: number, unit: Unit): number {
  if (unit === 'seconds') {
    const round = CLOCK.find(each => each >= wanted);
    if (round !== undefined) return round;
  }
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * ([1, 2, 2.5, 5].find(each => each * power >= wanted * 0.999) ?? 10);
}

export function said(value: number, unit: Unit): string {
  if (unit === 'share') return `${plain(100 * value, 3)} %`;
  if (unit === 'seconds') return clock(value);
  return plain(value, 3);
}

/** With so many digits at most, and thousands apart. */
export function plain(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits));
  const whole = Math.abs(value) >= 10 ** digits ? Math.round(value) : rounded;
  const [before = '', after] = String(whole).split('.');
  const grouped = before.replace(/\B(?=(\d{3})+$)/g, ',');
  return after === undefined ? grouped : `${grouped}.${after}`;
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;
