// From choices to an action and back. How texts are copied in part has laws of its own in act.copying.test.ts.

import { describe, expect, test } from 'vitest';
import {
  actionOf,
  ChoiceError,
  type Choices,
  COPY_WHOLE_TEXT,
  candidatesOf,
  choicesFor,
  copyOf,
  slotNumbers,
  usedSlots,
} from '../../../runtime/agents/compact/act.ts';
import { KINDS, type PolicyActionKind, SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { CHORDS } from '../../../runtime/agents/compact/chords.ts';
import { NAME_WORDS } from '../../../runtime/agents/compact/token-numbers.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import { type Action, NOTCHES } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { element, seenOf, tokens } from './screens.ts';

const INSTRUCTION = 'Copy good day, then type "good day" and "bye!".';
const THINGS = [
  element({ name: 'OK', box: [10, 10, 20, 10] }),
  element({ role: 'textfield', name: 'Name', value: 'Ada Abel', box: [10, 30, 20, 10] }),
  element({ name: '', box: [10, 50, 20, 10] }),
];
const ROW = tokens(INSTRUCTION, THINGS, { memory: [{ text: 'Total 12', age: 1 }] });
const [OK, FIELD, BARE] = [0, 1, 2].map(at => 1 + ROW.words + at);
const word = (text: string, after = 0) =>
  ROW.meanings.findIndex((meaning, token) => token > after && meaning.word?.text === text);
const numberOf = (kind: PolicyActionKind) => KINDS.indexOf(kind);
const made = (choices: Choices) => actionOf(ROW, INSTRUCTION, choices);
const choices = (action: Action) => choicesFor(ROW, INSTRUCTION, action);

describe('choices make', () => {
  test.each(['click', 'double_click', 'right_click'] as const)(
    'a %s on the middle of what they point at',
    kind => {
      expect(made({ kind: numberOf(kind), pointer: OK ?? 0 })).toEqual({ kind, at: { x: 20, y: 15 } });
    },
  );

  test('a drag between two elements', () => {
    expect(made({ kind: numberOf('drag'), pointer: OK ?? 0, target: FIELD ?? 0 })).toEqual({
      kind: 'drag',
      from: { x: 20, y: 15 },
      to: { x: 20, y: 35 },
    });
  });

  test.each([
    ['scroll_down', 'down'],
    ['scroll_up', 'up'],
  ] as const)('%s over a thing', (kind, direction) => {
    const action = { kind: 'scroll', at: { x: 20, y: 15 }, direction, notches: NOTCHES };
    expect(made({ kind: numberOf(kind), pointer: OK ?? 0 })).toEqual(action);
  });

  test('keys, a wait, and final actions without text', () => {
    expect(made({ kind: numberOf('hotkey'), key: 3 })).toEqual({ kind: 'hotkey', keys: CHORDS[3] });
    expect(made({ kind: numberOf('wait') })).toEqual({ kind: 'wait' });
    expect(made({ kind: numberOf('finished') })).toEqual({ kind: 'finished', answer: '' });
    expect(made({ kind: numberOf('fail') })).toEqual({ kind: 'fail', why: '' });
  });

  test('a text between two words of the instruction, unchanged', () => {
    const typed = (text: number, end: number) => made({ kind: numberOf('type'), text, end });
    expect(typed(word('good'), word('day'))).toEqual({ kind: 'type', text: 'good day' });
    expect(typed(word('day'), word('type'))).toEqual({ kind: 'type', text: 'day, then type' });
    expect(typed(word('bye'), word('!'))).toEqual({ kind: 'type', text: 'bye!' });
    expect(typed(word('bye'), word('bye'))).toEqual({ kind: 'type', text: 'bye' });
  });

  test('at least one word, even if the end precedes it', () => {
    expect(made({ kind: numberOf('type'), text: word('bye'), end: 1 })).toEqual({
      kind: 'type',
      text: 'bye',
    });
  });

  test('the whole text of an element or a memory, for any end or last word', () => {
    const typed = (text: number) =>
      made({ kind: numberOf('type'), text, end: 1, first: COPY_WHOLE_TEXT, last: 0 });
    expect(typed(OK ?? 0)).toEqual({ kind: 'type', text: 'OK' });
    expect(typed(FIELD ?? 0)).toEqual({ kind: 'type', text: 'Ada Abel' });
    expect(typed(ROW.count - 1)).toEqual({ kind: 'type', text: 'Total 12' });
  });

  test('some words of a value, a name or a memory', () => {
    const typed = (text: number, first: number, last: number) =>
      made({ kind: numberOf('type'), text, end: 1, first, last });
    expect(typed(OK ?? 0, 0, 0)).toEqual({ kind: 'type', text: 'OK' });
    expect(typed(FIELD ?? 0, NAME_WORDS, NAME_WORDS)).toEqual({ kind: 'type', text: 'Ada' });
    expect(typed(FIELD ?? 0, NAME_WORDS, NAME_WORDS + 1)).toEqual({ kind: 'type', text: 'Ada Abel' });
    expect(typed(ROW.count - 1, 1, 1)).toEqual({ kind: 'type', text: '12' });
  });

  test.each([
    ['of a name that has a value, of which the words are copied', FIELD, 0, 0],
    ['behind the last one', OK, 0, 1],
    ['from one that is none', OK, 1, 1],
    ['of which the first was not chosen', OK, undefined, 0],
    ['of which the last was not chosen', OK, 0, undefined],
    ['of a thing without a text', BARE, 0, 0],
  ] as const)('rejects words %s', (_name, text = 0, first, last) => {
    const chosen = { kind: numberOf('type'), text, ...(first === undefined ? {} : { first }) };
    const asked = () => made(last === undefined ? chosen : { ...chosen, last });
    expect(asked).toThrow(ChoiceError);
    expect(asked).toThrow(`Token ${text} has no `);
  });

  test.each([
    ['a kind that is none', { kind: KINDS.length }, 'Action kind 11 does not exist'],
    ['no kind', {}, 'Action kind undefined does not exist'],
    ['a pointer at a word', { kind: 0, pointer: 1 }, 'Token 1 has no place on the screen'],
    ['no target', { kind: 3, pointer: OK ?? 0 }, 'Token undefined has no place'],
    ['a text from what has none', { kind: 4, text: 0 }, 'Token 0 has no text'],
    ['keys that are none', { kind: 5, key: CHORDS.length }, `Chord ${CHORDS.length} does not exist`],
  ])('rejects %s', (_name, given, message) => {
    expect(() => made(given)).toThrow(message);
  });
});

describe('a recorded action', () => {
  test.each([
    ['a click anywhere on a thing', { kind: 'click', at: { x: 11, y: 19 } }, { kind: 0, pointer: OK }],
    [
      'a drag',
      { kind: 'drag', from: { x: 20, y: 35 }, to: { x: 20, y: 15 } },
      { kind: 3, pointer: FIELD, target: OK },
    ],
    [
      'keys',
      { kind: 'hotkey', keys: [key('ctrl'), key('s')] },
      { kind: 5, key: CHORDS.findIndex(each => each.join('+') === 'ctrl+s') },
    ],
    [
      'a drag without a distance',
      { kind: 'drag', from: { x: 12, y: 12 }, to: { x: 12, y: 12 } },
      { kind: 3, pointer: OK, target: OK },
    ],
    ['a last word with an answer', { kind: 'finished', answer: '42' }, { kind: numberOf('finished') }],
    ['a thing without a name', { kind: 'right_click', at: { x: 20, y: 55 } }, { kind: 2, pointer: BARE }],
  ] as const)('is converted to choices: %s', (_name, action, wanted) => {
    expect(choices(action)).toEqual(wanted);
  });

  test.each([
    ['a click beside everything', { kind: 'click', at: { x: 200, y: 200 } }],
    ['a drag to nothing', { kind: 'drag', from: { x: 20, y: 35 }, to: { x: 200, y: 200 } }],
    ['a drag within one thing', { kind: 'drag', from: { x: 12, y: 15 }, to: { x: 28, y: 15 } }],
    ['a mere move', { kind: 'move', at: { x: 20, y: 15 } }],
    ['scrolling sideways', { kind: 'scroll', at: { x: 20, y: 15 }, direction: 'left', notches: 5 }],
    ['keys that are not in the list', { kind: 'hotkey', keys: [key('f11')] }],
    ['a text that stands nowhere', { kind: 'type', text: 'good night' }],
  ] as const)('has no choices that make it: %s', (_name, action) => {
    expect(choices(action)).toBeUndefined();
  });

  test('has no choices if its text is empty', () => {
    expect(choices({ kind: 'type', text: '' })).toBeUndefined();
  });

  test('has no choices if its scroll distance is not the fixed one', () => {
    expect(choices({ kind: 'scroll', at: { x: 20, y: 15 }, direction: 'up', notches: 2 })).toBeUndefined();
  });
});

describe('a text is copied', () => {
  const copied = (text: string) => copyOf(ROW, INSTRUCTION, text);

  test('from between quotation marks first', () => {
    const first = word('good');
    const second = word('good', first);
    expect(second).toBeGreaterThan(first);
    expect(copied('good day')).toEqual({ text: second, end: second + 1 });
    expect(copied('Copy')).toEqual({ text: 1, end: 1 });
  });

  test('from an element or a memory, if the instruction lacks it', () => {
    expect(copied('Ada Abel')).toEqual({ text: FIELD, first: COPY_WHOLE_TEXT });
    expect(copied('Total 12')).toEqual({ text: ROW.count - 1, first: COPY_WHOLE_TEXT });
    expect(copied('OK')).toEqual({ text: OK, first: COPY_WHOLE_TEXT });
  });

  test('in part, if no text equals it', () => {
    expect(copied('Ada')).toEqual({ text: FIELD, first: NAME_WORDS, last: NAME_WORDS });
    expect(copied('12')).toEqual({ text: ROW.count - 1, first: 1, last: 1 });
  });

  test('by whole words only, and exactly', () => {
    for (const text of [
      'ood',
      'goo',
      'good ',
      'Good day',
      'Ad',
      'da Abel',
      'good day"',
      'day and',
      'Total 1',
    ])
      expect(copied(text)).toBeUndefined();
  });

  test('so that every part of the instruction is written unchanged', () => {
    for (let text = 1; text <= ROW.words; text++) {
      for (let end = text; end <= ROW.words; end++) {
        const action = made({ kind: numberOf('type'), text, end });
        const again = choices(action);
        expect(again && made(again)).toEqual(action);
      }
    }
  });
});

describe('the used slots', () => {
  test('are those of the kind', () => {
    const used = (kind: PolicyActionKind) =>
      usedSlots(ROW, {
        kind: numberOf(kind),
        pointer: OK ?? 0,
        target: 9,
        text: 1,
        end: 2,
        first: 0,
        key: 2,
      });
    expect(used('click')).toEqual(['kind', 'pointer']);
    expect(used('scroll_up')).toEqual(['kind', 'pointer']);
    expect(used('drag')).toEqual(['kind', 'pointer', 'target']);
    expect(used('hotkey')).toEqual(['kind', 'key']);
    expect(used('wait')).toEqual(['kind']);
  });

  test('are an end for a text of the instruction, and first and last words elsewhere', () => {
    const used = (text: number, first: number) =>
      usedSlots(ROW, { kind: numberOf('type'), text, end: 2, first, last: 2 });
    for (const text of [1, ROW.words]) {
      expect(used(text, 0)).toEqual(['kind', 'text', 'end']);
      expect(used(text, COPY_WHOLE_TEXT)).toEqual(['kind', 'text', 'end']);
    }
    for (const text of [OK ?? 0, FIELD ?? 0, ROW.count - 1])
      expect(used(text, 0)).toEqual(['kind', 'text', 'first', 'last']);
  });

  test('exclude the last word if the whole text is copied', () => {
    const used = (text: number) =>
      usedSlots(ROW, { kind: numberOf('type'), text, first: COPY_WHOLE_TEXT, last: 2 });
    for (const text of [OK ?? 0, FIELD ?? 0, ROW.count - 1])
      expect(used(text)).toEqual(['kind', 'text', 'first']);
  });

  test('have their numbers by slot, with 0 for unused slots', () => {
    const { chosen, used } = slotNumbers(ROW, { kind: numberOf('hotkey'), key: 7, pointer: 9, text: 1 });
    expect(chosen).toEqual(SLOTS.map(slot => ({ kind: numberOf('hotkey'), key: 7 })[slot as 'kind'] ?? 0));
    expect(used).toEqual(SLOTS.map(slot => Number(slot === 'kind' || slot === 'key')));
  });

  test('without a number for a used slot are an error that names the slot', () => {
    expect(() => slotNumbers(ROW, { kind: numberOf('click') })).toThrow("lack the slot 'pointer'");
  });

  test('of a pointer give its targets in order', () => {
    const meant = candidatesOf(ROW, { kind: numberOf('drag'), pointer: FIELD ?? 0, target: OK ?? 0 });
    expect(meant.map(({ kind, index }) => [kind, index])).toEqual([
      ['element', 1],
      ['element', 0],
    ]);
    expect(candidatesOf(ROW, { kind: numberOf('hotkey'), key: 0, pointer: OK ?? 0 })).toEqual([]);
  });
});

test('a target has the index in the screen’s list', () => {
  const seen = { ...seenOf('', THINGS), firstElement: 30 };
  const [meant] = candidatesOf(tokensOf(seen), { kind: 0, pointer: 2 });
  expect(meant).toEqual({ kind: 'element', index: 31, box: THINGS[1]?.box });
});
