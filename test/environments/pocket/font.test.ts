// The pocket desktop's font: every glyph exists and is distinct; properties of text widths, truncation and wrapping.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BOLD_GAP,
  boldWidth,
  CAP_HEIGHT,
  fitText,
  GAP,
  GLYPH_HEIGHT,
  type Glyph,
  glyphOf,
  indexAt,
  LINE_HEIGHT,
  textWidth,
  wrapText,
} from '../../../runtime/environments/pocket/font.ts';

const PRINTABLE = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));
const BOX = glyphOf('\uFFFD');
const NAMED: [name: string, glyph: Glyph][] = [
  ...PRINTABLE.map((character): [string, Glyph] => [character, glyphOf(character)]),
  ['the box', BOX],
];
/** Groups of characters that fonts often draw alike. */
const LOOKALIKES = [
  'Il1|!',
  'O0DQ',
  'S5$',
  'B8',
  'Z2',
  "'`",
  '-_~',
  '.,',
  ':;',
  'ilj|1',
  'ceo',
  'gqy9',
  'vuy',
  'CG',
  '({[',
  ')}]',
];

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'ab Wi.\n'), maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const width = fc.integer({ min: 0, max: 120 });
const widest = Math.max(...NAMED.map(([, glyph]) => glyph.width));

const pixel = ({ dots }: Glyph, x: number, y: number): boolean => dots.includes((y << 3) | x);
const drawing = (glyph: Glyph): string =>
  Array.from({ length: GLYPH_HEIGHT }, (_, y) =>
    Array.from({ length: glyph.width }, (_, x) => (pixel(glyph, x, y) ? '#' : '.')).join(''),
  ).join('\n');
const inkRows = ({ dots }: Glyph): number[] => [...new Set([...dots].map(dot => dot >> 3))];
const pairs = <Item>(items: readonly Item[]): [Item, Item][] =>
  items.flatMap((a, index) => items.slice(index + 1).map((b): [Item, Item] => [a, b]));

/** The number of pixels in which two glyphs differ. */
function difference(a: Glyph, b: Glyph): number {
  let count = 0;
  for (let y = 0; y < GLYPH_HEIGHT; y++) {
    for (let x = 0; x < 8; x++) if (pixel(a, x, y) !== pixel(b, x, y)) count++;
  }
  return count;
}

describe('glyphs', () => {
  test.each(PRINTABLE)('%j has a glyph', character => {
    expect(glyphOf(character)).not.toBe(BOX);
    expect(inkRows(glyphOf(character)).length > 0).toBe(character !== ' ');
  });

  test.each(NAMED)(
    '%s fits its cell, and fills it but for the space and the narrow one among the digits',
    (name, { width, dots }) => {
      for (const dot of dots) expect(dot >> 3).toBeLessThan(GLYPH_HEIGHT);
      expect(width).toBeGreaterThanOrEqual(1);
      expect(width).toBeLessThanOrEqual(7);
      const ink = dots.reduce((all, dot) => all | (0x80 >> (dot & 7)), 0);
      expect(ink & (0xff >> width)).toBe(0);
      if (name === ' ' || name === '1') return;
      expect(ink & 0x80).not.toBe(0);
      expect(ink & (0x80 >> (width - 1))).not.toBe(0);
    },
  );

  test('characters without a glyph are a box', () => {
    for (const character of ['', '\n', '\t', '\x7f', 'é', '…', '漢', '😀']) {
      expect(glyphOf(character)).toBe(BOX);
    }
  });

  test('no two glyphs are equal', () => {
    expect(new Set(NAMED.map(([, glyph]) => drawing(glyph))).size).toBe(NAMED.length);
  });

  test.each(LOOKALIKES)('%s differ', group => {
    for (const [a, b] of pairs([...group])) {
      expect(difference(glyphOf(a), glyphOf(b)), `${a} and ${b}`).toBeGreaterThanOrEqual(3);
    }
  });

  test.each([
    ['rn', 'm'],
    ['vv', 'w'],
    ['VV', 'W'],
    ['cl', 'd'],
  ])('%s is not taken for %s', (pair, one) => {
    expect(textWidth(pair)).toBeGreaterThanOrEqual(textWidth(one) + 2);
  });

  test('capitals and digits stand on the baseline and have one height', () => {
    for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
      const ink = inkRows(glyphOf(character));
      expect([ink[0], ink.at(-1)], character).toEqual([0, CAP_HEIGHT - 1]);
    }
    expect(LINE_HEIGHT).toBeGreaterThan(GLYPH_HEIGHT);
  });

  test('only letters with a descender extend below the baseline', () => {
    for (const character of 'abcdefghijklmnopqrstuvwxyz') {
      const last = 'gjpqy'.includes(character) ? GLYPH_HEIGHT : CAP_HEIGHT;
      expect(inkRows(glyphOf(character)).at(-1), character).toBe(last - 1);
    }
  });

  test('all digits have one width', () => {
    expect(new Set([...'0123456789'].map(digit => glyphOf(digit).width))).toEqual(new Set([5]));
  });

  test('A has the drawn pixels', () => {
    expect(drawing(glyphOf('A'))).toBe(
      ['..#..', '.#.#.', '#...#', '#...#', '#####', '#...#', '#...#', '.....', '.....'].join('\n'),
    );
  });
});

