import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import {
  isMarked,
  type Mark,
  marked,
  markOf,
  parseMark,
  type Remark,
  UNMARKED,
  undoOf,
} from '../../../runtime/data/files/marks.ts';

const remark: fc.Arbitrary<Remark> = fc.oneof(
  fc.record({ kind: fc.constant('verdict' as const), success: fc.constantFrom(true, false, null) }),
  fc.record({ kind: fc.constant('label' as const), label: fc.constantFrom('', 'odd', 'nice') }),
  fc.record({ kind: fc.constant('note' as const), text: fc.constantFrom('', 'look at step 3') }),
  fc.record({ kind: fc.constant('key-step' as const), step: fc.nat(3), isKey: fc.boolean() }),
  fc.record({ kind: fc.constant('pool' as const), isMember: fc.constantFrom(true, false, null) }),
  fc.record({
    kind: fc.constant('trim' as const),
    part: fc.constantFrom({ from: 0, to: 2 }, { from: 1, to: 3 }, null),
  }),
  fc.record({ kind: fc.constant('instruction' as const), text: fc.constantFrom('', 'Star the mail.') }),
);

const said = fc.tuple(remark, fc.constantFrom('ada', 'bob', 'eve'));
type Said = readonly [Remark, string];

const after = (all: readonly Said[]) =>
  all.reduce((before, [each, who]) => marked(before, each, who), UNMARKED);

/** The subject of a remark; each key step and each vote is one of its own. */
const about = ([each, who]: Said): string =>
  each.kind === 'key-step' ? `${each.kind} ${each.step}` : each.kind === 'pool' ? `pool ${who}` : each.kind;

test('only the last remark about a subject applies', () => {
  fc.assert(
    fc.property(fc.array(said), remarks => {
      const last = remarks.filter(
        (each, index) => !remarks.slice(index + 1).some(later => about(later) === about(each)),
      );
      expect(after(remarks)).toEqual(after(last));
    }),
  );
});

test('applying the remarks again from any point changes nothing', () => {
  fc.assert(
    fc.property(fc.array(said), fc.nat(), (remarks, from) => {
      expect(after([...remarks, ...remarks.slice(from % (remarks.length + 1))])).toEqual(after(remarks));
    }),
  );
});

test('the undo of a remark restores the previous state', () => {
  fc.assert(
    fc.property(fc.array(said), said, (remarks, [last, who]) => {
      const before = after(remarks);
      expect(marked(marked(before, last, who), undoOf(before, last, who), who)).toEqual(before);
    }),
  );
});

test('removed marks leave no trace', () => {
  const taken = [
    { kind: 'verdict', success: true },
    { kind: 'label', label: 'odd' },
    { kind: 'note', text: 'why?' },
    { kind: 'key-step', step: 2, isKey: true },
    { kind: 'trim', part: { from: 1, to: 2 } },
    { kind: 'instruction', text: 'Star the mail.' },
    { kind: 'pool', isMember: false },
    { kind: 'verdict', success: null },
    { kind: 'label', label: '' },
    { kind: 'note', text: '' },
    { kind: 'key-step', step: 2, isKey: false },
    { kind: 'trim', part: null },
    { kind: 'instruction', text: '' },
    { kind: 'pool', isMember: null },
  ].map((each): Said => [each as Remark, 'ada']);
  expect(isMarked(after(taken.slice(0, 1)))).toBe(true);
  expect(after(taken)).toEqual(UNMARKED);
  expect(isMarked(after(taken))).toBe(false);
});

test('a trajectory is a member if somebody accepted it and nobody rejected it', () => {
  const vote = (who: string, isMember: boolean | null): Said => [{ kind: 'pool', isMember }, who];
  expect(after([]).isInPool).toBeUndefined();
  expect(after([vote('ada', true), vote('bob', true)]).isInPool).toBe(true);
  const disputed = after([vote('ada', false), vote('bob', true)]);
  expect(disputed).toMatchObject({
    isInPool: false,
    votes: [
      { who: 'ada', isMember: false },
      { who: 'bob', isMember: true },
    ],
  });
  expect(after([vote('ada', false), vote('bob', true), vote('ada', null)]).isInPool).toBe(true);
  expect(after([vote('ada', false), vote('bob', null)]).isInPool).toBe(false);
});

test('a mark keeps author and time, and is read again from its line', () => {
  fc.assert(
    fc.property(remark, said => {
      const mark: Mark = markOf(said, trajectoryId('t-1'), 'ada', 17);
      expect(parseMark(JSON.parse(JSON.stringify(mark)))).toEqual({
        ...said,
        trajectory: 't-1',
        who: 'ada',
        at: 17,
      });
    }),
  );
  expect(parseMark({ kind: 'verdict', success: true })).toBeUndefined();
});

test('a row without marks is unmarked, also with other fields', () => {
  const row = { ...UNMARKED, id: 'one', steps: 4, isInPool: undefined, run: 'first' };
  expect(isMarked(row as never)).toBe(false);
  expect(isMarked({ ...row, note: 'look' } as never)).toBe(true);
});
