// Actions as programs for a guest.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { key } from '../../../runtime/core/key.ts';
import { programOf } from '../../../runtime/environments/guest/guest-input.ts';

const typed = (text: string) => programOf({ kind: 'type', text })?.split('\n').slice(2);

describe('a text', () => {
  test('of a US keyboard is written', () => {
    expect(typed('a b\n')).toEqual(["pyautogui.write('a b\\n')"]);
  });

  test('has < as a combination, since pyautogui types > for it', () => {
    expect(typed('a<b')).toEqual([
      "pyautogui.write('a')",
      "pyautogui.hotkey('shift', ',')",
      "pyautogui.write('b')",
    ]);
  });

  test('has what the keyboard lacks as a paste, between what it has', () => {
    expect(typed('x é!')).toEqual([
      "pyautogui.write('x ')",
      'import pyperclip',
      "pyperclip.copy('é')",
      "pyautogui.hotkey('ctrl', 'v')",
      'time.sleep(0.1)',
      "pyautogui.write('!')",
    ]);
  });

  test('is complete: the parts join to the whole text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const parts = (typed(text) ?? []).map(line => {
          const [, quoted] = /^py(?:autogui\.write|perclip\.copy)\('(.*)'\)$/.exec(line) ?? [];
          if (quoted !== undefined) return unquoted(quoted);
          return line.includes("'shift', ','") ? '<' : '';
        });
        expect(parts.join('')).toBe(text);
      }),
    );
  });
});

const unquoted = (quoted: string): string =>
  quoted.replaceAll(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|[\s\S])/g, (_, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return { n: '\n', r: '\r', t: '\t' }[code] ?? code;
  });

test('the key < is a combination, since pyautogui presses > for it', () => {
  const pressed = (...keys: [string, ...string[]]) => {
    const [first, ...others] = keys;
    return programOf({ kind: 'hotkey', keys: [key(first), ...others.map(key)] })
      ?.split('\n')
      .at(-1);
  };
  expect(pressed('<')).toBe("pyautogui.hotkey('shift', ',')");
  expect(pressed('ctrl', '<')).toBe("pyautogui.hotkey('ctrl', 'shift', ',')");
  expect(pressed('>')).toBe("pyautogui.press('>')");
});

test('a click is a call, and an action without input has no program', () => {
  expect(
    programOf({ kind: 'click', at: { x: 3, y: 4 } })
      ?.split('\n')
      .at(-1),
  ).toBe('pyautogui.click(3, 4)');
  expect(programOf({ kind: 'wait' })).toBeUndefined();
  expect(programOf({ kind: 'fail', why: 'no' })).toBeUndefined();
});
