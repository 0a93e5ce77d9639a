// What a policy remembers within an episode: what it did lately, and texts that are gone from the screen.

import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../runtime/agents/compact/action-kinds.ts';
import {
  EMPTY_MEMORY,
  type EpisodeMemory,
  updateMemory,
} from '../../../runtime/agents/compact/episode-memory.ts';
import { MAX_ELEMENTS, observeScreen } from '../../../runtime/agents/compact/observe-screen.ts';
import type { Action } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import type { Mode } from '../../../runtime/core/policy.ts';
import type { Element } from '../../../runtime/core/screen.ts';
import { element, screen } from './screens.ts';

const CLICK: Action = { kind: 'click', at: { x: 5, y: 5 } };

/** Looks at one screen, acts, and then sees another. */
const stepped = (
  last: EpisodeMemory,
  before: readonly Element[],
  action: Action,
  then: readonly Element[],
  mode: Mode = 'a11y_tree',
): EpisodeMemory =>
  updateMemory(last, observeScreen(screen(before), 'Do it.', mode, last), action, screen(then));

const label = (name: string, value = '') => element({ role: 'label', name, value });

describe('the recent actions', () => {
  const things = [
    element({ name: 'back', box: [0, 0, 100, 100] }),
    element({ name: 'front', box: [0, 0, 10, 10] }),
  ];
  const past = (action: Action) => stepped(EMPTY_MEMORY, things, action, things).recent[0];

  test.each([
    ['the pressed element; of several the one in front', CLICK, 'click', 'front'],
    ['a place without a name', { kind: 'click', at: { x: 200, y: 200 } }, 'click', ''],
    [
      'both ends of a drag',
      { kind: 'drag', from: { x: 50, y: 50 }, to: { x: 1, y: 1 } },
      'drag',
      'back front',
    ],
    ['the typed text', { kind: 'type', text: 'hello' }, 'type', 'hello'],
    ['the keys', { kind: 'hotkey', keys: [key('ctrl'), key('s')] }, 'hotkey', 'ctrl s'],
    [
      'the scrolled element',
      { kind: 'scroll', at: { x: 50, y: 50 }, direction: 'up', notches: 5 },
      'scroll_up',
      'back',
    ],
    ['waiting', { kind: 'wait' }, 'wait', ''],
  ] as const)('is remembered with %s', (_name, action, kind, text) => {
    expect(past(action)).toEqual({ kind: KINDS.indexOf(kind), text, changed: false });
  });

  test('are kept latest first, up to a limit', () => {
    let last = EMPTY_MEMORY;
    for (let step = 0; step < 20; step++) last = stepped(last, [], { kind: 'type', text: `${step}` }, []);
    const texts = last.recent.map(({ text }) => Number(text));
    expect(texts[0]).toBe(19);
    expect(texts).toEqual([...texts].sort((a, b) => b - a));
    expect(texts.length).toBeLessThan(10);
  });
});

describe('the change flag', () => {
  const changed = (then: readonly Element[], mode?: Mode) =>
    stepped(EMPTY_MEMORY, [label('one', 'a'), label('two')], CLICK, then, mode).recent[0]?.changed;

  test.each([
    ['a name', [label('one', 'a'), label('three')]],
    ['a value', [label('one', 'b'), label('two')]],
    ['a thing more', [label('one', 'a'), label('two'), label('two')]],
    ['a thing less', [label('one', 'a')]],
    ['a role', [label('one', 'a'), element({ role: 'link', name: 'two' })]],
    ['a state', [label('one', 'a'), { ...label('two'), states: ['focused'] }]],
    ['a place', [label('one', 'a'), { ...label('two'), box: { x: 0, y: 1, width: 10, height: 10 } }]],
  ] as const)('is noticed by %s', (_name, then) => {
    expect(changed(then)).toBe(true);
  });

  test('is set by a changed size, such as of a bar that grows', () => {
    expect(
      changed([label('one', 'a'), { ...label('two'), box: { x: 0, y: 0, width: 20, height: 10 } }]),
    ).toBe(true);
  });

  test('is not set without a change', () => {
    expect(changed([label('one', 'a'), label('two')])).toBe(false);
  });

  test('is set if no elements are visible', () => {
    expect(changed([label('one', 'a'), label('two')], 'screenshot')).toBe(true);
  });

  test('is not set by elements beyond the limit', () => {
    const many = Array.from({ length: MAX_ELEMENTS + 1 }, (_, index) => label(`${index}`));
    expect(stepped(EMPTY_MEMORY, many, CLICK, many).recent[0]?.changed).toBe(false);
  });
});

