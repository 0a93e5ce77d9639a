import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTokens, encodeText, tokenize } from '../../../runtime/agents/micro/tokenizer.ts';
import { END, FIRST_PIECE, PADDING, PATCH, PIECES } from '../../../runtime/agents/micro/vocabulary.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  // UTF-16 units alone, with halves of surrogate pairs.
  fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units)),
  fc.array(fc.constantFrom(...PIECES.filter(piece => piece !== ''))).map(pieces => pieces.join('')),
);

describe('the tokenizer of the micro model', () => {
  test('gives every text back', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(decodeTokens(encodeText(text))).toBe(text);
      }),
    );
  });

  test('ends each token where its characters end', () => {
    fc.assert(
      fc.property(anyText, text => {
        const ends = tokenize(text).map(({ end }) => end);
        expect(ends).toEqual([...ends].sort((a, b) => a - b));
        expect(ends.at(-1) ?? 0).toBe(text.length);
      }),
    );
  });

  test('never encodes a text to a special token', () => {
    fc.assert(
      fc.property(anyText, text => {
        for (const id of encodeText(text)) expect([PADDING, PATCH, END]).not.toContain(id);
      }),
    );
  });

  test('decodes any tokens without an error', () => {
    const ids = fc.array(fc.nat({ max: PIECES.length - 1 }));
    fc.assert(
      fc.property(ids, each => {
        expect(typeof decodeTokens(each)).toBe('string');
      }),
    );
  });

  test('has each piece once', () => {
    const pieces = PIECES.slice(FIRST_PIECE);
    expect(new Set(pieces).size).toBe(pieces.length);
  });

  test.each([
    ["Action: click(start_box='12')", 4],
    ['Night light', 2],
    ['bottle', 3],
    ['319', 1],
  ])('writes %j with at most %i tokens', (text, most) => {
    expect(encodeText(text).length).toBeLessThanOrEqual(most);
  });
});
