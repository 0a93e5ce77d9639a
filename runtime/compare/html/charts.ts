// The charts of a report, each with its numbers as a table. Pure.

import { type ChartAxis, type ChartLayout, lineChart } from '../../run/curves/line-chart.ts';
import { formatValue } from '../../run/curves/svg.ts';
import type { ArmSummary, CurveOver, CurvePosition, RunsComparison, SuccessCurves } from '../comparison.ts';
import { curationFigures, gaugeOver, gradientShare } from '../curation-figures.ts';
import { meanCurve } from '../curves.ts';
import { formatInterval, formatRate } from '../numbers.ts';
import { distinctTable } from './distinct-columns.ts';
import { chartMarkup, el, type Markup, table } from './markup.ts';

/** Two of them fit beside each other on a page. */
const LAYOUT: ChartLayout = {
  width: 560,
  height: 330,
  plot: { left: 62, right: 462, top: 40, bottom: 266 },
};

interface AxisText {
  readonly title: string;
  readonly axis: ChartAxis;
}

const AXES: Readonly<Record<CurveOver, AxisText>> = {
  steps: {
    title: 'Over environment steps',
    axis: { label: 'environment steps of training', unit: 'number' },
  },
  seconds: { title: 'Over time', axis: { label: 'training time (minutes : seconds)', unit: 'seconds' } },
  tokens: { title: 'Over tokens', axis: { label: 'tokens of prompts and replies', unit: 'number' } },
  money: {
    title: 'Over cost',
    axis: { label: 'cost in the currency of the configured prices', unit: 'number' },
  },
};

export function successCharts({ curves, arms }: RunsComparison): readonly Markup[] {
  return curves.map(each => successChart(each, arms));
}

function successChart({ over, arms: shown, without }: SuccessCurves, arms: readonly ArmSummary[]): Markup {
  const { title, axis } = AXES[over];
  const chart = lineChart({
    ...{ id: `success-${over}`, layout: LAYOUT, title, subtitle: '' },
    description: `Success on test instances ${title.toLowerCase()}. The table below has all numbers.`,
    x: axis,
    y: { label: 'test instances solved', unit: 'share' },
    curves: shown.map(({ arm, mean, members }) => ({
      ...{ name: arm, colour: indexOf(arms, arm), points: mean.map(pointOf) },
      members:
        members.length < 2 ? [] : members.map(({ points }) => points.map(({ x, rate }) => ({ x, y: rate }))),
    })),
  });
  const note =
    without.length === 0
      ? []
      : [
          el(
            'p',
            { class: 'faint' },
            `Not shown, because nothing is recorded over this axis: ${without.join(', ')}.`,
          ),
        ];
  return figure(title, chart, note, successTable(title, axis, shown));
}

function successTable(title: string, axis: ChartAxis, shown: SuccessCurves['arms']): Markup {
  const columns = [
    { title: 'Curve' },
    { title: axis.label, isNumber: true },
    { title: 'Solved (95 % interval)', isNumber: true },
  ];
  const rowsOf = (name: string, points: readonly CurvePosition[]) =>
    points.map(({ x, rate, low, high }) => ({
      cells: [
        name,
        formatValue(x, axis.unit),
        low === undefined || high === undefined ? formatRate(rate) : formatInterval({ rate, low, high }),
      ],
    }));
  const rows = shown.flatMap(({ arm, mean, members }) => [
    ...(members.length < 2 ? [] : rowsOf(`${arm}, mean`, mean)),
    ...members.flatMap(({ run, points }) => rowsOf(members.length < 2 ? arm : `${arm}, ${run}`, points)),
  ]);
  return table(`Success ${title.toLowerCase()}`, columns, rows);
}

const pointOf = ({ x, rate, low, high }: CurvePosition) => ({ x, y: rate, low, high });