describe('remembered texts', () => {
  const texts = ({ memory }: EpisodeMemory) => memory.map(({ text, age }) => `${text} ${age}`);

  test('of front elements come first and stay if there are too many', () => {
    const many = Array.from({ length: 40 }, (_, index) => label(`name ${index}`, `value ${index}`));
    const kept = texts(stepped(EMPTY_MEMORY, many, CLICK, []));
    expect(kept.slice(0, 4)).toEqual(['name 39 1', 'value 39 1', 'name 38 1', 'value 38 1']);
    const all = many.toReversed().flatMap(({ name, value }) => [`${name} 1`, `${value} 1`]);
    expect(kept.length).toBeLessThan(all.length);
    expect(kept).toEqual(all.slice(0, kept.length));
  });

  test('that disappeared last come first and replace older ones', () => {
    const first = stepped(EMPTY_MEMORY, [label('long ago')], CLICK, []);
    const few = stepped(first, [label('back'), label('front')], CLICK, []);
    expect(texts(few)).toEqual(['front 1', 'back 1', 'long ago 2']);
    const many = Array.from({ length: 40 }, (_, index) => label(`text ${index}`));
    expect(texts(stepped(first, many, CLICK, []))).not.toContain('long ago 2');
  });

  test('are names and values that disappeared, until they are visible again', () => {
    const gone = stepped(EMPTY_MEMORY, [label('Total', '6279'), label('here')], CLICK, [label('here')]);
    expect(texts(gone)).toEqual(['Total 1', '6279 1']);
    const later = stepped(gone, [label('here')], CLICK, [label('there')]);
    expect(texts(later)).toEqual(['here 1', 'Total 2', '6279 2']);
    const back = stepped(later, [label('there')], CLICK, [label('there', '6279')]);
    expect(texts(back)).toEqual(['here 2', 'Total 3']);
  });

  test('exclude a text that was only extended', () => {
    const [before, after] = [label('Text', 'Dear Ada'), label('Text', 'Dear Ada,\nhow are you?')];
    expect(texts(stepped(EMPTY_MEMORY, [before], CLICK, [after]))).toEqual([]);
    expect(texts(stepped(EMPTY_MEMORY, [before], CLICK, [label('To', 'Dear Ada, how are you?')]))).toEqual([
      ...['Text 1', 'Dear Ada 1'],
    ]);
    expect(texts(stepped(EMPTY_MEMORY, [after], CLICK, [before]))).toEqual(['Dear Ada,\nhow are you? 1']);
  });

  test('age even without a change', () => {
    const gone = stepped(EMPTY_MEMORY, [label('Total')], CLICK, [label('here')]);
    expect(texts(stepped(gone, [label('here')], CLICK, [label('here')]))).toEqual(['Total 2']);
  });

  test('exclude a text that moved to another element', () => {
    expect(
      texts(stepped(EMPTY_MEMORY, [label('plan')], CLICK, [element({ role: 'cell', value: 'plan' })])),
    ).toEqual([]);
  });

  test('exclude names of buttons and windows, and single letters', () => {
    const before = [element({ name: 'Save' }), element({ role: 'window', name: 'Notes' }), label('x', 'y')];
    expect(texts(stepped(EMPTY_MEMORY, before, CLICK, []))).toEqual([]);
  });

  test('are unique; the oldest are dropped first', () => {
    let last = EMPTY_MEMORY;
    for (let step = 0; step < 50; step++)
      last = stepped(last, [label(`text ${step}`), label(`text ${step}`)], CLICK, []);
    const { memory } = last;
    expect(memory[0]).toEqual({ text: 'text 49', age: 1 });
    expect(memory.map(({ age }) => age)).toEqual(memory.map((_, index) => index + 1));
    expect(memory.length).toBeLessThan(30);
  });

  test('are empty without elements', () => {
    expect(stepped(EMPTY_MEMORY, [label('Total')], CLICK, [], 'screenshot').memory).toEqual([]);
  });
});

test('updating does not change the earlier memory', () => {
  const first = stepped(EMPTY_MEMORY, [label('Total')], CLICK, [label('here')]);
  const copy = structuredClone(first);
  const frozen: EpisodeMemory = {
    recent: Object.freeze(first.recent.map(each => Object.freeze(each))),
    memory: Object.freeze(first.memory.map(each => Object.freeze(each))),
  };
  const second = stepped(frozen, [label('here')], CLICK, [label('there')]);
  expect(frozen).toEqual(copy);
  expect(stepped(frozen, [label('here')], CLICK, [label('there')])).toEqual(second);
  expect(EMPTY_MEMORY).toEqual({ recent: [], memory: [] });
});
