// Success over time as a picture: a line and the band of its interval for each split. Pure: points in, SVG out. It brings its own
// colours for light and for dark surroundings.

import type { Interval } from '../../data/interval.ts';
import { escaped, fixed, keptApart, text } from './svg.ts';

export interface CurvePoint extends Interval {
  readonly seconds: number;
}

export interface Curve {
  readonly title: string;
  /** Below the title, in small. */
  readonly subtitle: string;
  readonly seconds: number;
  readonly test: readonly CurvePoint[];
  readonly train: readonly CurvePoint[];
}

const [WIDTH, HEIGHT] = [760, 420];
const PLOT = { left: 70, right: 608, top: 106, bottom: 352 };
/** Labels at the ends of lines keep this distance. */
const APART = 40;

const STYLE = `
    svg { --paper: #ffffff; --ink: #1f2328; --faint: #656d76; --grid: #d8dee4; --test: #0b6bcb; --train: #b35900; }
    @media (prefers-color-scheme: dark) {
      svg { --paper: #15191f; --ink: #e6edf3; --faint: #9aa4af; --grid: #30363d; --test: #58a6ff; --train: #f0a04b; }
    }
    text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: var(--faint); }
    .title { font-size: 17px; font-weight: 600; fill: var(--ink); }
    .paper { fill: var(--paper); } .grid { stroke: var(--grid); } .axis { stroke: var(--faint); }
    .line { fill: none; stroke-width: 2.25; stroke-linejoin: round; stroke-linecap: round; }
    .test .band { opacity: 0.18; } .train .band { opacity: 0.12; }
    .test .line { stroke: var(--test); } .test .band, .test circle { fill: var(--test); }
    .train .line { stroke: var(--train); stroke-dasharray: 6 4; } .train .band, .train circle { fill: var(--train); }
    .name { font-weight: 600; } .test .name { fill: var(--test); } .train .name { fill: var(--train); }`;

export function curveSvg({ title, subtitle, seconds, test, train }: Curve): string {
  const x = (second: number) =>
    fixed(PLOT.left + (Math.min(1, second / seconds) || 0) * (PLOT.right - PLOT.left));
  const parts = [
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="10"/>`,
    text(24, 34, title, 'class="title"'),
    text(24, 55, subtitle),
    ...[0, 25, 50, 75, 100].flatMap(value => [
      `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(value / 100)}" y2="${y(value / 100)}"/>`,
      text(PLOT.left - 10, y(value / 100) + 4.5, `${value} %`, 'text-anchor="end"'),
    ]),
    ...ticks(seconds).flatMap(second => [
      `<line class="axis" x1="${x(second)}" x2="${x(second)}" y1="${PLOT.bottom}" y2="${PLOT.bottom + 5}"/>`,
      text(x(second), PLOT.bottom + 22, clock(second), 'text-anchor="middle"'),
    ]),
    `<line class="axis" x1="${PLOT.left}" x2="${PLOT.right}" y1="${PLOT.bottom}" y2="${PLOT.bottom}"/>`,
    text(
      (PLOT.left + PLOT.right) / 2,
      PLOT.bottom + 48,
      'time trained (minutes : seconds)',
      'text-anchor="middle"',
    ),
    text(24, PLOT.top - 18, 'tasks solved'),
    ...lines(
      [
        { name: 'train', label: 'training worlds', points: train },
        { name: 'test', label: 'test worlds', points: test },
      ],
      x,
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(`${title}: success over time`)}">
  <style>${STYLE}
  </style>
${parts.map(part => `  ${part}\n`).join('')}</svg>
`;
}

interface Shown {
  readonly name: 'test' | 'train';
  readonly label: string;
  readonly points: readonly CurvePoint[];
}

function lines(all: readonly Shown[], x: (second: number) => number): readonly string[] {
  const shown = all.filter(({ points }) => points.length > 0);
  const ends = shown.map(({ points }) => y(points.at(-1)?.rate ?? 0));
  const labels = keptApart(ends, APART, PLOT.top, PLOT.bottom);
  // Bands lie under all lines.
  const bands = shown.map(({ name, points }) => {
    const upper = points.map(({ seconds, high }) => `${x(seconds)},${y(high)}`);
    const lower = points.map(({ seconds, low }) => `${x(seconds)},${y(low)}`).reverse();
    return `<g class="${name}"><polygon class="band" points="${[...upper, ...lower].join(' ')}"/></g>`;
  });
  const drawn = shown.map(({ name, label, points }, index) => {
    const end = points.at(-1);
    const at = labels[index] ?? 0;
    const line = points.map(({ seconds, rate }) => `${x(seconds)},${y(rate)}`).join(' ');
    return [
      `<g class="${name}">`,
      `  <polyline class="line" points="${line}"/>`,
      ...(end === undefined
        ? []
        : [
            `  <circle cx="${x(end.seconds)}" cy="${y(end.rate)}" r="4"/>`,
            `  ${text(PLOT.right + 14, at, label, 'class="name"')}`,
            `  ${text(PLOT.right + 14, at + 17, `${Math.round(100 * end.rate)} %, ${end.successes} of ${end.trials}`)}`,
          ]),
      '</g>',
    ].join('\n  ');
  });
  return [...bands, ...drawn];
}

const y = (rate: number): number => fixed(PLOT.bottom - rate * (PLOT.bottom - PLOT.top));

/** Four to six round moments. */
function ticks(seconds: number): readonly number[] {
  const step = STEPS.find(each => seconds / each <= 6) ?? 7200;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
}
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`;
