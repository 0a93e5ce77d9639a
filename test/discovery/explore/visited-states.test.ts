// Visited states: states that look alike share an entry with a few short paths.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { seed } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Element } from '../../../runtime/core/screen.ts';
import {
  type ActionPath,
  MAX_PATH_LENGTH,
  MAX_PATHS_PER_STATE,
  MAX_STATES_PER_TASK,
  type ObservedState,
  stateKey,
  VisitedStates,
} from '../../../runtime/discovery/explore/visited-states.ts';
import { element } from '../../agents/compact/screens.ts';

const sight = (elements: readonly Element[], done?: string): ObservedState => ({
  elements,
  atStart: new Set(['', 'as it was']),
  done,
});
const dialog = (name: string, x = 0) => sight([element({ role: 'dialog', name, box: [x, 0, 9, 9] })]);
const note = (value: string) => sight([element({ role: 'textarea', value })]);
const row = (name: string) => sight([element({ role: 'row', name })]);
const tab = (...states: Element['states']) => sight([element({ role: 'tab', name: 'Sound', states })]);

describe('the key of a state', () => {
  test.each<readonly [what: string, one: ObservedState, other: ObservedState]>([
    ['the names in a title', dialog('Rename lamp.txt'), dialog('Rename plan.txt')],
    ['words and numbers', note('Buy bread 12'), note('Sell 7')],
    ['rows', row('Budget'), row('Survey')],
    ['where something is', dialog('Save', 0), dialog('Save', 40)],
  ])('does not depend on %s', (_, one, other) => {
    expect(stateKey(one)).toBe(stateKey(other));
  });

  test.each<readonly [what: string, one: ObservedState, other: ObservedState]>([
    ['a dialog', row('Budget'), dialog('Delete')],
    ['line breaks', note('one two'), note('one\ntwo')],
    ['whether a text was written', note('as it was'), note('as it is')],
    ['the outcome', row('Budget'), { ...row('Budget'), done: 'mail-star' }],
    ['the tab that is selected', tab('selected'), tab()],
  ])('depends on %s', (_, one, other) => {
    expect(stateKey(one)).not.toBe(stateKey(other));
  });
});

/** Each number's own: signs count, letters and digits do not. */
const unlike = (number: number) => dialog(number.toString(2).replaceAll('0', '-').replaceAll('1', '+'));

const WAIT: Action = { kind: 'wait' };
const way = (number: number, length = 1): ActionPath => ({
  seed: seed(number),
  actions: Array.from({ length }, () => WAIT),
});

const drawn = (places: VisitedStates, count = 400) => Array.from({ length: count }, () => places.choose());
/** The instances of all ways that may be chosen. */
const instances = (places: VisitedStates, count?: number): readonly number[] =>
  [...new Set(drawn(places, count).map(each => Number(each?.seed)))].sort((a, b) => a - b);

describe('visited states', () => {
  test('are none at first', () => {
    expect(new VisitedStates(seeded('none')).choose()).toBeUndefined();
  });

  test('that look alike share an entry, whose weight does not grow with its paths', () => {
    const places = new VisitedStates(seeded('alike'));
    for (let number = 1; number <= MAX_PATHS_PER_STATE; number++)
      places.visit(dialog(`Rename ${'file'.repeat(number)}`), way(number));
    places.visit(note('other'), way(0));
    expect(instances(places)).toEqual(Array.from({ length: MAX_PATHS_PER_STATE + 1 }, (_, number) => number));
    const share = drawn(places).filter(each => each?.seed === 0).length / 400;
    expect(Math.abs(share - 1 / 2)).toBeLessThan(0.05);
  });

  test('keep a limited number of paths, and later paths sometimes replace one', () => {
    const places = new VisitedStates(seeded('ways'));
    for (let number = 0; number < 200; number++) places.visit(dialog('Rename'), way(number));
    const kept = instances(places);
    expect(kept).toHaveLength(MAX_PATHS_PER_STATE);
    expect(kept.at(-1)).toBeGreaterThan(MAX_PATHS_PER_STATE);
  });

  test('with long paths are not stored', () => {
    const places = new VisitedStates(seeded('far'));
    places.visit(dialog('Rename'), way(1, MAX_PATH_LENGTH + 1));
    expect(places.choose()).toBeUndefined();
    places.visit(dialog('Rename'), way(2, MAX_PATH_LENGTH));
    expect(places.choose()).toEqual(way(2, MAX_PATH_LENGTH));
  });

  test('with an outcome are chosen more often', () => {
    const places = new VisitedStates(seeded('done'));
    places.visit(sight([], 'mail-star'), way(1));
    places.visit(sight([]), way(2));
    const done = drawn(places).filter(each => each?.seed === 1).length;
    expect(done).toBeGreaterThan(300);
  });

  test('are chosen less often after each visit', () => {
    const places = new VisitedStates(seeded('visits'));
    places.visit(row('old'), way(1));
    drawn(places);
    places.visit(dialog('new'), way(2));
    const next = drawn(places, 40);
    expect(next.filter(each => each?.seed === 2).length).toBeGreaterThan(25);
  });

  test('are limited in number: a new state replaces another', () => {
    const places = new VisitedStates(seeded('many'));
    for (let number = 0; number < MAX_STATES_PER_TASK; number++) places.visit(unlike(number), way(number));
    expect(instances(places, 50 * MAX_STATES_PER_TASK)).toHaveLength(MAX_STATES_PER_TASK);
    for (let number = MAX_STATES_PER_TASK; number < 2 * MAX_STATES_PER_TASK; number++) {
      places.visit(unlike(number), way(number));
      expect(instances(places, 1000)).toContain(number);
    }
    expect(instances(places, 50 * MAX_STATES_PER_TASK)).toHaveLength(MAX_STATES_PER_TASK);
  });

  test('with a higher weight are kept longer', () => {
    const places = new VisitedStates(seeded('hope'));
    const deeds = MAX_STATES_PER_TASK / 2;
    for (let number = 0; number < deeds; number++) places.visit(sight([], `deed ${number}`), way(number));
    for (let number = deeds; number < 2 * MAX_STATES_PER_TASK; number++)
      places.visit(unlike(number), way(number));
    const left = instances(places, 50 * MAX_STATES_PER_TASK).filter(number => number < deeds);
    expect(left.length).toBeGreaterThan(deeds / 2);
  });

  test('copy the path', () => {
    const places = new VisitedStates(seeded('list'));
    const actions = [WAIT];
    places.visit(dialog('Rename'), { seed: seed(1), actions });
    actions.push(WAIT, WAIT);
    expect(places.choose()?.actions).toEqual([WAIT]);
  });
});
