// Random actions for property tests of the codecs, with texts and keys that are hard to encode.

import fc from 'fast-check';
import { type Action, type Keys, NOTCHES } from '../../runtime/core/action.ts';
import { KEYS } from '../../runtime/core/key.ts';
import type { Point, Size } from '../../runtime/core/screen.ts';

export const SCREEN: Size = { width: 1920, height: 1080 };

const NASTY = [
  "'",
  '"',
  '\\',
  "\\'",
  '\\n',
  '\n',
  '\r\n',
  '\t',
  '\0',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ud800',
  '\udc00',
  '😀',
  'é',
  '成功',
  "')",
  "', key='",
  '#',
  ';',
  '{command}',
  '<|box_end|>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
  '<function=a>',
  '\nAction: wait()',
  "'''",
  '\\x4',
  '\\N{DASH}',
];

const text: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 3 })), { maxLength: 8 })
    .map(parts => parts.join('')),
);

const point = ({ width, height }: Size): fc.Arbitrary<Point> =>
  fc.record({ x: fc.nat(width - 1), y: fc.nat(height - 1) });

const keys: fc.Arbitrary<Keys> = fc
  .tuple(fc.constantFrom(...KEYS), fc.array(fc.constantFrom(...KEYS), { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest]);

export const size: fc.Arbitrary<Size> = fc.record({
  width: fc.integer({ min: 200, max: 4000 }),
  height: fc.integer({ min: 200, max: 4000 }),
});

export const action = (screen: Size): fc.Arbitrary<Action> => {
  const at = point(screen);
  const kind = <Kind extends Action['kind']>(name: Kind) => fc.constant(name);
  return fc.oneof(
    fc.record({ kind: kind('click'), at }),
    fc.record({ kind: kind('double_click'), at }),
    fc.record({ kind: kind('right_click'), at }),
    fc.record({ kind: kind('middle_click'), at }),
    fc.record({ kind: kind('triple_click'), at }),
    fc.record({ kind: kind('move'), at }),
    fc.record({ kind: kind('drag'), from: at, to: at }),
    fc.record({ kind: kind('type'), text }),
    fc.record({ kind: kind('hotkey'), keys }),
    fc.record({
      kind: kind('scroll'),
      at,
      direction: fc.constantFrom('up', 'down', 'left', 'right'),
      notches: fc.oneof(fc.constant(NOTCHES), fc.integer({ min: 1, max: 50 })),
    }),
    fc.record({ kind: kind('wait') }),
    fc.record({ kind: kind('finished'), answer: text }),
    fc.record({ kind: kind('fail'), why: text }),
    fc.record({ kind: kind('none'), why: text }),
  );
};

/** Strings that resemble the input of a codec but are rarely valid. */
export const scribble: fc.Arbitrary<string> = fc.oneof(
  text,
  fc
    .array(
      fc.constantFrom(
        ...[
          'Thought: ',
          '\nAction: ',
          'click',
          'pyautogui.',
          'type',
          'press',
          'hotkey',
          'toString',
          'constructor',
        ],
        ...[
          '(',
          ')',
          '[',
          ']',
          ',',
          '=',
          "'",
          '"',
          '\\',
          '\n',
          ' ',
          '#',
          ';',
          'x=',
          'start_box=',
          'content=',
          'None',
        ],
        ...[
          '(1,2)',
          '1',
          '-3',
          '1e999',
          "'ctrl c'",
          "'a'",
          '<|box_start|>',
          'import time',
          "'''",
          'moveTo',
          'dragTo',
        ],
      ),
      { maxLength: 14 },
    )
    .map(parts => parts.join('')),
);
