import { expect, test } from 'vitest';
import { overlaid, rowsOf } from '../../../webview/training/comparison.ts';
import { AXES } from '../../../webview/training/words.ts';
import { playedState } from '../../server/played-state.ts';

const one = playedState(600);
const other = { ...playedState(1200, { run: 'another' }), about: { ...one.about, preset: 'taught' } };

test.each(AXES)('over %s each run has its measurements at their places, and nothing else', axis => {
  const { places, runs } = overlaid([one, other], axis);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  for (const [index, { curve }] of [one, other].entries()) {
    const measured = new Map(
      curve.filter(({ split }) => split === 'test').map(point => [point[axis], point]),
    );
    const run = runs[index];
    for (const [at, place] of places.entries()) {
      const point = measured.get(place);
      expect([run?.rate[at], run?.low[at], run?.high[at]]).toEqual(
        point === undefined ? [null, null, null] : [point.rate, point.low, point.high],
      );
    }
  }
});

test('what sets runs apart is marked, what they share is not', () => {
  const rows = rowsOf([one, other]);
  expect(rows.find(({ name }) => name === 'Preset')).toMatchObject({
    values: ['scratch', 'taught'],
    differs: true,
  });
  expect(rows.find(({ name }) => name === 'Seed')).toMatchObject({ differs: false });
});

test('a run without measurements has no success, not none', () => {
  const [, , , , , , last] = rowsOf([{ ...one, curve: [] }]);
  expect(last?.values).toEqual(['–']);
});
