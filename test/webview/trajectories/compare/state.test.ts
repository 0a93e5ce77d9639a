import { describe, expect, test } from 'vitest';
import type { AgentComparisonResult, ComparedAgent } from '../../../../runtime/protocol/daemon/agents.ts';
import type { TrajectoryRow } from '../../../../runtime/protocol/daemon/trajectories.ts';
import {
  headlineOf,
  measuresOf,
  mostDifferentFirst,
  playedInstances,
  usualPair,
} from '../../../../webview/trajectories/compare/state.ts';
import { TrajectoryLibrary } from '../../panels/library.ts';

const agent = (name: string, successes: number, more: Partial<ComparedAgent> = {}): ComparedAgent => ({
  ...{ agent: name, instances: 20, successes, trials: 20, low: 0.1, high: 0.9, meanSteps: 4.25 },
  ...more,
});
const compared = (value: number, low: number, high: number): AgentComparisonResult => ({
  agents: [agent('one', 12), agent('two', 8)],
  difference: { value, low, high },
  tasks: [],
});

test('the usual comparison is of the agents with the most trajectories', () => {
  const agents = [
    { agent: 'b', trajectories: 5 },
    { agent: 'c', trajectories: 9 },
    { agent: 'a', trajectories: 5 },
  ];
  expect(usualPair(agents)).toEqual(['c', 'a']);
  expect(usualPair(agents.slice(0, 1))).toBeUndefined();
});

describe('the headline', () => {
  test.each([
    ['one solves 20 percentage points more than two.', '5 to 35', compared(0.2, 0.05, 0.35)],
    ['two solves 1 percentage point more than one.', '1 to 2', compared(-0.014, -0.02, -0.01)],
    ['No clear difference between one and two.', '−5 to +9', compared(0.02, -0.05, 0.09)],
    ['No clear difference between one and two.', '0 to +9', compared(0.04, 0, 0.09)],
  ])('%s', (title, interval, result) => {
    const headline = headlineOf(result);
    expect(headline?.title).toBe(title);
    expect(headline?.detail).toContain(interval);
  });

  test('is absent without a common instance', () => {
    const { difference: _, ...none } = compared(0, 0, 0);
    expect(headlineOf(none)).toBeUndefined();
  });
});

test('measures are per trial or per step; those that neither agent knows are omitted', () => {
  const model = agent('model', 10, {
    promptTokens: 40_000,
    completionTokens: 1000,
    latencyMs: 1500,
    cost: 2,
  });
  const rows = measuresOf([agent('compact', 10), model]).map(({ name, note, values }) => [
    name,
    note,
    ...values,
  ]);
  expect(rows).toEqual([
    ['Trials', '', '20', '20'],
    ['Steps', 'per trial', '4.3', '4.3'],
    ['Tokens', 'per trial, prompt + reply', '–', '2K + 50'],
    ['Latency', 'per step', '–', '1.5 s'],
    ['Cost', 'per trial', '–', '0.10'],
    ['Cost', 'per solved trial', '–', '0.20'],
  ]);
  expect(measuresOf([agent('a', 1), agent('b', 1)]).map(({ name }) => name)).toEqual(['Trials', 'Steps']);
});

test('the tasks with the largest difference come first, in either direction', () => {
  const task = (name: string, one: number, two: number) => ({
    ...{ task: name, both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 },
    tallies: [
      { successes: one, trials: 4 },
      { successes: two, trials: 4 },
    ] as [{ successes: number; trials: number }, { successes: number; trials: number }],
  });
  const tasks = [task('same', 2, 2), task('b', 1, 2), task('a', 2, 1), task('much', 0, 4)];
  expect(mostDifferentFirst(tasks).map(each => each.task)).toEqual(['much', 'a', 'b', 'same']);
});

describe('the instances of a task', () => {
  const base = new TrajectoryLibrary(1).row('t-000000');
  const row = (id: string, more: Partial<TrajectoryRow>): TrajectoryRow => ({
    ...{ ...base, trajectory: id, outcome: 'success' },
    ...more,
  });

  test('have the latest judged trajectory of each agent; others are omitted', () => {
    const rows = [
      row('new', { seed: 2, endedAt: 20 }),
      row('old', { seed: 2, endedAt: 10 }),
      row('broken', { seed: 2, endedAt: 30, outcome: 'broken' }),
      row('model', { seed: 2, agent: 'ui-tars' }),
      row('first', { seed: 1 }),
      row('second', { seed: 1, agent: 'ui-tars' }),
      row('alone', { seed: 3 }),
      row('another', { seed: 3, agent: 'qwen' }),
    ];
    const found = playedInstances(rows, ['compact', 'ui-tars']);
    expect(found.map(({ seed, rows: pair }) => [seed, ...pair.map(({ trajectory }) => trajectory)])).toEqual([
      [1, 'first', 'second'],
      [2, 'new', 'model'],
    ]);
  });
});
