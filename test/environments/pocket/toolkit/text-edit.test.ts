// Properties of text editing (caret and selection stay within the text, inverse operations restore it) and the effect of
// single keys.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterStroke,
  type Editing,
  editing,
  insert,
  moveTo,
  selectAll,
  selectedText,
  selectionOf,
  selectParagraph,
  selectWord,
} from '../../../../runtime/environments/pocket/toolkit/text-edit.ts';

const MOVES = ['left', 'right', 'ctrl+left', 'ctrl+right', 'home', 'end', 'ctrl+home', 'ctrl+end'];
const STROKES = [
  ...MOVES,
  ...MOVES.map(move => (move.startsWith('ctrl+') ? `ctrl+shift+${move.slice(5)}` : `shift+${move}`)),
  'ctrl+a',
  'backspace',
  'delete',
  'enter',
  'tab',
  'f2',
];

const texts = fc.string({ unit: fc.constantFrom(...'ab c_1.,\néİ😀'), maxLength: 24 });
const statesOf = (some: fc.Arbitrary<string>): fc.Arbitrary<Editing> =>
  some.chain(text => {
    const characters = [...text];
    const place = fc.nat({ max: characters.length }).map(count => characters.slice(0, count).join('').length);
    return fc.record({ text: fc.constant(text), caret: place, anchor: place });
  });
const states = statesOf(texts);
/** About as long as an edited text may be, and longer. */
const longStates = statesOf(
  fc.tuple(texts, fc.constantFrom(0, 3980, 4500)).map(([text, more]) => text + 'x'.repeat(more) + text),
);
const unselected = states.map(state => ({ ...state, anchor: state.caret }));

const expectWithin = ({ text, caret, anchor }: Editing): void => {
  for (const place of [caret, anchor]) {
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThanOrEqual(text.length);
    expect(Number.isInteger(place)).toBe(true);
    // Not between the two units of a character.
    expect(text.codePointAt(place - 1) ?? 0).toBeLessThanOrEqual(0xffff);
  }
};

const pressed = (state: Editing, ...strokes: readonly string[]): Editing =>
  strokes.reduce((now, stroke) => afterStroke(now, stroke, true) ?? now, state);

describe('laws', () => {
  test('caret and anchor stay within the text after any keys and text', () => {
    const edits = fc.oneof(
      fc
        .constantFrom(...STROKES)
        .map(stroke => (state: Editing, lines: boolean) => afterStroke(state, stroke, lines) ?? state),
      texts.map(text => (state: Editing, lines: boolean) => insert(state, text, lines)),
      fc
        .integer({ min: -9, max: 40 })
        .map(place => (state: Editing) => moveTo(state, place, place % 2 === 0)),
      fc
        .nat({ max: 24 })
        .map(place => (state: Editing) => selectWord(state, Math.min(place, state.text.length))),
      fc
        .nat({ max: 24 })
        .map(place => (state: Editing) => selectParagraph(state, Math.min(place, state.text.length))),
    );
    fc.assert(
      fc.property(states, fc.array(edits, { maxLength: 12 }), fc.boolean(), (start, all, lines) => {
        let state = start;
        for (const edit of all) {
          state = edit(state, lines);
          expectWithin(state);
        }
      }),
    );
  });

  test('backspace removes a typed character', () => {
    fc.assert(
      fc.property(unselected, fc.constantFrom(...'xyz .İ😀'), (state, character) => {
        expect(pressed(insert(state, character, true), 'backspace')).toEqual(state);
      }),
    );
  });

  test('typed text replaces exactly the selection and leaves the caret behind it', () => {
    fc.assert(
      fc.property(states, texts, (state, text) => {
        const [from, to] = selectionOf(state);
        const written = insert(state, text, true);
        expect(written.text).toBe(state.text.slice(0, from) + text + state.text.slice(to));
        expect(written.caret).toBe(from + text.length);
        expect(selectedText(written)).toBe('');
      }),
    );
  });

  test('pasting a cut text restores it', () => {
    fc.assert(
      fc.property(longStates, state => {
        const cut = insert(state, '', true);
        expect(insert(cut, selectedText(state), true).text).toBe(state.text);
        expect(insert(state, selectedText(state), true).text).toBe(state.text);
      }),
    );
  });

  test('backspace and delete remove only the selection', () => {
    fc.assert(
      fc.property(states, fc.constantFrom('backspace', 'delete'), (state, stroke) => {
        fc.pre(state.caret !== state.anchor);
        expect(pressed(state, stroke)).toEqual(insert(state, '', true));
      }),
    );
  });

  test('moving keeps the text and drops the selection unless shift is held', () => {
    fc.assert(
      fc.property(
        states,
        fc.constantFrom(...STROKES.filter(each => /left|right|home|end/.test(each))),
        (state, stroke) => {
          const moved = pressed(state, stroke);
          expect(moved.text).toBe(state.text);
          if (stroke.includes('shift+')) expect(moved.anchor).toBe(state.anchor);
          else expect(moved.anchor).toBe(moved.caret);
        },
      ),
    );
  });

  test('home and left never move the caret forward, end and right never backward', () => {
    fc.assert(
      fc.property(unselected, state => {
        for (const stroke of ['home', 'left', 'ctrl+left', 'ctrl+home'])
          expect(pressed(state, stroke).caret).toBeLessThanOrEqual(state.caret);
        for (const stroke of ['end', 'right', 'ctrl+right', 'ctrl+end'])
          expect(pressed(state, stroke).caret).toBeGreaterThanOrEqual(state.caret);
      }),
    );
  });

  test('a selected paragraph is the line between the breaks around a place', () => {
    fc.assert(
      fc.property(unselected, state => {
        const before = state.text.slice(0, state.caret).split('\n').at(-1) ?? '';
        const after = state.text.slice(state.caret).split('\n')[0] ?? '';
        const selected = selectParagraph(state, state.caret);
        expect(selectedText(selected)).toBe(before + after);
        expect(selected.anchor).toBe(state.caret - before.length);
      }),
    );
  });

  test('a text field never contains a line break', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(texts, fc.constantFrom('\r\n', '\u0000', 'a\tb')), { maxLength: 5 }),
        pasted => {
          const state = pasted.reduce((now, text) => insert(now, text, false), editing(''));
          expect([...state.text].filter(each => each < ' ')).toEqual([]);
          expect(afterStroke(state, 'enter', false)).toBeUndefined();
        },
      ),
    );
  });
});

