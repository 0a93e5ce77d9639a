// The decisions one after another: what each may choose once others are made, and what single words speak for.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COPY_WHOLE_TEXT } from '../../../runtime/agents/compact/act.ts';
import { KINDS, type PolicyActionKind, type Slot } from '../../../runtime/agents/compact/action-kinds.ts';
import { distribution, sampledRows, samplingFeeds } from '../../../runtime/agents/compact/decide.ts';
import { feedsOf } from '../../../runtime/agents/compact/feeds.ts';
import { decidingProgram, layoutFor } from '../../../runtime/agents/compact/programs.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { ROLE_NUMBERS, SLOTS_OF_WORDS } from '../../../runtime/agents/compact/token-numbers.ts';
import { speakingNumber } from '../../../runtime/agents/compact/word-tokenizer.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Session } from '../../../runtime/graph/session.ts';
import type { Tensor, Tensors } from '../../../runtime/graph/tensor.ts';
import { openWith, SHAPE, weightsOf } from './running-policy.ts';
import { element, pocketRows, tokens } from './screens.ts';

const START = weightsOf('heads');
const LAYOUT = layoutFor(SHAPE);
/** Below this is only what is never drawn. */
const NEVER = -50;

const LETTER = 'Dear Ada,\nthe train leaves at 9:30. Bring the red book!\nYours, Hugo';

let deciding: Session;
beforeAll(async () => {
  deciding = await openWith(decidingProgram(SHAPE), START);
});
afterAll(() => deciding.close());

async function decide(rows: readonly Tokens[], how = {}, seed = 'heads'): Promise<Tensors> {
  const random = seeded(seed);
  return deciding.run({
    ...feedsOf(rows, SHAPE.pixels),
    ...samplingFeeds(rows.length, () => random.next(), how),
  });
}

describe('the copied words of a text', () => {
  const sheet = element({ role: 'textarea', name: 'Text', value: LETTER });
  const field = element({ role: 'textfield', name: 'Phone number', value: '030 1234567' });
  const memory = [
    { text: LETTER, age: 1 },
    { text: 'Total 12 EUR', age: 2 },
  ];
  const SCREENS = [
    ...pocketRows(4),
    tokens('Answer "yes" to Ada', [sheet, field, element({ name: '+' }), element()], { memory }),
    tokens('', [sheet, field], { memory }),
    tokens('Go', [], { memory }),
  ];
  const rows = Array.from({ length: 40 }, () => SCREENS).flat();

  /** Which words of a token can be said. */
  const sayable = (row: Tokens, token: number): readonly number[] => [
    ...row.sayable.slice(token * SLOTS_OF_WORDS, (token + 1) * SLOTS_OF_WORDS),
  ];
  const possible = (outputs: Tensors, slot: Slot, index: number): readonly number[] =>
    Array.from(distribution(outputs, slot, index, rows.length), log => Number(log > NEVER));

  // At any temperature, and where chance alone decides, what cannot be said must not be.
  const WAYS = [{}, { temperature: 20 }, { exploration: 1 }, { temperature: 0 }];

  test.each(WAYS)('begin with a copyable word, or are the whole text: %j', async how => {
    const outputs = await decide(rows, how);
    for (const [index, { choices }] of sampledRows(outputs, rows.length).entries()) {
      const row = rows[index] as Tokens;
      expect([...sayable(row, choices.text), 1][choices.first]).toBe(1);
      if (row.meanings[choices.text]?.word !== undefined) expect(choices.first).toBe(COPY_WHOLE_TEXT);
    }
  });

  test.each(WAYS)('end with a copyable word at or after the first: %j', async how => {
    let inPart = 0;
    const outputs = await decide(rows, how);
    for (const [index, { choices }] of sampledRows(outputs, rows.length).entries()) {
      if (choices.first === COPY_WHOLE_TEXT) continue;
      inPart += 1;
      expect(choices.last).toBeGreaterThanOrEqual(choices.first);
      expect(sayable(rows[index] as Tokens, choices.text)[choices.last]).toBe(1);
    }
    if (!('temperature' in how)) expect(inPart).toBeGreaterThan(40);
  });

  test('can be any copyable word, and no other', async () => {
    // A sharp distribution may leave hardly anything to a choice; a flat one leaves something to all.
    const outputs = await decide(rows, { temperature: 20 });
    for (const [index, { choices }] of sampledRows(outputs, rows.length).entries()) {
      const said = sayable(rows[index] as Tokens, choices.text);
      expect(possible(outputs, 'first', index)).toEqual([...said, 1]);
      if (choices.first === COPY_WHOLE_TEXT) continue;
      const later = said.map((each, slot) => (slot < choices.first ? 0 : each));
      expect(possible(outputs, 'last', index)).toEqual(later);
    }
  });

  test('depend on each other: another first word changes the likely last words', async () => {
    const outputs = await decide(rows, { temperature: 3 });
    /** Of each text, by its first word, how much likelier its very last word is than the one before that. */
    const odds = new Map<string, Map<number, string>>();
    for (const [index, { choices }] of sampledRows(outputs, rows.length).entries()) {
      const { text, first } = choices;
      const end = sayable(rows[index] as Tokens, text).lastIndexOf(1);
      if (first >= end) continue;
      const logs = distribution(outputs, 'last', index, rows.length);
      const of = `${index % SCREENS.length} ${text}`;
      const more = ((logs[end] ?? Number.NaN) - (logs[end - 1] ?? Number.NaN)).toFixed(3);
      odds.set(of, (odds.get(of) ?? new Map<number, string>()).set(first, more));
    }
    const several = [...odds.values()].filter(({ size }) => size > 1);
    expect(several.length).toBeGreaterThan(5);
    for (const each of several) expect(new Set(each.values()).size).toBeGreaterThan(1);
  });
});

