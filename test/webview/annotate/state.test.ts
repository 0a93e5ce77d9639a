import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Annotating,
  type AnnotatingEvent,
  annotated,
  beyond,
  current,
  isThrough,
  NOBODY_WAITS,
  trimmed,
  undosOf,
} from '../../../webview/annotate/state.ts';
import { Library } from '../panels/library.ts';

const library = new Library(4);
const ids = library.ids;
const queue = { total: 9, waiting: ids.map(id => ({ row: library.row(id), members: 0 })) };
const arrived: AnnotatingEvent = { kind: 'arrived', queue, wanted: undefined };
const decided = (trajectory: string, isMember: boolean): AnnotatingEvent => ({
  kind: 'said',
  trajectory,
  remark: { kind: 'pool', isMember },
  marked: { keySteps: [], isInPool: isMember },
  undo: { kind: 'pool', isMember: null },
});
const told = (...events: readonly AnnotatingEvent[]): Annotating => events.reduce(annotated, NOBODY_WAITS);
const [first = '', second = '', third = '', fourth = ''] = ids;

describe('the queue', () => {
  test('goes on to the next that waits once one is decided', () => {
    const state = told(arrived, decided(first, true));
    expect(current(state)?.row.trajectory).toBe(second);
  });

  test('comes back from its end to what was passed over', () => {
    const state = told(arrived, { kind: 'went', at: 3 }, decided(fourth, false));
    expect(current(state)?.row.trajectory).toBe(first);
  });

  test('stays where it is when only something is said of it', () => {
    const state = told(arrived, {
      kind: 'said',
      trajectory: first,
      remark: { kind: 'key-step', step: 1, isKey: true },
      marked: { keySteps: [1] },
      undo: { kind: 'key-step', step: 1, isKey: false },
    });
    expect(current(state)?.row).toMatchObject({ trajectory: first, marked: { keySteps: [1] } });
    expect(state.decided.size).toBe(0);
  });

  test('is through once all are decided', () => {
    const state = told(arrived, ...ids.map(id => decided(id, true)));
    expect(isThrough(state)).toBe(true);
    expect(isThrough(told(arrived))).toBe(false);
  });

  test('is where it was before a reload', () => {
    expect(told({ ...arrived, wanted: third }).at).toBe(2);
  });
});

test('undoing takes back what was said last, one after the other, and goes there', () => {
  const state = told(arrived, decided(first, true), decided(second, false));
  const undone = (before: Annotating) => {
    const undo = before.undos.at(-1);
    if (undo === undefined) throw new Error('There is nothing to take back.');
    return annotated(before, { kind: 'undone', undo, marked: { keySteps: [] } });
  };
  const once = undone(state);
  expect([current(once)?.row.trajectory, [...once.decided.keys()]]).toEqual([second, [first]]);
  const twice = undone(once);
  expect([current(twice)?.row.trajectory, twice.decided.size, twice.undos]).toEqual([first, 0, []]);
});

test('undoing a decision that was changed brings back the one before', () => {
  const back: AnnotatingEvent = {
    kind: 'said',
    trajectory: first,
    remark: { kind: 'pool', isMember: false },
    marked: { keySteps: [], isInPool: false },
    undo: { kind: 'pool', isMember: true },
  };
  const state = told(arrived, decided(first, true), { kind: 'went', at: 0 }, back);
  const undo = state.undos.at(-1);
  if (undo === undefined) throw new Error('There is nothing to take back.');
  const marked = { keySteps: [], isInPool: true };
  expect([...annotated(state, { kind: 'undone', undo, marked }).decided]).toEqual([[first, true]]);
});

test('those that wait beyond what was fetched are counted', () => {
  expect(beyond(NOBODY_WAITS)).toBe(0);
  expect(beyond(told(arrived))).toBe(5);
});

test('what was said is known after a reload; what is no such thing is not', () => {
  const { undos } = told(arrived, decided(first, true));
  expect(undosOf(JSON.parse(JSON.stringify(undos)))).toEqual(undos);
  for (const kept of [undefined, 7, [{ trajectory: 'x' }]]) expect(undosOf(kept)).toEqual([]);
});

test('a trim always leaves something, within the trajectory, with the step that was pointed at', () => {
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
      const part = trimmed(before, edge, at, steps) ?? { from: 0, to: steps };
      expect(part.from).toBeGreaterThanOrEqual(0);
      expect(part.to).toBeLessThanOrEqual(steps);
      expect(part.from).toBeLessThan(part.to);
      expect(edge === 'from' ? part.from : part.to - 1).toBe(at);
    }),
  );
});

test('a trim that cuts nothing off is none', () => {
  expect(trimmed({ from: 0, to: 3 }, 'to', 4, 5)).toBeNull();
  expect(trimmed(undefined, 'from', 0, 5)).toBeNull();
});
