// Figures of speed and cost, from totals.

import { expect, test } from 'vitest';
import { speedFigures } from '../../../runtime/bench/hosts/hosts.ts';
import { speedBetween, speedSample } from '../../../runtime/bench/hosts/throughput.ts';
import { playedState } from '../../server/played-state.ts';

const SAMPLE = { at: 100, steps: 1000, calls: 1100, all: 50, work: 20 };

test('a speed depends on what happened between two samples only', () => {
  const after = { at: 110, steps: 1200, calls: 1320, all: 54, work: 21 };
  const speed = { stepsPerS: 20, callsPerS: 22, allMsPerStep: 20, ringMsPerStep: 15 };
  expect(speedBetween(SAMPLE, after)).toEqual(speed);
  const [earlier, later] = [SAMPLE, after].map(each => ({
    ...{ at: each.at + 7, steps: each.steps + 7, calls: each.calls + 7 },
    ...{ all: each.all + 7, work: each.work + 7 },
  }));
  expect(earlier && later && speedBetween(earlier, later)).toEqual(speed);
});

test('a sample has the work of all processes', () => {
  const { rollout, trainer } = playedState(60);
  const metrics = { 'processor/desktops': 1, 'processor/deciding': 2, 'processor/training': 4, other: 8 };
  const totals = { at: 3, calls: 5, all: 9 };
  expect(speedSample({ rollout, trainer: { ...trainer, metrics } }, totals)).toEqual({
    ...{ ...totals, steps: rollout.steps, work: 7 },
  });
  expect(speedSample({ rollout, trainer: { ...trainer, metrics: {} } }, totals).work).toBe(0);
});

test('scaling compares hosts over the broker; overhead compares with a run without one', () => {
  const speed = (callsPerS: number, ringMsPerStep: number) => ({
    ...{ callsPerS, ringMsPerStep, stepsPerS: callsPerS - 1, allMsPerStep: 2 * ringMsPerStep },
  });
  const figures = speedFigures(speed(100, 10), [speed(10, 11), speed(19, 12), speed(38, 12.5)]);
  expect(figures).toMatchObject({
    ...{ scaling_2_hosts: 1.9, scaling_4_hosts: 3.8, overhead_share: 0.25, overhead_share_of_all: 0.25 },
    overhead_share_1_host: expect.closeTo(0.1),
  });
});
