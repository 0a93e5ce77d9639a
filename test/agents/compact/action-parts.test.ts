// What others wrote, taken apart into what a policy can do.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choicesFor } from '../../../runtime/agents/compact/act.ts';
import { splitIntoActions } from '../../../runtime/agents/compact/action-parts.ts';
import type { Action } from '../../../runtime/core/action.ts';
import { element, tokens } from './screens.ts';

const INSTRUCTION = 'Add 6279 and 3676, then write "Hello world" to Ada.';
const ROW = tokens(INSTRUCTION, [element({ name: '+' }), element({ name: 'Save as' })]);
const parts = (text: string) => splitIntoActions(ROW, INSTRUCTION, { kind: 'type', text });

const CHARACTERS: Readonly<Record<string, string>> = { enter: '\n', space: ' ' };
const writtenBy = (action: Action): string => {
  if (action.kind === 'type') return action.text;
  const [name = ''] = action.kind === 'hotkey' && action.keys.length === 1 ? action.keys : [];
  return CHARACTERS[name] ?? name;
};

test('a text that can be copied whole stays one action', () => {
  expect(parts('Hello world')).toEqual([{ kind: 'type', text: 'Hello world' }]);
  expect(parts('Save as')).toEqual([{ kind: 'type', text: 'Save as' }]);
});

test('the parts are the longest copies, with single keys between them', () => {
  expect(parts('6279+3676=')).toEqual([
    { kind: 'type', text: '6279' },
    { kind: 'hotkey', keys: ['+'] },
    { kind: 'type', text: '3676' },
    { kind: 'hotkey', keys: ['='] },
  ]);
  expect(parts('Ada\n6279 Save as')?.map(writtenBy)).toEqual(['Ada', '\n', '6279', ' ', 'Save as']);
});

test('a sign is a key, even if a button has it as its name', () => {
  expect(parts('+')).toEqual([{ kind: 'hotkey', keys: ['+'] }]);
});

test('a text with a part that can be neither copied nor pressed has no parts', () => {
  for (const text of ['Hello moon', '62', 'Ada 成功', '😀']) expect(parts(text)).toBeUndefined();
});

test('an empty text has no parts, and other actions are unchanged', () => {
  expect(parts('')).toEqual([]);
  const click: Action = { kind: 'click', at: { x: 900, y: 900 } };
  expect(splitIntoActions(ROW, INSTRUCTION, click)).toEqual([click]);
});

describe('a text with parts', () => {
  const piece = fc.constantFrom(
    '6279',
    '3676',
    'Hello world',
    'Ada',
    'Save as',
    '+',
    '=',
    '.',
    ' ',
    '\n',
    'Add',
    ',',
  );

  test('is written by its parts in order, each of which has choices', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
        const text = pieces.join('');
        const found = parts(text);
        if (found === undefined) {
          // Two words run together, as in "AddAda", are no word that can be copied.
          return pieces.some((each, at) => /\w$/.test(each) && /^\w/.test(pieces[at + 1] ?? ''));
        }
        return (
          found.map(writtenBy).join('') === text &&
          found.every(part => choicesFor(ROW, INSTRUCTION, part) !== undefined)
        );
      }),
    );
  });

  test('exists for every concatenation of copies and keys', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        pieces => parts(pieces.join(' ')) !== undefined,
      ),
    );
  });
});
