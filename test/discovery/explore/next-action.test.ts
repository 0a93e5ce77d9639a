// What is tried next: always something that is there, with keys and texts that the policy could give as well.

import { expect, test } from 'vitest';
import { chordNumber } from '../../../runtime/agent/chords.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { elementAt } from '../../../runtime/core/screen.ts';
import { nextAction } from '../../../runtime/discovery/explore/next-action.ts';
import { element } from '../../agent/screens.ts';

/** One button among many cells. */
const ELEMENTS = [
  element({ role: 'button', name: 'Save', box: [0, 0, 10, 10] }),
  ...Array.from({ length: 30 }, (_, at) => element({ role: 'gridcell', box: [0, 10 + 10 * at, 10, 10] })),
];

const actions = (label: string, elements = ELEMENTS) => {
  const random = seeded(label);
  return Array.from({ length: 2000 }, () => nextAction(random, elements));
};

test('all kinds of action are tried that get somewhere', () => {
  const kinds = new Set(actions('kinds').map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['click', 'double_click', 'drag', 'hotkey', 'right_click', 'type']);
});

test('it points at what is there, and at a kind of thing of which there is one about as often as at any other', () => {
  const pointed = actions('points').flatMap(action =>
    'at' in action ? [elementAt(ELEMENTS, action.at)] : [],
  );
  expect(pointed).not.toContain(undefined);
  const share = pointed.filter(each => each?.role === 'button').length / pointed.length;
  // Half of the time one of 31 elements, else one of two roles.
  expect(Math.abs(share - (1 / 31 + 1 / 2) / 2)).toBeLessThan(0.05);
});

test('its keys are those that the policy has, and its texts are one line that is not blank, and may be ended', () => {
  for (const action of actions('keys and texts')) {
    if (action.kind === 'hotkey') expect(chordNumber(action.keys)).toBeDefined();
    if (action.kind === 'type') expect(action.text).toMatch(/^(\S.*\S|\S)\n?$/);
  }
});

test('where there is nothing to point at it still acts, and the same for the same chance', () => {
  expect(actions('nothing', [])).toEqual(actions('nothing', []));
});
