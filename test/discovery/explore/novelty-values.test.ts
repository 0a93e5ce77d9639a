// The values of exploring actions, against values computed by hand.

import { describe, expect, test } from 'vitest';
import { key } from '../../../runtime/core/key.ts';
import { centre } from '../../../runtime/core/screen.ts';
import {
  actionKey,
  MAX_VALUED_STATES,
  NoveltyValues,
} from '../../../runtime/discovery/explore/novelty-values.ts';
import { element } from '../../agents/compact/screens.ts';

/** η = 0.5, γ = 0.9, c = 0.3. */
describe('an action', () => {
  test('is worth a new state that it led to', () => {
    const values = new NoveltyValues();
    values.see('desktop');
    values.learn('desktop', 'open', 'menu');
    // 0.5 · (1 + 0.9 · 0), less 0.3 · √1, is 0.2: more than the 0 of an untried action.
    expect(values.best('desktop', ['wait', 'open'])).toBe(1);
    values.learn('desktop', 'open', 'menu');
    // 0.5 · 0.5 + 0.5 · (0 + 0.9 · 0) = 0.25, less 0.3 · √2 = 0.424: the menu is known now.
    expect(values.best('desktop', ['open', 'wait'])).toBe(1);
  });

  test('is worth what follows the state that it led to', () => {
    const values = new NoveltyValues();
    values.see('desktop');
    values.learn('desktop', 'open', 'menu');
    values.learn('desktop', 'close', 'desktop');
    values.learn('menu', 'choose', 'dialog');
    // The menu is worth 0.5 now: 0.5 · 0.5 + 0.5 · (0.9 · 0.5) = 0.475, less 0.3 · √2, is 0.051.
    values.learn('desktop', 'open', 'menu');
    expect(values.best('desktop', ['wait', 'open'])).toBe(1);
    // 0.5 · 0 + 0.5 · (0 + 0.9 · 0.5) = 0.225, less 0.3, is below 0.
    expect(values.best('desktop', ['close', 'wait'])).toBe(1);
  });

  test('that led nowhere is tried less often than an untried one', () => {
    const values = new NoveltyValues();
    values.see('desktop');
    values.learn('desktop', 'wait', 'desktop');
    expect(values.best('desktop', ['wait', 'open'])).toBe(1);
  });

  test('of another state has a value of its own', () => {
    const values = new NoveltyValues();
    values.see('desktop');
    values.learn('desktop', 'open', 'menu');
    expect(values.best('menu', ['wait', 'open'])).toBe(0);
  });
});

test('states are limited in number: a forgotten one is new again', () => {
  const values = new NoveltyValues();
  for (let number = 0; number <= MAX_VALUED_STATES; number++)
    expect(values.see(`state ${number}`)).toBe(true);
  expect(values.see(`state ${MAX_VALUED_STATES}`)).toBe(false);
  expect(values.see('state 0')).toBe(true);
});

test('a state that is seen again and again is never forgotten', () => {
  const values = new NoveltyValues();
  values.see('start');
  values.learn('start', 'open', 'menu');
  for (let number = 0; number < 2 * MAX_VALUED_STATES; number++) {
    values.see(`state ${number}`);
    expect(values.see('start')).toBe(false);
  }
  expect(values.best('start', ['wait', 'open'])).toBe(1);
});

describe('the key of an action', () => {
  const save = element({ role: 'button', name: 'Save', box: [0, 0, 10, 10] });
  const cancel = element({ role: 'button', name: 'Cancel', box: [20, 0, 10, 10] });
  const budget = element({ role: 'row', name: 'Budget', box: [0, 20, 10, 10] });
  const survey = element({ role: 'row', name: 'Survey', box: [0, 40, 10, 10] });
  const screen = [save, cancel, budget, survey];
  const click = (on: typeof save) => actionKey({ kind: 'click', at: centre(on.box) }, screen);

  test('has the name of a button, and only the role of a row', () => {
    expect(click(save)).not.toBe(click(cancel));
    expect(click(budget)).toBe(click(survey));
    expect(click(budget)).not.toBe(click(save));
    expect(actionKey({ kind: 'click', at: { x: 90, y: 90 } }, screen)).toBe('click nothing');
  });

  test('has the kind of the action, both ends of a drag, and the keys', () => {
    const at = centre(budget.box);
    expect(actionKey({ kind: 'double_click', at }, screen)).not.toBe(click(budget));
    const drag = (from: typeof save, to: typeof save) =>
      actionKey({ kind: 'drag', from: centre(from.box), to: centre(to.box) }, screen);
    expect(drag(save, budget)).not.toBe(drag(budget, save));
    const keys = (name: string) => actionKey({ kind: 'hotkey', keys: [key('ctrl'), key(name)] }, screen);
    expect(keys('s')).not.toBe(keys('n'));
  });

  test('has the shape of a text, not its words', () => {
    const typed = (text: string) => actionKey({ kind: 'type', text }, screen);
    expect(typed('bread 12')).toBe(typed('milk 7'));
    expect(typed('bread')).not.toBe(typed('bread\n'));
  });
});
