import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AnnotateEvent,
  type AnnotateState,
  currentEntry,
  EMPTY_QUEUE,
  isAllDecided,
  notFetched,
  ownVote,
  parseUndos,
  reduceAnnotate,
  trimAt,
} from '../../../webview/annotate/state.ts';
import { TrajectoryLibrary } from '../panels/library.ts';

const library = new TrajectoryLibrary(4);
const ids = library.ids;
const queue = { total: 9, waiting: ids.map(id => ({ row: library.row(id), members: 0, reasons: [] })) };
const arrived: AnnotateEvent = { kind: 'received', queue, wanted: undefined };
const decided = (trajectory: string, isMember: boolean): AnnotateEvent => ({
  kind: 'said',
  trajectory,
  remark: { kind: 'pool', isMember },
  who: 'Ada',
  marked: { keySteps: [], isInPool: isMember, votes: [{ who: 'Ada', isMember }] },
  undo: { kind: 'pool', isMember: null },
});
const told = (...events: readonly AnnotateEvent[]): AnnotateState =>
  events.reduce(reduceAnnotate, EMPTY_QUEUE);
const [first = '', second = '', third = '', fourth = ''] = ids;

describe('the queue', () => {
  test('moves to the next undecided entry after a decision', () => {
    const state = told(arrived, decided(first, true));
    expect(currentEntry(state)?.row.trajectory).toBe(second);
  });

  test('wraps around to entries that were skipped', () => {
    const state = told(arrived, { kind: 'went', at: 3 }, decided(fourth, false));
    expect(currentEntry(state)?.row.trajectory).toBe(first);
  });

  test('stays on the entry after a remark without a decision', () => {
    const state = told(arrived, {
      kind: 'said',
      trajectory: first,
      remark: { kind: 'key-step', step: 1, isKey: true },
      who: 'Ada',
      marked: { keySteps: [1] },
      undo: { kind: 'key-step', step: 1, isKey: false },
    });
    expect(currentEntry(state)?.row).toMatchObject({ trajectory: first, marked: { keySteps: [1] } });
    expect(state.decided.size).toBe(0);
  });

  test('is finished when all entries are decided', () => {
    const state = told(arrived, ...ids.map(id => decided(id, true)));
    expect(isAllDecided(state)).toBe(true);
    expect(isAllDecided(told(arrived))).toBe(false);
  });

  test('opens the entry that was open before a reload', () => {
    expect(told({ ...arrived, wanted: third }).at).toBe(2);
  });
});

test('undo reverts remarks in reverse order, and opens their entries', () => {
  const state = told(arrived, decided(first, true), decided(second, false));
  const undone = (before: AnnotateState) => {
    const undo = before.undos.at(-1);
    if (undo === undefined) throw new Error('There is nothing to take back.');
    return reduceAnnotate(before, { kind: 'undone', undo, marked: { keySteps: [] } });
  };
  const once = undone(state);
  expect([currentEntry(once)?.row.trajectory, [...once.decided.keys()]]).toEqual([second, [first]]);
  const twice = undone(once);
  expect([currentEntry(twice)?.row.trajectory, twice.decided.size, twice.undos]).toEqual([first, 0, []]);
});

test('a step whose trajectory is gone is dropped, and leaves the earlier ones', () => {
  const state = told(arrived, decided(first, true), decided(second, false));
  const undo = state.undos.at(-1);
  if (undo === undefined) throw new Error('There is nothing to take back.');
  const dropped = reduceAnnotate(state, { kind: 'undoDropped', undo });
  expect(dropped).toEqual({ ...state, undos: state.undos.slice(0, 1) });
});

test('undo of a changed decision restores the previous one', () => {
  const back: AnnotateEvent = {
    kind: 'said',
    trajectory: first,
    remark: { kind: 'pool', isMember: false },
    who: 'Ada',
    marked: { keySteps: [], isInPool: false },
    undo: { kind: 'pool', isMember: true },
  };
  const state = told(arrived, decided(first, true), { kind: 'went', at: 0 }, back);
  const undo = state.undos.at(-1);
  if (undo === undefined) throw new Error('There is nothing to take back.');
  const marked = { keySteps: [], isInPool: true };
  expect([...reduceAnnotate(state, { kind: 'undone', undo, marked }).decided]).toEqual([[first, true]]);
});

test('a decision is the vote of one person, and its undo step names that person', () => {
  const state = told(arrived, decided(first, true));
  expect([ownVote(state, first, 'Ada'), ownVote(state, first, 'Bob')]).toEqual([true, undefined]);
  expect(state.undos).toMatchObject([{ trajectory: first, who: 'Ada' }]);
});

test('entries that were not fetched are counted', () => {
  expect(notFetched(EMPTY_QUEUE)).toBe(0);
  expect(notFetched(told(arrived))).toBe(5);
});

test('valid undo steps survive a reload, invalid ones are dropped', () => {
  const { undos } = told(arrived, decided(first, true));
  expect(parseUndos(JSON.parse(JSON.stringify(undos)))).toEqual(undos);
  for (const kept of [undefined, 7, [{ trajectory: 'x' }]]) expect(parseUndos(kept)).toEqual([]);
});

test('a trim is never empty, stays within the trajectory, and has the chosen step', () => {
  const law = fc.record({
    steps: fc.integer({ min: 1, max: 30 }),
    at: fc.nat(29),
    a: fc.nat(29),
    b: fc.nat(29),
  });
  fc.assert(
    fc.property(law, fc.constantFrom('from', 'to'), ({ steps, at, a, b }, edge) => {
      fc.pre(at < steps && a < steps && b < steps);
      const before = a === b ? undefined : { from: Math.min(a, b), to: Math.max(a, b) };
      const part = trimAt(before, edge, at, steps) ?? { from: 0, to: steps };
      expect(part.from).toBeGreaterThanOrEqual(0);
      expect(part.to).toBeLessThanOrEqual(steps);
      expect(part.from).toBeLessThan(part.to);
      expect(edge === 'from' ? part.from : part.to - 1).toBe(at);
    }),
  );
});

test('a trim of the whole trajectory is no trim', () => {
  expect(trimAt({ from: 0, to: 3 }, 'to', 4, 5)).toBeNull();
  expect(trimAt(undefined, 'from', 0, 5)).toBeNull();
});
