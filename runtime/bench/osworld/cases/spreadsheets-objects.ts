// Scenarios of compare_table about charts, sparklines and pivot tables.

import type { Random } from '../../../core/rng.ts';
import { anySheet, type Change, chance, pick } from './spreadsheets-data.ts';
import type { BookModel, ChartModel, PivotModel, SheetModel } from './spreadsheets-model.ts';
import { type Scenario, sheetPair, subset } from './spreadsheets-scenario.ts';
import { words } from './words.ts';

const titleOf = (random: Random): string | null =>
  pick(random, [null, '', words(random, 2).join(' '), 'Sales & costs']);

const chartOf = (random: Random): ChartModel => ({
  type: pick(random, ['barChart', 'barChart', 'lineChart', 'pieChart', 'scatterChart', 'areaChart']),
  direction: pick(random, ['bar', 'col']),
  title: titleOf(random),
  xTitle: titleOf(random),
  yTitle: titleOf(random),
  legend: pick(random, ['r', 'b', 't', null]),
  series: Array.from({ length: 1 + random.int(3) }, (_, index) => ({
    values: `Sheet1!$${'BCD'[index]}$2:$${'BCD'[index]}$6`,
    categories: chance(random, 4) ? null : "'A & B'!$A$2:$A$6",
    isNumeric: chance(random, 3),
  })),
  from: [3 + random.int(2), 1],
  isOneCell: chance(random, 12),
});

const CHART_PROPS = ['type', 'title', 'legend', 'anchor', 'width', 'height', 'xtitle', 'ytitle', 'ztitle'];

const addChart = (sheet: SheetModel, random: Random): void => {
  sheet.charts.push(chartOf(random));
};

const onChart =
  (change: (chart: ChartModel, random: Random) => void): Change =>
  (book, random) => {
    for (const chart of anySheet(book, random).charts) change(chart, random);
  };

const PIVOT_PROPS = [
  ...[
    'name',
    'show_total',
    'show_empty_row',
    'show_empty_col',
    'show_headers',
    'location',
    'selection',
    'ordered',
  ],
  ...['filter', 'col_fields', 'row_fields', 'data_fields', 'data_fields_name'],
];

const pivotOf = (random: Random): PivotModel => {
  const first = random.int(2);
  return {
    name: pick(random, ['PivotTable1', 'DataPilot & more']),
    source: chance(random, 15) ? 'Costs' : pick(random, ['A1:D9', 'B2:E12']),
    fieldCount: 5,
    rowFields: [first],
    columnFields: chance(random, 2) ? [first + 1] : [-2],
    pageFields: chance(random, 2) ? [first + 2] : [],
    dataFields: Array.from({ length: 1 + random.int(2) }, (_, index) => ({
      field: 3 + index,
      name: `Sum of ${words(random, 1)[0]}`,
      subtotal: pick(random, ['sum', 'sum', 'count', 'average']),
    })),
    hidden: chance(random, 3) ? [1] : [],
    location: pick(random, ['A3:B7', 'G1:K9']),
    showHeaders: !chance(random, 6),
  };
};

const onPivot =
  (change: (pivot: PivotModel, random: Random) => void): Change =>
  (book: BookModel, random) => {
    for (const sheet of book.sheets) for (const pivot of sheet.pivots) change(pivot, random);
  };

export const OBJECT_SCENARIOS: Readonly<Record<string, Scenario>> = {
  chart: {
    weight: 6,
    prepare: (book, random) => {
      for (const sheet of book.sheets) if (!chance(random, 4)) addChart(sheet, random);
      if (chance(random, 4)) addChart(anySheet(book, random), random);
    },
    rule: (book, random) => ({
      type: 'chart',
      ...sheetPair(book, random),
      chart_props: [...subset(random, CHART_PROPS), ...(chance(random, 4) ? ['direction'] : [])],
    }),
    changes: [
      onChart((chart, random) => {
        chart.title = titleOf(random);
      }),
      onChart((chart, random) => {
        chart.type = pick(random, ['barChart', 'lineChart', 'scatterChart']);
      }),
      onChart(chart => {
        chart.direction = 'col';
        chart.legend = 'b';
      }),
      onChart((chart, random) => {
        chart.yTitle = titleOf(random);
      }),
      onChart(chart => chart.series.pop()),
      onChart(chart => {
        chart.from = [3, 9];
      }),
      (book, random) => addChart(anySheet(book, random), random),
    ],
  },
  sparkline: {
    weight: 2,
    prepare: (book, random) => {
      for (let row = 2; row < 5; row++)
        anySheet(book, random).sparklines.push([`F${row}`, `Sheet1!C${row}:E${row}`]);
    },
    rule: (book, random) => ({ type: 'sparkline', ...sheetPair(book, random) }),
    changes: [
      (book, random) => anySheet(book, random).sparklines.pop(),
      (book, random) => anySheet(book, random).sparklines.push(['F9', 'A1:B1']),
      (book, random) => anySheet(book, random).sparklines.reverse(),
    ],
  },
  pivot_table: {
    weight: 5,
    prepare: (book, random) => {
      book.sheets.at(-1)?.pivots.push(pivotOf(random));
      if (chance(random, 6)) anySheet(book, random).pivots.push(pivotOf(random));
    },
    rule: (book, random) => ({
      type: 'pivot_table',
      ...sheetPair(book, random),
      ...(chance(random, 2) && { sheet_idx0: -1, sheet_idx1: 'EI-1' }),
      pivot_props: chance(random, 2)
        ? ['col_fields', 'filter', 'row_fields', 'data_fields']
        : subset(random, PIVOT_PROPS),
    }),
    changes: [
      onPivot((pivot, random) => Object.assign(pivot, { hidden: [random.int(3)] })),
      onPivot(pivot => pivot.dataFields.reverse()),
      onPivot(pivot => Object.assign(pivot, { name: 'Other', location: 'B1:C9' })),
      onPivot(pivot =>
        Object.assign(pivot, { rowFields: pivot.columnFields, columnFields: pivot.rowFields }),
      ),
      onPivot(pivot => Object.assign(pivot, { pageFields: [] })),
      onPivot(pivot => Object.assign(pivot, { source: 'B2:E12' })),
    ],
  },
};
