// How the rows of several screens become the tensors of one batch.

import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../runtime/agents/compact/action-kinds.ts';
import { ReusedMemory } from '../../../runtime/agents/compact/feed-memory.ts';
import { feedsOf, RELATION_STEPS } from '../../../runtime/agents/compact/feeds.ts';
import { SQUARE_AREA } from '../../../runtime/agents/compact/observation.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import {
  FEATURES,
  FIRST_STATE,
  FIRST_WAVE,
  SLOTS_OF_WORDS,
} from '../../../runtime/agents/compact/token-numbers.ts';
import { LETTERS, speakingNumber, spell } from '../../../runtime/agents/compact/word-tokenizer.ts';
import type { Tensors } from '../../../runtime/graph/tensor.ts';
import { element, pocketRows, tokens } from './screens.ts';

const ROWS = pocketRows(5);
const FEEDS = feedsOf(ROWS, true);
const dims = (name: string, feeds: Tensors = FEEDS) => feeds[name]?.dims ?? [];
const LENGTH = dims('valid')[1] ?? 0;

/** The numbers of one row. */
function rowOf(name: string, row: number, feeds: Tensors = FEEDS): readonly number[] {
  const { data, dims } = feeds[name] ?? { data: new Uint8Array(), dims: [] };
  const size = dims.slice(1).reduce((product, dim) => product * dim, 1);
  return Array.from(data.slice(row * size, (row + 1) * size), Number);
}

test('the size of every tensor matches its dimensions, for any batch', () => {
  for (const rows of [
    ROWS,
    ROWS.slice(0, 1),
    [tokens('')],
    pocketRows(3, 'screenshot'),
    pocketRows(3, 'a11y_tree'),
  ]) {
    for (const pixels of [true, false]) {
      for (const [name, { dims, data }] of Object.entries(feedsOf(rows, pixels)))
        expect(data.length, name).toBe(dims.reduce((product, dim) => product * dim, 1));
    }
  }
});

test('real tokens and padding are distinguished', () => {
  expect(LENGTH).toBeGreaterThanOrEqual(Math.max(...ROWS.map(({ count }) => count)));
  for (const [index, { count, words }] of ROWS.entries()) {
    expect(rowOf('valid', index)).toEqual(Array.from({ length: LENGTH }, (_, at) => Number(at < count)));
    expect(FEEDS['words']?.data[index]).toBe(words);
    for (const flag of ['pointable', 'copyable'])
      expect(rowOf(flag, index).slice(count)).toEqual(Array(LENGTH - count).fill(0));
  }
});

test('real tokens have their pointable and copyable flags; padding has none', () => {
  for (const [index, row] of ROWS.entries()) {
    for (const [flag, width] of [
      ['pointable', 1],
      ['copyable', 1],
      ['sayable', SLOTS_OF_WORDS],
    ] as const) {
      const filling: readonly number[] = Array((LENGTH - row.count) * width).fill(0);
      expect(rowOf(flag, index), flag).toEqual([...row[flag], ...filling]);
    }
  }
  expect(dims('sayable')).toEqual([ROWS.length, LENGTH, SLOTS_OF_WORDS]);
  expect(ROWS.some(({ sayable }) => sayable.includes(1))).toBe(true);
});

test('each token keeps the letters of its words, in any batch', () => {
  const { letters } = FEEDS;
  for (const [index, row] of ROWS.entries()) {
    const numbers = rowOf('spelled', index);
    const wanted = new Int32Array(LETTERS);
    for (let at = 0; at < row.count * SLOTS_OF_WORDS; at++) {
      const own = row.spelled[at] ?? 0;
      wanted.fill(0);
      if (own > 0) spell(row.lexicon[own - 1] ?? '', wanted, 0);
      const first = (numbers[at] ?? -1) * LETTERS;
      expect(letters?.data.slice(first, first + LETTERS)).toEqual(wanted);
    }
    expect(numbers.slice(row.count * SLOTS_OF_WORDS).every(number => number === 0)).toBe(true);
  }
});

test('each word of a batch is spelled once', () => {
  const words = new Set(ROWS.flatMap(({ lexicon }) => lexicon));
  expect(dims('letters')[0]).toBe(words.size + 1);
  expect(dims('known')).toEqual([words.size + 1]);
});

test('task words keep their order and are padded with 0', () => {
  for (const [index, row] of ROWS.entries()) {
    const wanted = row.speaking.map(word => speakingNumber(row.lexicon[word] ?? ''));
    const found = rowOf('speaking', index);
    expect(found.slice(0, wanted.length)).toEqual(wanted);
    expect(found.slice(wanted.length).every(number => number === 0)).toBe(true);
    expect(wanted).not.toContain(0);
  }
});

test('renaming changes the words of its row only', () => {
  const [first] = ROWS;
  const other = feedsOf(ROWS, true, row => row.lexicon.map(each => (row === first ? `x${each}` : each)));
  expect(rowOf('speaking', 1, other)).toEqual(rowOf('speaking', 1));
  expect(rowOf('speaking', 0, other)).not.toEqual(rowOf('speaking', 0));
  const spellings = (feeds: Tensors, row: number) =>
    rowOf('spelled', row, feeds).map(number =>
      feeds['letters']?.data.slice(number * LETTERS, (number + 1) * LETTERS).join(),
    );
  expect(spellings(other, 1)).toEqual(spellings(FEEDS, 1));
  expect(spellings(other, 0)).not.toEqual(spellings(FEEDS, 0));
});

