// Which pictures the outcome of a benchmark has: those whose series it brought. Pure.

import type { AskedBench, AskedPicture } from './asked/asked.ts';
import { said } from './axis.ts';
import { barsSvg } from './bars-svg.ts';
import { linesSvg } from './lines-svg.ts';
import type { Outcome, Point } from './outcome.ts';

export interface Picture {
  /** Of its file. */
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

export function picturesOf(asked: AskedBench, { series = {} }: Outcome): readonly Picture[] {
  return asked.pictures.flatMap(picture => {
    const prefix = `${picture.name}/`;
    const curves = Object.entries(series)
      .filter(([name, points]) => name.startsWith(prefix) && points.length > 0)
      .map(([name, points]) => ({ name: name.slice(prefix.length), points }));
    const { only, file: called = picture.name } = picture;
    const shown = only === undefined ? curves : curves.filter(({ name }) => only.includes(name));
    if (shown.length === 0 || shown.length < (only?.length ?? 0)) return [];
    const file = `${asked.name}-${called.replaceAll(/[^a-z0-9]+/gi, '-')}.svg`;
    return [{ file, title: picture.title, svg: drawn(picture, shown) }];
  });
}

interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
}

function drawn(picture: AskedPicture, curves: readonly Curve[]): string {
  const { title, subtitle, x, y } = picture;
  const frame = { title, subtitle, description: describe(picture, curves) };
  if (x === undefined) {
    const bars = curves.map(({ name, points }) => ({
      name,
      bars: points.map(({ x: of, y: value, ...reach }) => ({ of: String(of), value, ...reach })),
    }));
    return barsSvg({ ...frame, label: y.label, unit: y.unit, curves: bars });
  }
  const lines = curves.map(({ name, points }) => ({
    name,
    points: points.flatMap(point => (typeof point.x === 'number' ? [{ ...point, x: point.x }] : [])),
  }));
  return linesSvg({ ...frame, x, y, curves: lines });
}

/** The same in a sentence: where each curve begins and ends, or how long each bar is. */
function describe({ title, y, x }: AskedPicture, curves: readonly Curve[]): string {
  const told = curves.map(({ name, points }) => {
    if (x === undefined)
      return `${name}: ${points.map(point => `${point.x} ${said(point.y, y.unit)}`).join(', ')}`;
    const [first, last] = [points[0], points.at(-1)];
    return `${name}: from ${said(first?.y ?? 0, y.unit)} to ${said(last?.y ?? 0, y.unit)}`;
  });
  return `${title}, ${y.label}. ${told.join('; ')}.`;
}
