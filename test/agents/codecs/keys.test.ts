// Key names as models write them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chordNames, chordText, keysNamed, withoutCapitals } from '../../../runtime/agents/codecs/keys.ts';
import { KEYS, key } from '../../../runtime/core/key.ts';

const keysOf = (text: string) =>
  keysNamed(chordNames(text), reason => {
    throw new RangeError(reason);
  });

describe('a chord', () => {
  test.each<[string, string[]]>([
    ['ctrl c', ['ctrl', 'c']],
    ['Ctrl+Shift+T', ['ctrl', 'shift', 'T']],
    ['ctrl-c', ['ctrl', 'c']],
    ['ctrl + c', ['ctrl', 'c']],
    ['ctrl +', ['ctrl', '+']],
    ['ctrl plus', ['ctrl', '+']],
    ['ctrl, c', ['ctrl', 'c']],
    ['ctrl++', ['ctrl', '+']],
    ['ctrl+-', ['ctrl', '-']],
    ['+', ['+']],
    ['-', ['-']],
    [' ', ['space']],
    ['Return', ['enter']],
    ['Control_L', ['ctrl']],
    ['Page_Down', ['pagedown']],
    ['page up', ['pageup']],
    ['shift left arrow', ['shift', 'left']],
    ['print screen', ['printscreen']],
    ['Super_L', ['win']],
    ['spacebar', ['space']],
    ['KP_Enter', ['enter']],
  ])('%j', (text, expected) => {
    expect(keysOf(text)).toEqual(expected.map(key));
  });

  test('names an unknown key', () => {
    expect(() => keysOf('ctrl+hyperspace')).toThrow('"hyperspace" is not a key');
    expect(() => keysOf('')).toThrow('no keys');
  });

  test('law: written keys come back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KEYS),
        fc.array(fc.constantFrom(...KEYS), { maxLength: 3 }),
        (first, rest) => {
          expect(keysOf(chordText([first, ...rest]))).toEqual([first, ...rest]);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test('capitals in a chord with a command key are small letters; others stay', () => {
  expect(withoutCapitals([key('ctrl'), key('C')])).toEqual(['ctrl', 'c']);
  expect(withoutCapitals([key('shift'), key('A')])).toEqual(['shift', 'A']);
  expect(withoutCapitals([key('A')])).toEqual(['A']);
});
