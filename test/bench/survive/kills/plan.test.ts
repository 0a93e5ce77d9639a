// The laws of the plan of kills and stalls.

import { expect, test } from 'vitest';
import {
  FAULTY_RUNS,
  faultName,
  PROCESS_FAULT_KINDS,
  processFaults,
  repeatedFaults,
  shareOf,
  victimsOf,
} from '../../../../runtime/bench/survive/kills/plan.ts';

const COUNTS = { kill: 23, stall: 9, disturb: 7 };

test.each(FAULTY_RUNS)('a %s run has all its faults, and each victim has its turn once per round', run => {
  const faults = processFaults(run, COUNTS);
  for (const kind of PROCESS_FAULT_KINDS) {
    const victims = victimsOf(run, kind);
    const ofKind = faults.filter(fault => fault.kind === kind);
    expect(ofKind.map(({ number }) => number)).toEqual(Array.from({ length: COUNTS[kind] }, (_, at) => at));
    for (let from = 0; from + victims.length <= ofKind.length; from += victims.length) {
      const round = ofKind.slice(from, from + victims.length).map(({ victim }) => victim);
      expect(round.toSorted()).toEqual([...victims].sort());
    }
  }
});

test('stalls are spread among the kills', () => {
  const kinds = processFaults('pocket', { kill: 20, stall: 4, disturb: 0 }).map(({ kind }) => kind);
  const places = kinds.flatMap((kind, place) => (kind === 'stall' ? [place] : []));
  expect(places.every((place, index) => place >= 4 * index && place <= 4 * index + 8)).toBe(true);
});

test('the shares of the runs add up to the whole and differ by one at most', () => {
  for (const count of [0, 1, 3, 50, 201]) {
    const shares = FAULTY_RUNS.map(
      run => shareOf({ kill: count, stall: 0, disturb: 0 }, run, FAULTY_RUNS).kill,
    );
    expect(shares.reduce((sum, each) => sum + each)).toBe(count);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  }
});

test('a fault is the same alone, and in plans of other lengths', () => {
  for (const run of FAULTY_RUNS)
    for (const fault of processFaults(run, COUNTS)) {
      const alone = repeatedFaults(faultName(fault), { kill: 1, stall: 1, disturb: 1 });
      expect(alone).toEqual({ run, faults: [fault] });
    }
  expect(repeatedFaults('web', COUNTS)).toEqual({ run: 'web', faults: processFaults('web', COUNTS) });
});

test.each(['', 'pocket:', 'pocket:kill', 'pocket:kill-', 'pocket:pause-1', 'desk:kill-1', 'pocket:kill--1'])(
  "'%s' names no fault",
  input => {
    expect(() => repeatedFaults(input, COUNTS)).toThrow(RangeError);
  },
);
