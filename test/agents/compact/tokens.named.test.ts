// What of a screen an instruction names, and which of its words are names.

import { describe, expect, test } from 'vitest';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { CLOSES, FEATURES, OPENS, QUOTED } from '../../../runtime/agents/compact/token-numbers.ts';
import { element, tokens } from './screens.ts';

const featuresOf = ({ features }: Tokens, token: number): readonly number[] => [
  ...features.slice(token * FEATURES, (token + 1) * FEATURES),
];

/** Features in which two tokens differ. */
const differing = (row: Tokens, a: number, b: number): readonly number[] =>
  featuresOf(row, a).flatMap((value, index) => (value === featuresOf(row, b)[index] ? [] : [index]));

describe('names in an instruction', () => {
  const names = (instruction: string) => {
    const { names: numbers, lexicon } = tokens(instruction);
    return numbers.map(number => lexicon[number]);
  };

  test('are quoted words, capitalised words and numbers', () => {
    expect(names('Open the note "shopping list" of Ada Abel from 12 on.')).toEqual([
      'shopping',
      'list',
      'ada',
      'abel',
      '12',
    ]);
  });

  test('are not the first word of a sentence, "I" or signs', () => {
    expect(names('Open it, "!" and go. Then stop: Wait! Did I?')).toEqual([]);
    expect(names('Open it. Tell Ada.')).toEqual(['ada']);
  });

  test('are not words with an accent alone', () => {
    expect(names('Open the étude')).toEqual([]);
  });
});

test('task words are all words except names, quoted words, numbers and signs', () => {
  const { speaking, lexicon } = tokens('Press + and press "good day", Ada 12 v2!');
  expect(speaking.map(word => lexicon[word])).toEqual(['press', 'and', 'press']);
});

test('kinds of elements speak also in quotation marks, and so do ordinals; codes are names', () => {
  const speaking = (instruction: string) => {
    const { speaking: words, lexicon } = tokens(instruction);
    return words.map(word => lexicon[word]);
  };
  expect(speaking('Click on a "radio" widget.')).toEqual(['click', 'on', 'a', 'radio', 'widget']);
  expect(speaking('Select kKj, B12 and 2nd')).toEqual(['select', 'and', '2nd']);
});

describe('words between quotation marks', () => {
  /** The words of an instruction that have a feature. */
  const having = (instruction: string, feature: number) => {
    const row = tokens(instruction);
    return row.meanings.flatMap(({ word }, token) =>
      word !== undefined && featuresOf(row, token)[feature] === 1 ? [word.text] : [],
    );
  };

  test('are marked; the first one opens and the last one closes', () => {
    const asked = 'Write "good new day" to Ada, then “bye!” and go';
    expect(having(asked, QUOTED)).toEqual(['good', 'new', 'day', 'bye', '!']);
    expect(having(asked, OPENS)).toEqual(['good', 'bye']);
    expect(having(asked, CLOSES)).toEqual(['day', '!']);
  });

  test('open and close at once if there is only one', () => {
    for (const feature of [OPENS, CLOSES]) expect(having('Write "bye" now', feature)).toEqual(['bye']);
  });

  test('open and close at the ends of an instruction too', () => {
    expect(having('"good day"', OPENS)).toEqual(['good']);
    expect(having('"good day"', CLOSES)).toEqual(['day']);
  });

  test('are absent without quotation marks', () => {
    for (const feature of [QUOTED, OPENS, CLOSES])
      expect(having('Write Ada 12 letters', feature)).toEqual([]);
  });
});

describe('an element that the instruction names', () => {
  test('is marked if its whole name occurs', () => {
    const row = tokens('Move plan b to Work', [
      element({ name: 'Plan B' }),
      element({ name: 'Plan C' }),
      element({ name: 'C' }),
      element({ name: 'D' }),
    ]);
    const first = 1 + row.words;
    expect(differing(row, first + 2, first + 3)).toEqual([]);
    expect(differing(row, first, first + 1).length).toBeGreaterThan(0);
    // A part of a name is told from none of it, and all of it from a part.
    expect(differing(row, first + 1, first + 2).length).toBeGreaterThan(0);
  });

  test('is not marked if its name is a part of a word', () => {
    const row = tokens('Open planning', [element({ name: 'plan' }), element({ name: 'other' })]);
    expect(differing(row, 3, 4)).toEqual([]);
  });

  test('has a separate mark for its value', () => {
    const row = tokens('Call Ada', [
      element({ name: 'Ada', value: 'x' }),
      element({ name: 'x', value: 'Ada' }),
      element({ name: 'x', value: 'y' }),
    ]);
    expect(differing(row, 3, 4).length).toBeGreaterThan(0);
    expect(differing(row, 4, 5).length).toBeGreaterThan(0);
  });

  test('has a coverage that grows with the names it contains', () => {
    const row = tokens('Write to Ada Abel of Oakline', [
      element({ name: 'Ada' }),
      element({ name: 'Ada', value: 'Abel' }),
      element({ name: 'Ada', value: 'Abel Oakline' }),
      element({ name: 'Hugo', value: 'Hart' }),
    ]);
    const shares = (feature: number) =>
      [0, 1, 2, 3].map(at => Number(featuresOf(row, 1 + row.words + at)[feature]?.toFixed(4)));
    const all = Array.from({ length: FEATURES }, (_, feature) => shares(feature));
    expect(all).toContainEqual([0.3333, 0.6667, 1, 0]);
  });

  test('the first token has the largest coverage of one element', () => {
    const whole = (...names: readonly string[]) =>
      featuresOf(
        tokens(
          'Write to Ada Abel',
          names.map(name => element({ name })),
        ),
        0,
      );
    const apart = whole('Ada Hart', 'Hugo Abel');
    const together = whole('Hugo Hart', 'Ada Abel');
    const changed = apart.flatMap((value, feature) =>
      value === together[feature] ? [] : [[value, together[feature]]],
    );
    expect(changed).toEqual([[0.5, 1]]);
    expect(whole()).toEqual(whole('Hugo'));
  });
});
