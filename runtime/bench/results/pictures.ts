// Draws the pictures of an outcome from its series. Pure.

import { lineChart } from '../../run/curves/line-chart.ts';
import { formatValue } from '../../run/curves/svg.ts';
import { barChart } from './bar-chart.ts';
import type { BenchOutcome, SeriesPoint } from './outcome.ts';
import type { BenchPage, PictureSpec } from './page-spec.ts';

export interface Picture {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

interface NamedSeries {
  readonly name: string;
  readonly points: readonly SeriesPoint[];
}

/** A picture whose series the outcome lacks is left out. */
export function picturesOf(
  { name, pictures = [] }: BenchPage,
  { series = {} }: BenchOutcome,
): readonly Picture[] {
  return pictures.flatMap(spec => {
    const curves = Object.entries(series)
      .filter(([key, points]) => key.startsWith(`${spec.series}/`) && points.length > 0)
      .map(([key, points]) => ({ name: key.slice(spec.series.length + 1), points }))
      .filter(curve => spec.only?.includes(curve.name) ?? true);
    if (curves.length === 0 || curves.length < (spec.only?.length ?? 0)) return [];
    const file = `${name}-${(spec.file ?? spec.series).replaceAll(/[^a-z0-9]+/gi, '-')}.svg`;
    return [{ file, title: spec.title, svg: draw(spec, curves) }];
  });
}

function draw(spec: PictureSpec, curves: readonly NamedSeries[]): string {
  const { title, subtitle, x, y } = spec;
  const frame = { title, subtitle, description: describe(spec, curves) };
  if (x !== undefined) {
    const lines = curves.map(({ name, points }) => ({
      name,
      points: points.flatMap(point => (typeof point.x === 'number' ? [{ ...point, x: point.x }] : [])),
    }));
    return lineChart({ ...frame, x, y, curves: lines });
  }
  return barChart({ ...frame, ...y, curves });
}

/** The values at both ends of each curve, or of each bar, for screen readers. */
function describe({ title, x, y }: PictureSpec, curves: readonly NamedSeries[]): string {
  const parts = curves.map(({ name, points }) => {
    const ends = x === undefined ? points : points.filter((_, at) => at === 0 || at === points.length - 1);
    const values = ends.map(point =>
      x === undefined ? `${point.x} ${formatValue(point.y, y.unit)}` : formatValue(point.y, y.unit),
    );
    return `${name}: ${values.join(x === undefined ? ', ' : ' to ')}`;
  });
  return `${title}, ${y.label}. ${parts.join('; ')}.`;
}
