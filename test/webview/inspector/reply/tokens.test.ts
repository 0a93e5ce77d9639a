import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ShownToken,
  shownTokens,
  surpriseLevel,
  tokenName,
  visibleText,
} from '../../../../webview/inspector/reply/tokens.ts';

const tokens = (...texts: readonly string[]) => texts.map(text => ({ text }));
const spelled = (shown: readonly ShownToken[]): string =>
  shown.flatMap(({ text, isSpecial }) => (isSpecial ? [] : text)).join('');

describe('the shown tokens', () => {
  test('spell the reply for every way to cut its bytes into tokens', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'é', '名', '😀', '“'), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }), (raw, lengths) => {
        const shown = shownTokens({ raw, tokens: cutBytes(raw, lengths) });
        expect(spelled(shown)).toBe(raw);
      }),
    );
  });

  test('a character that is split over tokens is whole, on its first token', () => {
    const shown = shownTokens({ raw: 'Hi 😀!', tokens: tokens('Hi ', '\uFFFD', '\uFFFD', '\uFFFD', '!') });
    expect(shown.map(({ text }) => text)).toEqual(['Hi ', '😀', '', '', '!']);
    expect(shown.map(tokenName)).toEqual(['“Hi␣”', ...Array(3).fill('part of “😀”'), '“!”']);
  });

  test('a split character before the end token is whole', () => {
    const shown = shownTokens({ raw: '好', tokens: tokens('\uFFFD', '\uFFFD', '<|im_end|>') });
    expect(shown.map(({ text, isSpecial }) => [text, isSpecial])).toEqual([
      ['好', false],
      ['', false],
      ['<|im_end|>', true],
    ]);
  });

  test('a special token that the reply contains is text', () => {
    const raw = '<|box_start|>(1,2)';
    const shown = shownTokens({ raw, tokens: tokens('<|box_start|>', '(1,2)', '<|im_end|>') });
    expect(shown.map(({ isSpecial }) => isSpecial)).toEqual([false, false, true]);
  });

  test('white space that the server removed from the start does not shift the tokens', () => {
    const shown = shownTokens({ raw: 'A 名', tokens: tokens('\n A', ' ', '\uFFFD', '\uFFFD') });
    expect(shown.map(({ text }) => text)).toEqual(['\n A', ' ', '名', '']);
  });

  test('tokens that differ from the reply are shown as the server printed them', () => {
    const given = tokens('something', '\uFFFD', ' else');
    const shown = shownTokens({ raw: 'Action: wait()', tokens: given });
    expect(shown.map(({ text }) => text)).toEqual(['something', '\uFFFD', ' else']);
    expect(shown.map(tokenName)[1]).toBe('part of a character');
  });

  test('any tokens are shown, in order, each once', () => {
    const token = fc.string({ unit: fc.constantFrom('a', '\uFFFD', ' ', '<|end|>'), maxLength: 5 });
    fc.assert(
      fc.property(fc.array(token), fc.string(), (texts, raw) => {
        const given = tokens(...texts);
        expect(shownTokens({ raw, tokens: given }).map(each => each.token)).toEqual(given);
      }),
    );
  });

  test('have a level only if their probability is known', () => {
    const shown = shownTokens({ raw: 'ab', tokens: [{ text: 'a', probability: 0.3 }, { text: 'b' }] });
    expect(shown.map(({ level }) => level)).toEqual([2, undefined]);
  });
});

test('the level of surprise never falls as the probability falls', () => {
  const probability = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(probability, probability, (a, b) => {
      if (a < b) expect(surpriseLevel(a)).toBeGreaterThanOrEqual(surpriseLevel(b));
    }),
  );
  expect([1, 0.9, 0.89, 0.5, 0.1, 0.01, 0.0099, 0].map(surpriseLevel)).toEqual([0, 0, 1, 1, 2, 3, 4, 4]);
});

test.each([
  [' click', '␣click'],
  ['a b', 'a b'],
  ['a  b ', 'a ␣b␣'],
  ['\n\t', '⏎⇥'],
  ['', '(no text)'],
])('%j is written as %s', (text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test.each([
  ['\n', 'line break'],
  ['\n\n', '2 line breaks'],
  ['   ', '3 spaces'],
  [' the', '“␣the”'],
])('%j is called %s', (text, name) => {
  expect(shownTokens({ raw: text, tokens: tokens(text) }).map(tokenName)).toEqual([name]);
});

/** Tokens of these numbers of bytes, printed as servers print them: parts of characters become U+FFFD. */
function cutBytes(raw: string, lengths: readonly number[]): { readonly text: string }[] {
  const bytes = new TextEncoder().encode(raw);
  const made: { readonly text: string }[] = [];
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    if (at >= bytes.length) break;
    made.push({ text: new TextDecoder().decode(bytes.subarray(at, at + length)) });
    at += length;
  }
  return made;
}