describe('keys', () => {
  const at = (marked: string): Editing =>
    editing(marked).text.includes('|')
      ? moveTo(editing(marked.replace('|', '')), marked.indexOf('|'), false)
      : editing(marked);
  const shown = ({ text, caret }: Editing): string => `${text.slice(0, caret)}|${text.slice(caret)}`;

  test.each([
    ['left', 'ab|c', 'a|bc'],
    ['left', '|abc', '|abc'],
    ['right', 'abc|', 'abc|'],
    ['ctrl+left', 'one two|', 'one |two'],
    ['ctrl+right', '|one two', 'one| two'],
    ['ctrl+home', 'ab\nc|d', '|ab\ncd'],
    ['ctrl+end', 'a|b\ncd', 'ab\ncd|'],
    ['delete', 'a|bc', 'a|c'],
    ['delete', 'abc|', 'abc|'],
    ['backspace', '|abc', '|abc'],
    ['enter', 'a|b', 'a\n|b'],
  ])('%s turns %j into %j', (stroke, before, expected) => {
    expect(shown(pressed(at(before), stroke))).toBe(expected);
  });

  test('left and right move to the ends of a selection', () => {
    const state = { text: 'abcdef', caret: 4, anchor: 2 };
    expect(shown(pressed(state, 'left'))).toBe('ab|cdef');
    expect(shown(pressed(state, 'right'))).toBe('abcd|ef');
  });

  test('ctrl+a selects everything, and shift with an arrow shrinks the selection', () => {
    expect(selectedText(pressed(at('a|bc'), 'ctrl+a'))).toBe('abc');
    expect(selectedText(pressed(at('abc|'), 'shift+left', 'shift+left'))).toBe('bc');
    expect(selectedText(pressed(at('one two|'), 'ctrl+shift+left'))).toBe('two');
    expect(selectedText(selectAll(editing('')))).toBe('');
  });

  test('selectWord selects the word around a place, and nothing between words', () => {
    expect(selectedText(selectWord(editing('one two, three'), 5))).toBe('two');
    expect(selectedText(selectWord(editing('one, , two'), 5))).toBe('');
  });

  test('words have letters of all languages', () => {
    expect(selectedText(selectWord(editing('a café, 😀naïve'), 3))).toBe('café');
    expect(selectedText(selectWord(editing('a café, 😀naïve'), 12))).toBe('naïve');
    expect(shown(pressed(at('café|'), 'ctrl+left'))).toBe('|café');
  });

  test.each([
    ['left', 'a😀|b', 'a|😀b'],
    ['right', 'a|😀b', 'a😀|b'],
    ['backspace', 'a😀|b', 'a|b'],
    ['delete', 'a|😀b', 'a|b'],
  ])('%s treats a character of two units as one: %j, %j', (stroke, before, expected) => {
    expect(shown(pressed(at(before), stroke))).toBe(expected);
  });

  test('a text that is too long keeps its limit while the caret moves', () => {
    const long = selectAll(editing('x'.repeat(4500)));
    const cut = pressed(long, 'backspace', 'right', 'ctrl+a');
    expect(insert(cut, 'y'.repeat(5000), true).text).toBe('y'.repeat(4500));
  });

  test('keys that do not edit are not handled', () => {
    for (const stroke of ['tab', 'f2', 'esc', 'ctrl+s'])
      expect(afterStroke(editing('a'), stroke, true)).toBeUndefined();
    expect(afterStroke(editing('a'), 'up', false)).toBeUndefined();
  });
});