describe('width', () => {
  test('of an empty text is 0', () => {
    expect([textWidth(''), boldWidth('')]).toEqual([0, 0]);
  });

  test('of one character is that of its glyph, and in bold one pixel more', () => {
    for (const character of PRINTABLE) {
      expect(textWidth(character)).toBe(glyphOf(character).width);
      expect(boldWidth(character)).toBe(glyphOf(character).width + 1);
    }
  });

  test('is the sum of the glyphs and the gaps between them', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        fc.pre(a !== '' && b !== '');
        expect(textWidth(a + b)).toBe(textWidth(a) + GAP + textWidth(b));
        expect(boldWidth(a + b)).toBe(boldWidth(a) + BOLD_GAP - 1 + boldWidth(b));
      }),
    );
  });
});

describe('fitText', () => {
  test('never exceeds the width', () => {
    fc.assert(
      fc.property(text, width, (each, limit) => {
        expect(textWidth(fitText(each, limit))).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test('is the text if it fits, and otherwise its start with an ellipsis', () => {
    fc.assert(
      fc.property(text, width, (each, limit) => {
        const fitted = fitText(each, limit);
        if (textWidth(each) <= limit) expect(fitted).toBe(each);
        else if (fitted !== '') expect(each.startsWith(fitted.replace(/\.{2,3}$/, ''))).toBe(true);
      }),
    );
  });

  test('keeps as many characters as fit', () => {
    const name = 'Quarterly report.txt';
    expect(fitText(name, textWidth(name))).toBe(name);
    expect(fitText(name, textWidth('Quarterly...'))).toBe('Quarterly...');
    expect(fitText(name, textWidth('Quarterly ...'))).toBe('Quarterly...');
    expect(fitText(name, textWidth('Quarterly...') - 1)).toBe('Quarterl...');
    expect(fitText(name, textWidth('Q..'))).toBe('Q..');
    expect(fitText(name, textWidth('...'))).toBe('...');
    expect(fitText(name, textWidth('..'))).toBe('..');
    expect(fitText(name, 2)).toBe('');
    expect(fitText(name, -1)).toBe('');
  });
});

describe('wrapText', () => {
  test('no line exceeds the width', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: widest, max: 120 }), (each, limit) => {
        for (const line of wrapText(each, limit)) expect(textWidth(line)).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test('only spaces are lost, at any width', () => {
    fc.assert(
      fc.property(text, width, (each, limit) => {
        expect(wrapText(each, limit).join('').replaceAll(' ', '')).toBe(each.replace(/[ \n]/g, ''));
      }),
    );
  });

  test('no line has space for the first word of the next', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab Wi'), maxLength: 60 }), width, (each, limit) => {
        const text = each.trim().replace(/ +/g, ' ');
        // The second part of a broken word starts a line but is not a word of the text.
        fc.pre(text.split(' ').every(word => textWidth(word) <= limit));
        const lines = wrapText(text, limit);
        for (const [index, line] of lines.slice(1).entries()) {
          const before = lines[index] ?? '';
          const [word = ''] = line.split(' ');
          expect(textWidth(`${before} ${word}`)).toBeGreaterThan(limit);
        }
      }),
    );
  });

  test.each([
    ['', 50, ['']],
    ['one two', 200, ['one two']],
    ['one two', textWidth('one tw'), ['one', 'two']],
    ['one  two', textWidth('one two'), ['one', 'two']],
    ['  indented  text  ', 200, ['  indented  text']],
    ['a\n\nb\n', 50, ['a', '', 'b', '']],
    ['to abcdefgh it', textWidth('abcd'), ['to', 'abcd', 'efgh', 'it']],
    ['abcdef it', textWidth('abcd'), ['abcd', 'ef it']],
    ['abc', 0, ['a', 'b', 'c']],
  ])('%j within %i', (each, limit, lines) => {
    expect(wrapText(each, limit)).toEqual(lines);
  });
});

describe('indexAt', () => {
  test('finds every caret at its position', () => {
    fc.assert(
      fc.property(text, each => {
        for (let index = 0; index <= each.length; index++) {
          expect(indexAt(each, textWidth(each.slice(0, index)))).toBe(index);
        }
      }),
    );
  });

  test('is the nearest caret', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -20, max: 300 }), (each, x) => {
        const away = (index: number): number => Math.abs(textWidth(each.slice(0, index)) - x);
        const nearest = Math.min(...Array.from({ length: each.length + 1 }, (_, index) => away(index)));
        expect(away(indexAt(each, x))).toBe(nearest);
      }),
    );
  });

  test('left and right of the text it returns its ends', () => {
    expect(indexAt('Dartboard', -5)).toBe(0);
    expect(indexAt('Dartboard', 500)).toBe(9);
    expect(indexAt('', 3)).toBe(0);
  });
});
