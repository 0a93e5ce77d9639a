// Properties of line breaking, and caret movement between broken lines.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textWidth } from '../../../../runtime/environments/pocket/font.ts';
import {
  afterLineStroke,
  editing,
  lineAt,
  linesOf,
  moveTo,
} from '../../../../runtime/environments/pocket/toolkit/text-edit.ts';

const someText = fc
  .array(fc.constantFrom('a', 'word', 'longerword', ' ', '  ', '\n'))
  .map(parts => parts.join(''));
const someWidth = fc.integer({ min: 8, max: 120 });

describe('lines', () => {
  test('concatenated are the text', () => {
    fc.assert(
      fc.property(someText, someWidth, (text, width) => {
        const lines = linesOf(text, width);
        const whole = lines.map(line => line.text + (line.continues ? '' : '\n')).join('');
        expect(whole).toBe(`${text}\n`);
        for (const line of lines)
          expect(text.slice(line.start, line.start + line.text.length)).toBe(line.text);
      }),
    );
  });

  test('are no wider than their space, apart from spaces at the end', () => {
    fc.assert(
      fc.property(someText, someWidth, (text, width) => {
        for (const line of linesOf(text, width)) {
          expect(textWidth(line.text.trimEnd())).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  test('lineAt finds the line of every place', () => {
    fc.assert(
      fc.property(someText, someWidth, fc.nat(), (text, width, some) => {
        const place = some % (text.length + 1);
        const lines = linesOf(text, width);
        const index = lineAt(lines, place);
        expect(lines[index]?.start).toBeLessThanOrEqual(place);
        expect(lines[index + 1]?.start ?? Number.POSITIVE_INFINITY).toBeGreaterThan(place);
      }),
    );
  });
});

describe('the caret', () => {
  const text = 'one two three';
  const lines = linesOf(text, textWidth('one two'));
  const from = (caret: number, stroke: string) =>
    afterLineStroke(moveTo(editing(text), caret, false), stroke, lines, 5);

  test('moves up and down between the lines of a paragraph', () => {
    expect(lines.map(line => line.text)).toEqual(['one two ', 'three']);
    expect(from(1, 'down')?.caret).toBe(9);
    expect(from(9, 'up')?.caret).toBe(1);
    expect(from(13, 'down')?.caret).toBe(13);
    expect(from(2, 'up')?.caret).toBe(0);
  });

  test('moves to the start and end of its line, and selects with shift', () => {
    expect(from(10, 'home')?.caret).toBe(8);
    expect(from(2, 'end')?.caret).toBe(7);
    expect(from(2, 'shift+end')).toMatchObject({ caret: 7, anchor: 2 });
    expect(from(2, 'left')).toBeUndefined();
  });
});
