// The picture of a training: a golden text, and what must hold of any.

import { expect, test } from 'vitest';
import { clustered } from '../../../runtime/data/interval.ts';
import { curveSvg } from '../../../runtime/run/curves/curve-svg.ts';

function point(seconds: number, solved: number, of = 92) {
  const tasks = 23;
  // Some tasks are solved and some are not.
  const tallies = Array.from({ length: tasks }, (_, index) => ({
    successes: Math.max(0, Math.min(of / tasks, solved - (index * of) / tasks)),
    trials: of / tasks,
  }));
  return { seconds, ...clustered(tallies) };
}

const CURVE = {
  title: 'Pocket desktop, tier 1, from random weights',
  subtitle: '23 tasks · seed <dartboard>',
  seconds: 300,
  test: [point(0, 0), point(60, 10), point(150, 46), point(300, 300, 460)],
  train: [point(0, 0, 46), point(60, 12, 46), point(150, 25, 46), point(300, 320, 460)],
};

test('it is drawn as it was', async () => {
  await expect(curveSvg(CURVE)).toMatchFileSnapshot('./golden/curve.svg');
});

test('what is said of it is text, whatever it says', () => {
  expect(curveSvg(CURVE)).toContain('seed &lt;dartboard&gt;');
});

test('a training that was not measured has a picture, too', () => {
  const svg = curveSvg({ ...CURVE, test: [], train: [] });
  expect(svg).not.toContain('polyline');
  expect(svg).not.toContain('NaN');
});

test.each([0.5, 12, 300, 3600, 86_400])('over %d seconds the axis has few moments', seconds => {
  const svg = curveSvg({ ...CURVE, seconds });
  const moments = svg.match(/>\d+:\d\d</g) ?? [];
  expect(moments.length).toBeGreaterThanOrEqual(1);
  expect(moments.length).toBeLessThanOrEqual(13);
  expect(svg).not.toContain('NaN');
});

test('labels of curves that end close together keep apart', () => {
  const svg = curveSvg({ ...CURVE, train: CURVE.test });
  const [one = 0, other = 0] = [...svg.matchAll(/y="([\d.]+)" class="name"/g)].map(match => Number(match[1]));
  expect(Math.abs(one - other)).toBeGreaterThanOrEqual(40);
});
