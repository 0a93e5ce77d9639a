import { expect, test } from 'vitest';
import {
  contextKeys,
  latestWeights,
  listedRuns,
  liveRun,
  NO_RUNS,
  needsRefresh,
  offline,
  resumableRuns,
  runsOfDaemon,
  stoppedRuns,
  trainingRuns,
  unresumableRuns,
  withState,
  withSummaries,
} from '../../../extension/runs/run-list.ts';
import { isRunComplete, type RunState } from '../../../runtime/protocol/daemon/state.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const listOf = async (...states: readonly RunState[]) =>
  withSummaries(NO_RUNS, await new ScriptedRuns(...states).list());

test('a state updates the summary of its run', async () => {
  const [run] = listedRuns(withState(await listOf(playedState(60)), playedState(600)));
  expect(run).toMatchObject({ seconds: 600, bytes: 48_000_000, status: 'running' });
  expect(run?.last).toEqual(playedState(600).curve.findLast(({ split }) => split === 'test'));
});

test('needs a refresh for a new run and for a new status', async () => {
  const list = await listOf(playedState(60));
  expect(needsRefresh(NO_RUNS, playedState(60))).toBe(true);
  expect(needsRefresh(list, playedState(120))).toBe(false);
  expect(needsRefresh(list, playedState(120, { status: 'ended' }))).toBe(true);
  const updated = withState(list, playedState(120, { status: 'ended' }));
  expect(needsRefresh(updated, playedState(121, { status: 'ended' }))).toBe(false);
});

test('the weights of the latest run are those of the built-in agent, after an evaluation', async () => {
  const of = (run: string, startedAt: number) => playedState(600, { run, startedAt });
  const model = of('of-a-model', 3);
  const list = await listOf(
    { ...of('new', 4), curve: [] },
    { ...model, about: { ...model.about, agent: 'qwen' } },
    of('old', 2),
  );
  expect(latestWeights(list)).toBe('old');
  expect(latestWeights(NO_RUNS)).toBeUndefined();
});

test('forgets the state of a deleted run', async () => {
  const list = withState(await listOf(playedState(60)), playedState(120));
  expect(withSummaries(list, [])).toEqual(NO_RUNS);
});

test.each([
  ['starting', true, true],
  ['running', true, true],
  ['paused', true, false],
  ['stopping', true, false],
  ['ended', false, false],
  ['failed', false, false],
] as const)('%s: live %s, interrupted by a crash %s', async (status, isLive, isInterrupted) => {
  const list = await listOf(playedState(60, { status }));
  expect(liveRun(list) !== undefined).toBe(isLive);
  expect(trainingRuns(list)).toHaveLength(isInterrupted ? 1 : 0);
  expect(runsOfDaemon(list).map(each => each.status)).toEqual(
    isInterrupted || status === 'paused' ? [status] : [],
  );
  expect(resumableRuns(list)).toHaveLength(isLive ? 0 : 1);
  expect(contextKeys(list, true)).toEqual({
    'dartboard.isLive': isLive,
    'dartboard.isRunning': status === 'running',
    'dartboard.isPaused': status === 'paused',
    'dartboard.hasRuns': true,
    'dartboard.isEmpty': false,
  });
});

test.each([
  ['ended', 1200, true],
  ['ended', 1198, false],
  ['failed', 1200, false],
] as const)('a run that %s after %i of 1200 s is complete: %s', async (status, seconds, isComplete) => {
  const [run] = listedRuns(await listOf(playedState(seconds, { status })));
  expect(run && isRunComplete(run)).toBe(isComplete);
});

test('reports an empty folder only if the list is complete', () => {
  expect(contextKeys(NO_RUNS, false)).toMatchObject({ 'dartboard.isEmpty': false });
  expect(contextKeys(NO_RUNS, true)).toMatchObject({ 'dartboard.isEmpty': true });
});

const namesOf = (runs: readonly { readonly run: string }[]): readonly string[] => runs.map(({ run }) => run);

test('a run stays stopped after a crash if it did not resume, and reported no failure of its own', async () => {
  const reported = playedState(60, { run: 'reported', status: 'failed' });
  const states = [
    playedState(60, { run: 'stopped', status: 'failed' }),
    playedState(60, { run: 'resumed', status: 'starting' }),
    reported,
  ];
  const list = withState(await listOf(...states), reported);
  expect(namesOf(stoppedRuns(list, namesOf(states)))).toEqual(['stopped']);
});

test('a run that crashed before its first checkpoint cannot resume', async () => {
  const states = [
    playedState(60, { run: 'early', status: 'failed' }),
    playedState(60, { run: 'finished', status: 'ended' }),
  ];
  const list = await listOf(...states);
  const summaries = list.summaries.map(each => ({ ...each, canResume: false }));
  expect(namesOf(unresumableRuns({ ...list, summaries }, namesOf(states)))).toEqual(['early']);
  expect(unresumableRuns(list, namesOf(states))).toEqual([]);
});

test('keeps the newest states after the connection is lost', async () => {
  const list = offline(withState(await listOf(playedState(60)), playedState(600)));
  expect(list.states.size).toBe(0);
  expect(listedRuns(list)[0]).toMatchObject({ run: playedState(0).run, seconds: 600, status: 'running' });
});
