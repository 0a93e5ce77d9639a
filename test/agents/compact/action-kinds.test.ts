// The kinds of action that a policy chooses among, and the keys that it can press.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEAD_OF, KINDS, kindNumber, SLOTS, slotsOf } from '../../../runtime/agents/compact/action-kinds.ts';
import { CHORDS, chordNumber } from '../../../runtime/agents/compact/chords.ts';
import type { ActionKind } from '../../../runtime/core/action.ts';
import { KEYS, key } from '../../../runtime/core/key.ts';
import { action } from '../../core/arbitraries.ts';

const UNCHOSEN: readonly ActionKind[] = ['move', 'middle_click', 'triple_click', 'none'];
const SIZE = { width: 320, height: 240 };

test('exactly the actions that a policy can choose have a number', () => {
  fc.assert(
    fc.property(action(SIZE), each => {
      const number = kindNumber(each);
      const sideways = each.kind === 'scroll' && (each.direction === 'left' || each.direction === 'right');
      if (UNCHOSEN.includes(each.kind) || sideways) return number === undefined;
      return number !== undefined && KINDS[number]?.startsWith(each.kind) === true;
    }),
  );
});

test('scrolling up and down are two kinds', () => {
  const scroll = (direction: 'up' | 'down') =>
    kindNumber({ kind: 'scroll', at: { x: 0, y: 0 }, direction, notches: 1 });
  expect(KINDS[scroll('up') ?? -1]).toBe('scroll_up');
  expect(KINDS[scroll('down') ?? -1]).toBe('scroll_down');
});

test('the slots of a kind follow it, in the order of all slots', () => {
  expect(slotsOf('click')).toEqual(['pointer']);
  expect(slotsOf('drag')).toEqual(['pointer', 'target']);
  expect(slotsOf('type')).toEqual(['text', 'end', 'first', 'last']);
  expect(slotsOf('hotkey')).toEqual(['key']);
  expect(slotsOf('finished')).toEqual([]);
  for (const kind of KINDS) {
    const places = slotsOf(kind).map(slot => SLOTS.indexOf(slot));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(slotsOf(kind)).not.toContain('kind');
    for (const slot of slotsOf(kind)) expect(HEAD_OF[slot]).toBeDefined();
  }
});

test('each chord has a unique number that finds it', () => {
  for (const [number, chord] of CHORDS.entries()) expect(chordNumber(chord)).toBe(number);
  expect(new Set(CHORDS.map(chord => chord.join('+'))).size).toBe(CHORDS.length);
});

test('chords consist of known keys; single letters and digits are not among them', () => {
  for (const chord of CHORDS) for (const each of chord) expect(KEYS).toContain(each);
  expect(CHORDS.filter(([first, ...others]) => others.length === 0 && /^[a-z0-9]$/i.test(first))).toEqual([]);
  expect(chordNumber([key('q')])).toBeUndefined();
  expect(chordNumber([key('s'), key('ctrl')])).toBeUndefined();
});