const votesIn = (name: string) => {
  const entry = LAYOUT.entries.find(each => each.name === `${name}.votes.table`);
  if (entry === undefined) throw new Error(`There are no votes of '${name}' among the parameters.`);
  return entry;
};

describe('a word of the instruction', () => {
  test('has no votes before training', () => {
    for (const name of ['kind', 'pointer', 'target', 'key']) {
      const { offset, size } = votesIn(name);
      expect(START.data.subarray(offset, offset + size).every(each => each === 0)).toBe(true);
    }
  });

  /** What is decided once a word has learned to speak for a choice by so much. */
  async function taught(
    rows: readonly Tokens[],
    { head, word, choice, by }: { head: string; word: string; choice: number; by: number },
  ): Promise<Tensors> {
    const { offset, dims } = votesIn(head);
    const data = Float32Array.from(START.data, Number);
    data[offset + speakingNumber(word) * (dims[1] ?? 0) + choice] = by;
    await deciding.write({ weights: { ...START, data } satisfies Tensor });
    try {
      return await decide(rows);
    } finally {
      await deciding.write({ weights: START });
    }
  }

  /** How much likelier one choice than another became, row by row. */
  async function shifts(
    rows: readonly Tokens[],
    slot: Slot,
    [one, other]: readonly [number, number],
    lesson: Parameters<typeof taught>[1],
  ): Promise<readonly number[]> {
    const both = [await decide(rows), await taught(rows, lesson)];
    return rows.map((_, row) => {
      const [before = 0, after = 0] = both.map(outputs => {
        const logs = distribution(outputs, slot, row, rows.length);
        return (logs[one] ?? Number.NaN) - (logs[other] ?? Number.NaN);
      });
      return after - before;
    });
  }

  const numberOf = (kind: PolicyActionKind) => KINDS.indexOf(kind);
  const lesson = { word: 'press', by: 0.05 };
  const things = [element({ name: 'Press' }), element({ name: 'it', value: 'Press' })];
  const memory = [{ text: 'press press', age: 1 }];

  test('votes for a kind in any context, at each occurrence', async () => {
    const rows = ['Press', 'Now press it, Ada', 'Press it and press it'].map(asked => tokens(asked, things));
    const [alone = 0, among, twice] = await shifts(rows, 'kind', [numberOf('hotkey'), numberOf('wait')], {
      ...lesson,
      head: 'kind',
      choice: numberOf('hotkey'),
    });
    // It learns fast: more comes of a weight than its own size.
    expect(alone).toBeGreaterThan(2 * lesson.by);
    expect(among).toBeCloseTo(alone, 3);
    expect(twice).toBeCloseTo(2 * alone, 3);
  });

  test('votes for keys too', async () => {
    const [alone, other] = await shifts([tokens('Press'), tokens('Open')], 'key', [7, 8], {
      ...lesson,
      head: 'key',
      choice: 7,
    });
    expect(alone).toBeGreaterThan(2 * lesson.by);
    expect(other).toBeCloseTo(0, 4);
  });

  test('has no votes if it is quoted, on the screen or in memory', async () => {
    const silent = [tokens('Open it', things, { memory }), tokens('Write "press it" to Ada', things)];
    const found = await shifts(silent, 'kind', [numberOf('hotkey'), numberOf('wait')], {
      ...lesson,
      head: 'kind',
      choice: numberOf('hotkey'),
    });
    for (const each of found) expect(each).toBeCloseTo(0, 4);
  });

  test.each(['pointer', 'target'] as const)(
    'speaks for a sort of things as a %s, for all of them alike',
    async head => {
      const row = tokens('Press it', [
        element({ role: 'checkbox', name: 'one', box: [0, 0, 10, 10] }),
        element({ role: 'button', name: 'two', box: [0, 20, 10, 10] }),
        element({ role: 'checkbox', name: 'three', box: [50, 40, 40, 10] }),
      ]);
      const [first, button, other] = [3, 4, 5];
      const choice = ROLE_NUMBERS.get('checkbox') ?? 0;
      const by = async (one = 0, two = 0) =>
        (await shifts([row], head, [one, two], { ...lesson, head, choice }))[0];
      expect(await by(first, button)).toBeGreaterThan(2 * lesson.by);
      expect(await by(other, button)).toBeCloseTo((await by(first, button)) ?? 0, 3);
      expect(await by(first, other)).toBeCloseTo(0, 4);
    },
  );
});
