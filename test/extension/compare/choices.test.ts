import { expect, test } from 'vitest';
import { choicesOfRuns, problemOfChoice } from '../../../extension/compare/choices.ts';
import type { ListedRun } from '../../../extension/runs/run-list.ts';
import { MAX_COMPARED_RUNS } from '../../../runtime/protocol/daemon/messages.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const runsOf = async (...names: readonly string[]): Promise<readonly ListedRun[]> => {
  const states = names.map(run => playedState(600, { run, status: 'ended' }));
  const summaries = await new ScriptedRuns(...states).list();
  return summaries.map(summary => ({ ...summary, waiting: [] }));
};
const picked = (runs: readonly ListedRun[], chosen?: string): readonly string[] =>
  choicesOfRuns(runs, chosen).flatMap(choice => (choice.picked ? choice.run : []));

test('proposes the newest two runs, or the chosen one and the newest other', async () => {
  const runs = await runsOf('c', 'b', 'a');
  expect(choicesOfRuns(runs).map(({ run }) => run)).toEqual(['c', 'b', 'a']);
  expect(picked(runs)).toEqual(['c', 'b']);
  expect(picked(runs, 'a')).toEqual(['c', 'a']);
  expect(picked(runs, 'c')).toEqual(['c', 'b']);
});

test('a folder with one run cannot compare', async () => {
  expect(() => choicesOfRuns([])).toThrow('has 0');
  const [only] = await runsOf('a');
  expect(() => choicesOfRuns(only === undefined ? [] : [only])).toThrow('has 1');
});

test('accepts the numbers of runs that the daemon accepts', () => {
  const accepted = Array.from({ length: MAX_COMPARED_RUNS + 3 }, (_, count) => problemOfChoice(count));
  expect(accepted.flatMap((problem, count) => (problem === undefined ? count : []))).toEqual(
    Array.from({ length: MAX_COMPARED_RUNS - 1 }, (_, index) => index + 2),
  );
});
