import { expect, test } from 'vitest';
import {
  interruptedRuns,
  mustWrite,
  recentTraining,
  runsBeingStopped,
  type TrainingSnapshot,
} from '../../../extension/runs/training-snapshot.ts';

const SNAPSHOT: TrainingSnapshot = { runs: ['one'], daemon: 1, at: 1_000_000 };

test('a reload interrupts a training, if the window returns soon', () => {
  expect(recentTraining(SNAPSHOT, SNAPSHOT.at + 60_000)).toEqual(SNAPSHOT);
  expect(recentTraining(SNAPSHOT, SNAPSHOT.at + 10 * 60_000)).toBeUndefined();
  expect(recentTraining({ ...SNAPSHOT, runs: [] }, SNAPSHOT.at)).toBeUndefined();
  expect(recentTraining(undefined, SNAPSHOT.at)).toBeUndefined();
});

test('resumes runs under a new daemon', () => {
  expect(interruptedRuns(SNAPSHOT, 2)).toEqual(['one']);
});

test('leaves runs alone that stopped under the same daemon', () => {
  expect(interruptedRuns(SNAPSHOT, 1)).toEqual([]);
  expect(interruptedRuns(undefined, 1)).toEqual([]);
});

test('recognises runs that their daemon is stopping', () => {
  expect(runsBeingStopped(SNAPSHOT, 1, ['one', 'two'])).toEqual(['one']);
  expect(runsBeingStopped(SNAPSHOT, 2, ['one'])).toEqual([]);
});

test('is written after a change of runs, and every few seconds during a training', () => {
  expect(mustWrite(SNAPSHOT, undefined)).toBe(true);
  expect(mustWrite({ ...SNAPSHOT, at: SNAPSHOT.at + 1000 }, SNAPSHOT)).toBe(false);
  expect(mustWrite({ ...SNAPSHOT, at: SNAPSHOT.at + 6000 }, SNAPSHOT)).toBe(true);
  const none = { ...SNAPSHOT, runs: [], at: SNAPSHOT.at + 1000 };
  expect(mustWrite(none, SNAPSHOT)).toBe(true);
  expect(mustWrite({ ...none, at: SNAPSHOT.at + 60_000 }, none)).toBe(false);
});
