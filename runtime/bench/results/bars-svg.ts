// Things side by side, as a picture: a row for each, and in it a bar for every curve. Pure: points in, SVG out.

import { fixed, text } from '../../run/curves/svg.ts';
import { axisOf, said, type Unit } from './axis.ts';
import { curveClass, type Frame, framed } from './frame.ts';

export interface BarCurve {
  readonly name: string;
  readonly bars: readonly {
    readonly of: string;
    readonly value: number;
    readonly low?: number | undefined;
    readonly high?: number | undefined;
  }[];
}

export interface Bars extends Frame {
  readonly label: string;
  readonly unit: Unit;
  readonly curves: readonly BarCurve[];
}

const [LEFT, RIGHT, TOP] = [236, 676, 104];
const BAR = 12;
const GAP = 12;

export function barsSvg({ label, unit, curves, ...frame }: Bars): string {
  const rows = [...new Set(curves.flatMap(({ bars }) => bars.map(bar => bar.of)))];
  const all = curves.flatMap(({ bars }) => bars);
  const axis = axisOf(
    all.flatMap(({ value, high = value }) => [value, high]),
    unit,
    4,
    true,
  );
  const place = (value: number) =>
    fixed(LEFT + ((value - axis.least) / (axis.most - axis.least)) * (RIGHT - LEFT));
  const tall = curves.length * BAR + GAP;
  const bottom = TOP + rows.length * tall;
  const parts = [
    ...legend(curves),
    ...axis.ticks.flatMap(value => [
      `<line class="grid" x1="${place(value)}" x2="${place(value)}" y1="${TOP}" y2="${bottom}"/>`,
      text(place(value), bottom + 20, said(value, unit), 'text-anchor="middle"'),
    ]),
    text((LEFT + RIGHT) / 2, bottom + 44, label, 'text-anchor="middle"'),
    ...rows.flatMap((row, index) => {
      const top = TOP + index * tall + GAP / 2;
      const name = text(LEFT - 12, top + (curves.length * BAR) / 2 + 4.5, row, 'text-anchor="end"');
      const bars = curves.flatMap((curve, at) => {
        const bar = curve.bars.find(({ of }) => of === row);
        if (bar === undefined) return [];
        const y = top + at * BAR;
        const [from, to] = [place(Math.min(0, bar.value)), place(Math.max(0, bar.value))];
        const end = place(Math.max(bar.value, bar.high ?? bar.value));
        return [
          `<g class="${curveClass(at)}">`,
          `  <rect class="bar" x="${from}" y="${y}" width="${fixed(to - from)}" height="${BAR - 2}" rx="1.5"/>`,
          ...(bar.low === undefined || bar.high === undefined
            ? []
            : [
                `  <line class="reach" x1="${place(bar.low)}" x2="${place(bar.high)}" y1="${y + 5}" y2="${y + 5}"/>`,
              ]),
          `  ${text(end + 6, y + 9, said(bar.value, unit), 'style="font-size:11px"')}`,
          '</g>',
        ].join('\n  ');
      });
      return [name, ...bars];
    }),
    `<line class="axis" x1="${place(0)}" x2="${place(0)}" y1="${TOP}" y2="${bottom}"/>`,
  ];
  return framed(frame, bottom + 64, parts);
}

/** One curve alone is named by the axis. */
function legend(curves: readonly BarCurve[]): readonly string[] {
  if (curves.length < 2) return [];
  const width = (WIDE - 24) / curves.length;
  return curves.map(
    ({ name }, index) =>
      `<g class="${curveClass(index)}"><rect class="bar" x="${fixed(24 + index * width)}" y="75" width="12" height="12" rx="1.5"/>${text(24 + index * width + 19, 86, name, 'class="name"')}</g>`,
  );
}
const WIDE = 736;
