import { expect, test } from 'vitest';
import { contextOf } from '../../../extension/context.ts';
import {
  allRuns,
  asOfNow,
  brokenOff,
  isOutOfDate,
  liveRun,
  NOTHING,
  resumable,
  withList,
  withState,
} from '../../../extension/runs/known.ts';
import type { RunState, RunSummary } from '../../../runtime/protocol/daemon/state.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const listed = (...states: readonly RunState[]): Promise<readonly RunSummary[]> =>
  new ScriptedRuns(...states).list();

test('a run is as its newest state says, and what only the list says stays', async () => {
  const known = withState(withList(NOTHING, await listed(playedState(60))), playedState(600));
  const [run] = allRuns(known);
  expect(run).toMatchObject({ seconds: 600, bytes: 48_000_000, status: 'running' });
  expect(run?.last).toEqual(playedState(600).curve.findLast(({ split }) => split === 'test'));
});

test('the list is out of date when a run is new to it or has turned to another status', async () => {
  const known = withList(NOTHING, await listed(playedState(60)));
  expect(isOutOfDate(NOTHING, playedState(60))).toBe(true);
  expect(isOutOfDate(known, playedState(120))).toBe(false);
  expect(isOutOfDate(known, playedState(120, { status: 'ended' }))).toBe(true);
  const heard = withState(known, playedState(120, { status: 'ended' }));
  expect(isOutOfDate(heard, playedState(121, { status: 'ended' }))).toBe(false);
});

test('a run that is deleted is forgotten', async () => {
  const known = withState(withList(NOTHING, await listed(playedState(60))), playedState(120));
  expect(withList(known, [])).toEqual(NOTHING);
});

test.each([
  ['starting', true, true],
  ['running', true, true],
  ['paused', true, false],
  ['stopping', true, false],
  ['ended', false, false],
  ['failed', false, false],
] as const)('%s: it is live %s, and a crash would break it off %s', async (status, isLive, isBroken) => {
  const known = withList(NOTHING, await listed(playedState(60, { status })));
  expect(liveRun(known) !== undefined).toBe(isLive);
  expect(brokenOff(known)).toHaveLength(isBroken ? 1 : 0);
  expect(resumable(known)).toHaveLength(isLive ? 0 : 1);
  expect(contextOf(known, true)).toEqual({
    'dartboard.isLive': isLive,
    'dartboard.isRunning': status === 'running',
    'dartboard.isPaused': status === 'paused',
    'dartboard.hasRuns': true,
    'dartboard.isEmpty': false,
  });
});

test('that there are no runs is only said where that is sure', () => {
  expect(contextOf(NOTHING, false)).toMatchObject({ 'dartboard.isEmpty': false });
  expect(contextOf(NOTHING, true)).toMatchObject({ 'dartboard.isEmpty': true });
});

test('when nobody tells any more, runs stay as they were told last', async () => {
  const known = withState(withList(NOTHING, await listed(playedState(60))), playedState(600));
  const [before] = allRuns(known);
  expect(allRuns(asOfNow(known))[0]).toMatchObject({ run: before?.run, seconds: 600, status: 'running' });
});
