// What is shown to a policy as a row of tokens: their order, their words, what binds them, and what each stands for.

import { describe, expect, test } from 'vitest';
import { EMPTY_MEMORY } from '../../../runtime/agents/compact/episode-memory.ts';
import { SQUARE_AREA } from '../../../runtime/agents/compact/observation.ts';
import { observeScreen } from '../../../runtime/agents/compact/observe-screen.ts';
import { tokenAt } from '../../../runtime/agents/compact/token-at.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { FEATURES, PLACES, SLOTS_OF_WORDS, SORTS } from '../../../runtime/agents/compact/token-numbers.ts';
import { squaresOf, tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import { centre } from '../../../runtime/core/screen.ts';
import { blankPixels, block, element, pocketRows, pocketSeen, screen, tokens } from './screens.ts';

const wordsOf = ({ lexicon, spelled }: Tokens, token: number): readonly (string | undefined)[] =>
  [...spelled.slice(token * SLOTS_OF_WORDS, (token + 1) * SLOTS_OF_WORDS)]
    .filter(number => number > 0)
    .map(number => lexicon[number - 1]);

const featuresOf = ({ features }: Tokens, token: number): readonly number[] => [
  ...features.slice(token * FEATURES, (token + 1) * FEATURES),
];

/** Features in which two tokens differ. */
const differing = (row: Tokens, a: number, b: number): readonly number[] =>
  featuresOf(row, a).flatMap((value, index) => (value === featuresOf(row, b)[index] ? [] : [index]));

/** The weight between two tokens, both ways. */
function bond({ related }: Tokens, a: number, b: number): readonly number[] {
  const weights = [0, 0];
  for (let at = 0; at < related.length; at += 3) {
    const [from, to, weight = 0] = related.slice(at, at + 3);
    if (from === a && to === b) weights[0] = Number(weights[0]) + weight;
    if (from === b && to === a) weights[1] = Number(weights[1]) + weight;
  }
  return weights;
}

describe('a row', () => {
  const row = tokens(
    'Open plan',
    [element({ name: 'Plan' }), element({ role: 'textfield', name: 'Name', value: 'Ada' })],
    { recent: [{ kind: 4, text: 'good day', changed: true }], memory: [{ text: 'Total 12', age: 3 }] },
  );

  test('has a token for the screen, each word, element, recent action and remembered text', () => {
    expect([row.count, row.words]).toEqual([7, 2]);
    const shown = Array.from({ length: row.count }, (_, token) => wordsOf(row, token).join(' '));
    expect(shown).toEqual(['', 'open', 'plan', 'plan', 'name ada', 'good day', 'total 12']);
  });

  test('states the text that each token copies: a word, the value before the name, a remembered text', () => {
    expect(row.meanings.map(({ text }) => text)).toEqual([
      undefined,
      'Open',
      'plan',
      'Plan',
      'Ada',
      undefined,
      'Total 12',
    ]);
    expect([...row.copyable]).toEqual([0, 1, 1, 1, 1, 0, 1]);
  });

  test('states the target of each token: an element or a patch', () => {
    expect([...row.pointable]).toEqual([0, 0, 0, 1, 1, 0, 0]);
    expect(row.meanings[4]?.at).toEqual({
      kind: 'element',
      index: 1,
      box: { x: 0, y: 0, width: 10, height: 10 },
    });
  });

  test('spells names and values in separate slots', () => {
    const swapped = tokens('', [
      element({ name: 'ada', value: 'name' }),
      element({ name: 'name', value: 'ada' }),
    ]);
    const [one, other] = [0, 1].map(at =>
      swapped.spelled.slice((1 + at) * SLOTS_OF_WORDS, (2 + at) * SLOTS_OF_WORDS).map(number => number),
    );
    expect(one).not.toEqual(other);
    expect(wordsOf(swapped, 1)).toEqual(['ada', 'name']);
  });

  test('is deterministic, and its numbers are in the range of each table', () => {
    for (const mode of ['screenshot', 'a11y_tree', 'screenshot_a11y_tree'] as const) {
      const seen = pocketSeen('mail-forward', 1, mode);
      expect(tokensOf(seen)).toEqual(tokensOf(structuredClone(seen)));
      for (const { count, sorts, places, features, spelled, lexicon } of pocketRows(5, mode)) {
        expect([sorts.length, places.length, features.length]).toEqual([count, count, count * FEATURES]);
        expect([...sorts].every(sort => sort >= 0 && sort < SORTS)).toBe(true);
        expect([...places].every(place => place >= 0 && place < PLACES)).toBe(true);
        expect([...features].every(each => Math.abs(each) <= 2)).toBe(true);
        expect([...spelled].every(number => number >= 0 && number <= lexicon.length)).toBe(true);
        expect(new Set(lexicon).size).toBe(lexicon.length);
      }
    }
  });

  test('keeps the sign of a calculator key and drops signs of other texts', () => {
    const keys = tokens('', [element({ name: '+' }), element({ name: 'a+b.txt' })]);
    expect(wordsOf(keys, 1)).toEqual(['+']);
    expect(wordsOf(keys, 2)).toEqual(['a', 'b', 'txt']);
  });

  test('truncates a long instruction', () => {
    const long = tokens(Array.from({ length: 300 }, (_, index) => `w${index}`).join(' '));
    expect(long.count).toBe(1 + long.words);
    expect(Math.max(...long.places)).toBeLessThan(PLACES);
  });
});

describe('tokens are related', () => {
  const row = tokens('Open the plan', [
    element({ name: 'Plan' }),
    element({ name: 'Notes', value: 'PLAN' }),
    element({ name: 'Total' }),
  ]);

  test('symmetrically, if they share a word in name or value, in any case', () => {
    const [there, back] = bond(row, 3, 4);
    expect(there).toBeGreaterThan(0);
    expect(back).toBe(there);
    expect(bond(row, 3, 5)).toEqual([there, there]);
    expect(bond(row, 4, 5)).toEqual([there, there]);
  });

  test('only then, and never to themselves', () => {
    expect(bond(row, 3, 6)).toEqual([0, 0]);
    for (let token = 0; token < row.count; token++) expect(bond(row, token, token)).toEqual([0, 0]);
  });

  test('less by a frequent word, and not by one that nearly all tokens have', () => {
    const shared = (count: number) =>
      Number(
        bond(
          tokens(
            '',
            Array.from({ length: count }, () => element({ name: 'same' })),
          ),
          1,
          2,
        )[0],
      );
    expect(shared(8)).toBeLessThan(shared(2));
    expect(shared(8)).toBeGreaterThan(0);
    expect(shared(40)).toBe(0);
  });

  test('once, if an element has the word in its name and its value', () => {
    const twice = tokens('plan', [element({ name: 'plan plan', value: 'plan' })]);
    expect(bond(twice, 1, 2)).toEqual(bond(tokens('plan', [element({ name: 'plan' })]), 1, 2));
  });

  test('not by signs of the instruction', () => {
    expect(bond(tokens('Press +', [element({ name: '+' })]), 2, 3)).toEqual([0, 0]);
  });

  test('to recent actions and remembered texts too', () => {
    const past = tokens('plan', [], {
      recent: [{ kind: 0, text: 'plan', changed: true }],
      memory: [{ text: 'plan', age: 1 }],
    });
    expect(Number(bond(past, 1, 2)[0])).toBeGreaterThan(0);
    expect(Number(bond(past, 2, 3)[0])).toBeGreaterThan(0);
  });
});

test('the last change is a feature of the screen and of the recent action', () => {
  const row = (changed: boolean) => tokens('', [], { recent: [{ kind: 0, text: '', changed }] });
  for (const token of [0, 1]) expect(featuresOf(row(true), token)).not.toEqual(featuresOf(row(false), token));
});

test('positions and states are distinguishable', () => {
  const row = tokens('', [
    element({ box: [0, 0, 10, 10] }),
    element({ box: [100, 0, 10, 10] }),
    element({ box: [0, 0, 10, 20] }),
    element({ states: ['checked'] }),
    element({ states: ['selected'] }),
    element({ role: 'link' }),
  ]);
  for (const other of [2, 3, 4, 5]) expect(differing(row, 1, other).length).toBeGreaterThan(0);
  expect(differing(row, 4, 5)).toHaveLength(2);
  expect(row.sorts[6]).not.toBe(row.sorts[1]);
});

describe('squares', () => {
  const pixels = blankPixels(48, 32);
  block(pixels, 34, 6, 8, 8);
  const things = [element({ name: 'a', box: [0, 0, 16, 16] }), element({ name: 'b', box: [0, 16, 16, 16] })];
  const rows = (['screenshot', 'a11y_tree', 'screenshot_a11y_tree'] as const).map(mode =>
    tokensOf(observeScreen(screen(things, pixels), 'Go on', mode, EMPTY_MEMORY)),
  );

  test('belong to the elements and the patches, in order', () => {
    const [bare, , both] = rows;
    expect([bare?.count, bare && squaresOf(bare), bare?.firstSquare]).toEqual([1 + 2 + 1, 1, 3]);
    expect([both?.count, both && squaresOf(both), both?.firstSquare]).toEqual([1 + 2 + 3, 3, 3]);
    expect(both?.squares.slice(2 * SQUARE_AREA)).toEqual(bare?.squares);
    expect(both?.meanings[5]?.at).toMatchObject({ kind: 'patch', index: 0 });
  });

  test('of patches start after the elements, if elements have none', () => {
    const both = observeScreen(screen(things, pixels), 'Go on', 'screenshot_a11y_tree', EMPTY_MEMORY);
    const row = tokensOf({ ...both, squares: both.squares.subarray(both.elements.length * SQUARE_AREA) });
    expect([row.firstSquare, squaresOf(row)]).toEqual([5, 1]);
  });

  test('are absent without pixels', () => {
    expect(rows[1] && squaresOf(rows[1])).toBe(0);
  });
});

describe('the token at a point', () => {
  const things = [element({ box: [0, 0, 40, 16] }), element({ box: [8, 0, 8, 8] })];
  const pixels = blankPixels(96, 64);
  block(pixels, 20, 40, 8, 8);
  block(pixels, 80, 40, 8, 8);
  const row = tokensOf(observeScreen(screen(things, pixels), '', 'screenshot_a11y_tree', EMPTY_MEMORY));

  test('is the front element, else the nearest patch, else none', () => {
    expect(tokenAt(row, { x: 10, y: 4 })).toBe(2);
    expect(tokenAt(row, { x: 16, y: 4 })).toBe(1);
    expect(tokenAt(row, { x: 84, y: 44 })).toBe(4);
    expect(tokenAt(row, { x: 24, y: 44 })).toBe(3);
    expect(tokenAt(row, { x: 31, y: 44 })).toBe(3);
    expect(tokenAt(tokens('', things), { x: 84, y: 44 })).toBeUndefined();
  });

  test('points at the centre of each element, unless another covers it', () => {
    for (const each of pocketRows(6)) {
      for (const [token, { at }] of each.meanings.entries())
        if (at !== undefined) expect(tokenAt(each, centre(at.box))).toBeGreaterThanOrEqual(token);
    }
  });
});
