import { expect, test } from 'vitest';
import { savedFile } from '../../../runtime/protocol/panels.ts';
import { reportName } from '../../../runtime/protocol/report-name.ts';
import { comparisonRows, overlayCurves } from '../../../webview/training/comparison.ts';
import { CURVE_AXES } from '../../../webview/training/labels.ts';
import { playedState } from '../../server/played-state.ts';

const one = playedState(600);
const other = { ...playedState(1200, { run: 'another' }), about: { ...one.about, preset: 'taught' } };

test.each(CURVE_AXES)('over %s each run has values only at its own evaluations', axis => {
  const { positions, runs } = overlayCurves([one, other], axis);
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  for (const [index, { curve }] of [one, other].entries()) {
    const measured = new Map(
      curve.filter(({ split }) => split === 'test').map(point => [point[axis], point]),
    );
    const run = runs[index];
    for (const [at, place] of positions.entries()) {
      const point = measured.get(place);
      expect([run?.rate[at], run?.low[at], run?.high[at]]).toEqual(
        point === undefined ? [null, null, null] : [point.rate, point.low, point.high],
      );
    }
  }
});

test('rows with different values are marked', () => {
  const rows = comparisonRows([one, other]);
  expect(rows.find(({ name }) => name === 'Preset')).toMatchObject({
    values: ['scratch', 'taught'],
    differs: true,
  });
  expect(rows.find(({ name }) => name === 'Seed')).toMatchObject({ differs: false });
});

test('agents are compared if one run has a model agent', () => {
  const agents = (runs: Parameters<typeof comparisonRows>[0]) =>
    comparisonRows(runs).find(({ name }) => name === 'Agent')?.values;
  expect(agents([one, other])).toBeUndefined();
  expect(agents([one, { ...other, about: { ...other.about, agent: 'tars' } }])).toEqual(['compact', 'tars']);
});

test('a run without evaluations has no success rate, not zero', () => {
  const [, , , , , , last] = comparisonRows([{ ...one, curve: [] }]);
  expect(last?.values).toEqual(['–']);
});

test.each([[['a']], [['2026-11-20-120000-seed', 'b', 'c']], [['x'.repeat(128), 'y']]])(
  'the name of a report about %j is a valid file name',
  runs => {
    expect(() => savedFile.parse({ name: reportName(runs), text: '' })).not.toThrow();
  },
);
