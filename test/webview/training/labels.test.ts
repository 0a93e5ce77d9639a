import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../../runtime/protocol/daemon/state.ts';
import {
  attemptsLabel,
  extraFindings,
  formatClock,
  formatNumber,
  formatSpan,
  runSummaryLine,
  timeLeftLabel,
} from '../../../webview/training/labels.ts';
import { runToShow, worstFirst } from '../../../webview/training/order.ts';
import { actionsFor } from '../../../webview/training/run-actions.ts';
import { pointAt } from '../../run/curves/states.ts';
import { playedState } from '../../server/played-state.ts';

describe('number formats', () => {
  test.each([
    [0, '0:00'],
    [65.9, '1:05'],
    [3725, '1:02:05'],
  ])('%d s on the clock is %s', (seconds, words) => expect(formatClock(seconds)).toBe(words));

  test.each([
    [-3, '0 s'],
    [40, '40 s'],
    [600, '10 min'],
    [3600, '1 h'],
    [3900, '1 h 5 min'],
  ])('a span of %d s is %s', (seconds, words) => expect(formatSpan(seconds)).toBe(words));

  test.each([
    [0, '0'],
    [0.000_31, '3.1e-4'],
    [0.0031, '0.0031'],
    [1.6, '1.6'],
    [45.93, '45.9'],
    [32_116.2, '32,116'],
    [-0.25, '-0.25'],
  ])('%d is written %s', (number, words) => expect(formatNumber(number)).toBe(words));
});

describe('extra findings', () => {
  const point = { ...pointAt(60, 0.25), broken: 0, score: 0.25 };

  test.each([
    ['none if scores are 0 or 1 and no episode broke', point, []],
    ['none in a run without these numbers', { ...point, score: undefined, broken: undefined }, []],
    ['the mean score', { ...point, score: 0.4 }, ['mean score 40 %']],
    ['the broken episodes', { ...point, broken: 3 }, ['3 broke']],
  ])('%s', (_, given, words) => expect(extraFindings(given)).toEqual(words));

  test('are listed after the attempts', () =>
    expect(attemptsLabel({ ...point, score: 0.4, broken: 1 })).toBe('12 of 48, mean score 40 %, 1 broke'));
});

describe('the labels of a run', () => {
  const { about } = playedState(0);

  test.each([
    [[1, 2, 3, 4], 'tiers 1–4'],
    [[3, 1], 'tiers 1, 3'],
    [[2], 'tier 2'],
  ])('the tiers %j are %s', (tiers, words) => {
    expect(runSummaryLine({ ...about, tiers })).toContain(
      `83 tasks of ${words} · screenshot and accessibility tree`,
    );
  });

  test('a run on Docker or web desktops names them', () => {
    expect(runSummaryLine({ ...about, desktops: 'web' })).toMatch(/^Web desktops · 83 tasks/);
    expect(runSummaryLine({ ...about, desktops: 'docker' })).toMatch(/^Docker desktops · 83 tasks/);
  });

  test('a run with a model agent names it first', () => {
    expect(runSummaryLine({ ...about, agent: 'tars' })).toMatch(/^agent tars · 83 tasks/);
  });

  test.each([
    ['running', 600, 'about 10 min left'],
    ['running', 1200, 'ends now'],
    ['paused', 600, '10 min left'],
    ['ended', 600, 'stopped 10 min early'],
    ['ended', 1200, ''],
    ['failed', 600, ''],
    ['stopping', 600, ''],
  ] as const)('%s after %i s has %j', (status, seconds, words) => {
    expect(timeLeftLabel(playedState(seconds, { status }))).toBe(words);
  });
});

test.each([
  ['running', true, ['run.pause', 'run.stop']],
  ['paused', true, ['run.continue', 'run.stop']],
  ['ended', true, ['run.resume']],
  ['failed', false, []],
  ['starting', true, []],
  ['stopping', true, []],
] as const)('a run that is %s (can resume: %s) offers %j', (status, canResume, deeds) => {
  expect(actionsFor({ status, seconds: 120, of: 300 }, canResume)).toEqual(deeds);
});

test('a run that has used all its time cannot be resumed', () => {
  for (const seconds of [299.99, 300, 301])
    expect(actionsFor({ status: 'ended', seconds, of: 300 }, true)).toEqual([]);
});

test('a run that failed at the end of its time can be resumed, if it has a checkpoint', () => {
  const failed = { status: 'failed', seconds: 300, of: 300 } as const;
  expect(actionsFor(failed, true)).toEqual(['run.resume']);
  expect(actionsFor(failed, false)).toEqual([]);
});

test('tasks are sorted by success rate, tasks without attempts last', () => {
  const task = (name: string, rate?: number) => ({
    task: name,
    tier: 1,
    rollouts: 3,
    ...(rate !== undefined && { rate }),
  });
  const sorted = worstFirst([task('new'), task('good', 1), task('bad', 0), task('fair', 0.5)]);
  expect(sorted.map(each => each.task)).toEqual(['bad', 'fair', 'good', 'new']);
});

describe('the shown run', () => {
  const { about } = playedState(0);
  const run = (name: string, startedAt: number, status: RunSummary['status']): RunSummary => ({
    run: name,
    startedAt,
    status,
    seconds: 0,
    of: 1,
    about,
    bytes: 0,
    canResume: true,
  });
  const RUNS = [run('old', 1, 'running'), run('newer', 2, 'ended'), run('newest', 3, 'failed')];

  test.each([
    ['that was chosen', RUNS, 'newer', 'newer'],
    ['that trains, where none was', RUNS, undefined, 'old'],
    ['that trains, where the chosen one is gone', RUNS, 'deleted', 'old'],
    ['that is newest, where none trains', RUNS.slice(1), undefined, 'newest'],
    ['that is none, where there is none', [], 'deleted', undefined],
  ])('is the one %s', (_, runs, chosen, shown) => {
    expect(runToShow(runs, chosen)).toBe(shown);
  });
});
