// Comparing an action with the expert's on the same screen.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { matchAction } from '../../../runtime/environments/offline/match-action.ts';
import { action } from '../../core/arbitraries.ts';

const SCREEN = { width: 1000, height: 500 };
const click = (x: number, y: number): Action => ({ kind: 'click', at: { x, y } });
const type = (text: string): Action => ({ kind: 'type', text });
const press = (...names: readonly [string, ...string[]]): Action => {
  const [first, ...rest] = names;
  return { kind: 'hotkey', keys: [key(first), ...rest.map(key)] };
};
const scroll = (direction: 'up' | 'down', x = 5): Action => ({
  ...{ kind: 'scroll', at: { x, y: 5 }, direction, notches: 5 },
});

describe('an action', () => {
  const cases: readonly (readonly [string, Action, Action, string])[] = [
    ['a click at the same point', click(500, 100), click(500, 100), 'equal'],
    ['a click 4 % of the width away', click(540, 100), click(500, 100), 'equal'],
    ['a click further away', click(541, 100), click(500, 100), 'kind'],
    ['a click 4 % of the height away', click(500, 120), click(500, 100), 'equal'],
    ['a click further down', click(500, 121), click(500, 100), 'kind'],
    ['another button', { kind: 'right_click', at: { x: 500, y: 100 } }, click(500, 100), 'other'],
    ['the same text in other letters', type('  Ada '), type('ada'), 'equal'],
    ['another text', type('Bob'), type('ada'), 'kind'],
    ['no text at all', type(''), type('ada'), 'kind'],
    ['a text without its final Enter', type('ada'), type('ada\n'), 'part'],
    ['a single letter as a key', press('a'), type('a'), 'equal'],
    ['Enter as a text', press('enter'), type('\n'), 'equal'],
    ['a space instead of Enter', press('space'), press('enter'), 'kind'],
    ['the same keys', press('ctrl', 'shift', 't'), press('shift', 'ctrl', 't'), 'equal'],
    ['other keys', press('ctrl', 'c'), press('ctrl', 'v'), 'kind'],
    ['a scroll elsewhere', scroll('down', 900), scroll('down'), 'equal'],
    ['a scroll the other way', scroll('up'), scroll('down'), 'kind'],
    [
      'the end with an answer',
      { kind: 'finished', answer: 'done' },
      { kind: 'finished', answer: '' },
      'equal',
    ],
    ['giving up instead', { kind: 'fail', why: '' }, { kind: 'finished', answer: '' }, 'other'],
    ['no action', { kind: 'none', why: 'unreadable' }, click(1, 1), 'none'],
  ];
  test.each(cases)('%s', (_, given, expected, is) => {
    expect(matchAction(given, [expected], SCREEN).is).toBe(is);
  });

  test('equals itself, whatever it is', () => {
    fc.assert(
      fc.property(action(SCREEN), each => {
        if (each.kind !== 'none')
          expect(matchAction(each, [each], SCREEN)).toEqual({ is: 'equal', actions: 1 });
      }),
    );
  });
});

test('a text can be typed in any parts, and the rest is what is missing', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 6 }), parts => {
      const whole = type(parts.join(''));
      let rest: string | undefined;
      for (const [index, part] of parts.entries()) {
        const found = matchAction(type(part), [whole], SCREEN, rest);
        if (index === parts.length - 1) expect(found.is).toBe('equal');
        else {
          expect(found).toEqual({ is: 'part', rest: parts.slice(index + 1).join('') });
          rest = found.is === 'part' ? found.rest : undefined;
        }
      }
    }),
  );
});

describe('a text that runs past the action of the expert', () => {
  const experts = [type('ab'), type('cd'), press('enter'), click(1, 1), type('x')] as const;
  test.each([
    ['abcd\n', { is: 'equal', actions: 3 }],
    ['abcd', { is: 'equal', actions: 2 }],
    ['abc', { is: 'equal', actions: 1, rest: 'd' }],
    ['ab', { is: 'equal', actions: 1 }],
    ['a', { is: 'part', rest: 'b' }],
    ['abX', { is: 'kind' }],
    // The click comes before the last text.
    ['abcd\nx', { is: 'kind' }],
  ])('%j', (text, expected) => expect(matchAction(type(text), experts, SCREEN)).toEqual(expected));

  test('continues with the rest of a text', () => {
    expect(matchAction(type('bc'), experts, SCREEN, 'b')).toEqual({ is: 'equal', actions: 1, rest: 'd' });
  });
});