test('features and relations follow their tokens', () => {
  for (const [index, row] of ROWS.entries()) {
    // Waves are not the row's.
    const isWave = (at: number) => at % FEATURES >= FIRST_WAVE && at % FEATURES < FIRST_STATE;
    const fed = rowOf('features', index).slice(0, row.count * FEATURES);
    expect(fed.map((value, at) => (isWave(at) ? 0 : value))).toEqual([...row.features]);
    const wanted = new Map<number, number>();
    for (let at = 0; at < row.related.length; at += 3) {
      const [from = 0, to = 0, weight = 0] = row.related.slice(at, at + 3);
      wanted.set(from * LENGTH + to, (wanted.get(from * LENGTH + to) ?? 0) + weight);
    }
    for (const [place, steps] of rowOf('relation', index).entries()) {
      const weight = Math.min(255 / RELATION_STEPS, wanted.get(place) ?? 0);
      expect(Math.abs(steps / RELATION_STEPS - weight)).toBeLessThan(0.2);
      expect(steps > 0).toBe(weight > 0);
    }
  }
});

describe('squares', () => {
  const at = (feeds: Tensors, number: number) =>
    feeds['squares']?.data.slice(number * SQUARE_AREA, (number + 1) * SQUARE_AREA);

  test('belong to their tokens; all other tokens have the black square', () => {
    for (const mode of ['screenshot', 'screenshot_a11y_tree'] as const) {
      const rows: readonly Tokens[] = pocketRows(4, mode);
      const feeds = feedsOf(rows, true);
      for (const [index, { firstSquare, squares }] of rows.entries()) {
        for (const [token, number] of rowOf('square', index, feeds).entries()) {
          const own = squares.slice(
            (token - firstSquare) * SQUARE_AREA,
            (token - firstSquare + 1) * SQUARE_AREA,
          );
          const has = token >= firstSquare && own.length > 0;
          expect(at(feeds, number)).toEqual(has ? own : new Uint8Array(SQUARE_AREA));
          expect(number > 0).toBe(has);
        }
      }
    }
  });

  test('are absent for a policy without pixels', () => {
    expect(feedsOf(ROWS, false)).not.toHaveProperty('squares');
    expect(feedsOf(ROWS, false)).not.toHaveProperty('square');
  });
});

describe('a kind of action is valid', () => {
  const kinds = (row: Tokens) =>
    KINDS.filter((_, index) => rowOf('kinds', 0, feedsOf([row], false))[index] === 1);
  const always = ['hotkey', 'wait', 'finished', 'fail'];

  test('only with its targets: one to point at, two for a drag, a text to copy', () => {
    expect(kinds(tokens(''))).toEqual(always);
    expect(kinds(tokens('Wait'))).toEqual(['type', ...always]);
    expect(kinds(tokens('', [element()]))).toEqual([
      ...['click', 'double_click', 'right_click'],
      ...['hotkey', 'scroll_down', 'scroll_up', 'wait', 'finished', 'fail'],
    ]);
    expect(kinds(tokens('', [element(), element()]))).toContain('drag');
    expect(kinds(tokens('Go', [element(), element()]))).toEqual([...KINDS]);
  });
});

test('reused memory gives the same feeds', () => {
  const memory = new ReusedMemory();
  for (const rows of [ROWS, ROWS.slice(0, 1), pocketRows(3, 'screenshot'), [tokens('')], ROWS])
    expect(feedsOf(rows, true, undefined, memory)).toEqual(feedsOf(rows, true));
});

test('memory is allocated once for batches of similar size, and again for a larger one', () => {
  const memory = new ReusedMemory();
  const first = memory.take('a', Int32Array, 100);
  first.fill(7);
  const second = memory.take('a', Int32Array, 110);
  expect(second.buffer).toBe(first.buffer);
  expect(second).toEqual(new Int32Array(110));
  expect(memory.take('b', Int32Array, 100).buffer).not.toBe(first.buffer);
  expect(memory.take('a', Int32Array, 1000).buffer).not.toBe(first.buffer);
});

test('a token with a position has waves, others have none', () => {
  const row = tokens('Go.', [element({ name: 'Save', box: [32, 48, 64, 16] })]);
  const { features } = feedsOf([row], false);
  const of = (token: number) => Array.from(features?.data ?? [], Number).slice(token * FEATURES);
  const at = row.meanings.findIndex(({ at: place }) => place !== undefined);
  const [across = 0, down = 0] = of(at);
  expect(across).toBeGreaterThan(0);
  const fine = [1, 2, 4].flatMap(wave =>
    [across, down].flatMap(middle => [Math.sin(wave * Math.PI * middle), Math.cos(wave * Math.PI * middle)]),
  );
  expect(fine).toHaveLength(FIRST_STATE - FIRST_WAVE);
  for (const [index, value] of fine.entries()) expect(of(at)[FIRST_WAVE + index]).toBeCloseTo(value, 6);
  expect(of(1).slice(FIRST_WAVE, FIRST_WAVE + fine.length)).toEqual(fine.map(() => 0));
});
