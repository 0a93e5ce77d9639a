// The next action of an exploration: an existing element, and keys and texts that the policy has.

import { expect, test } from 'vitest';
import { chordNumber } from '../../../runtime/agents/compact/chords.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { elementAt } from '../../../runtime/core/screen.ts';
import { nextAction } from '../../../runtime/discovery/explore/next-action.ts';
import { element } from '../../agents/compact/screens.ts';

/** One button among many cells. */
const ELEMENTS = [
  element({ role: 'button', name: 'Save', box: [0, 0, 10, 10] }),
  ...Array.from({ length: 30 }, (_, at) => element({ role: 'gridcell', box: [0, 10 + 10 * at, 10, 10] })),
];

const actions = (label: string, elements = ELEMENTS) => {
  const random = seeded(label);
  return Array.from({ length: 2000 }, () => nextAction(random, elements));
};

test('proposes every kind of action that has an effect', () => {
  const kinds = new Set(actions('kinds').map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['click', 'double_click', 'drag', 'hotkey', 'right_click', 'type']);
});

test('points at elements, and at each role about equally often', () => {
  const pointed = actions('points').flatMap(action =>
    'at' in action ? [elementAt(ELEMENTS, action.at)] : [],
  );
  expect(pointed).not.toContain(undefined);
  const share = pointed.filter(each => each?.role === 'button').length / pointed.length;
  // Half of the time one of 31 elements, else one of two roles.
  expect(Math.abs(share - (1 / 31 + 1 / 2) / 2)).toBeLessThan(0.05);
});

test('uses the keys of the policy, and texts of one line with an optional line end', () => {
  for (const action of actions('keys and texts')) {
    if (action.kind === 'hotkey') expect(chordNumber(action.keys)).toBeDefined();
    if (action.kind === 'type') expect(action.text).toMatch(/^(\S.*\S|\S)\n?$/);
  }
});

test('acts without elements, and depends on its random stream alone', () => {
  expect(actions('nothing', [])).toEqual(actions('nothing', []));
});