const indexOf = (arms: readonly ArmSummary[], letter: string): number =>
  Math.max(
    0,
    arms.findIndex(arm => arm.letter === letter),
  );

const CURATION_CHARTS = [
  {
    id: 'gradient',
    title: 'Groups with a gradient',
    axis: { label: 'share of the groups of the last tenth of the run', unit: 'share', max: 1 },
    of: gradientShare,
  },
  {
    id: 'pool',
    title: 'Success pool',
    axis: { label: 'stored successes', unit: 'number' },
    of: (samples: Samples) => gaugeOver(samples, 'pool'),
  },
  {
    id: 'staleness',
    title: 'Staleness',
    axis: { label: 'mean versions behind the trained weights', unit: 'number' },
    of: (samples: Samples) => gaugeOver(samples, 'staleness'),
  },
  {
    id: 'rollouts',
    title: 'Rollouts per group',
    axis: { label: 'mean of the last groups', unit: 'number' },
    of: (samples: Samples) => gaugeOver(samples, 'rollouts'),
  },
] as const;

type Samples = RunsComparison['curation'][number]['samples'];

export function curationCharts({ curation, arms }: RunsComparison): readonly Markup[] {
  return CURATION_CHARTS.flatMap(({ id, title, axis, of }) => {
    const curves = arms.flatMap(({ letter, members }, colour) => {
      const own = curation
        .filter(({ run }) => members.includes(run))
        .flatMap(({ samples }) => {
          const points = of(samples);
          return points.length === 0 ? [] : [points];
        });
      const mean = own.length === 1 ? (own[0] ?? []) : thinned(meanCurve(own));
      const lines = own.map(points => points.map(({ x, rate }) => ({ x, y: rate })));
      return own.length === 0
        ? []
        : [
            {
              ...{ name: letter, colour, points: mean.map(({ x, rate }) => ({ x, y: rate })) },
              members: own.length < 2 ? [] : lines,
            },
          ];
    });
    if (curves.length === 0) return [];
    const chart = lineChart({
      ...{ id: `curation-${id}`, layout: LAYOUT, title, subtitle: '', curves },
      description: `${title} over training time. The table of the curation has the values at the end.`,
      x: AXES.seconds.axis,
      y: axis,
    });
    return [figure(title, chart)];
  });
}

/** More points do not show. */
const MAX_POINTS = 120;
const thinned = (points: readonly CurvePosition[]): readonly CurvePosition[] => {
  const every = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, index) => index % every === 0 || index === points.length - 1);
};

function figure(title: string, chart: string, notes: readonly Markup[] = [], numbers?: Markup): Markup {
  const details =
    numbers === undefined ? undefined : el('details', {}, el('summary', {}, 'Numbers'), numbers);
  return el('figure', { class: 'card' }, el('figcaption', {}, title), chartMarkup(chart), notes, details);
}

export function curationTable({ curation }: RunsComparison): readonly Markup[] {
  const number = (value: number | undefined, digits = 0): string =>
    value === undefined ? '–' : value.toLocaleString('en-US', { maximumFractionDigits: digits });
  const columns = [
    'Run',
    ...['Groups', 'With a gradient', 'Success pool', 'Injected', 'Duplicates', 'Too old'],
    ...['Rollouts', 'Length limit', 'Staleness', 'Highest staleness'],
  ].map((title, index) => ({ title, isNumber: index > 0 }));
  const rows = curation.map(({ run, arm, samples }) => {
    const of = curationFigures(samples);
    return {
      cells: [
        [el('b', {}, arm), ' ', run],
        number(of.groups),
        of.share === undefined ? '–' : formatRate(of.share),
        ...[of.pool, of.injections, of.duplicates, of.dropped].map(each => number(each)),
        ...[of.rollouts, of.lengthLimit, of.staleness].map(each => number(each, 1)),
        number(of.maxStaleness),
      ],
    };
  });
  return distinctTable('Curation of each run, at its end', columns, rows);
}
