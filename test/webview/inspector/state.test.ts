import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heatOf } from '../../../webview/inspector/heat.ts';
import {
  type Looking,
  type LookingEvent,
  looked,
  NOTHING,
  overlaysOf,
  stepAt,
  thresholdOf,
} from '../../../webview/inspector/state.ts';
import { Library } from '../panels/library.ts';

const whole = new Library(20).whole('t-000010');
const LAST = whole.each.length;
const told = (...events: readonly LookingEvent[]): Looking => events.reduce(looked, NOTHING);
const opened = (at?: number): readonly LookingEvent[] => [
  { kind: 'opened', id: whole.trajectory, at },
  { kind: 'arrived', whole },
];

test('whatever is pressed, it stays within its frames', () => {
  const event: fc.Arbitrary<LookingEvent> = fc.oneof(
    fc.integer({ min: -50, max: 50 }).map(by => ({ kind: 'stepped' as const, by })),
    fc.integer({ min: -50, max: 50 }).map(at => ({ kind: 'went' as const, at })),
    fc.constantFrom('play', 'heat', 'elements').map(what => ({ kind: 'toggled' as const, what })),
    fc.constant({ kind: 'ticked' as const }),
  );
  fc.assert(
    fc.property(fc.array(event), fc.nat(50), (events, at) => {
      const state = told(...opened(at), ...events);
      expect(state.at).toBeGreaterThanOrEqual(0);
      expect(state.at).toBeLessThanOrEqual(LAST);
      expect(stepAt(state) === undefined).toBe(state.at === LAST);
    }),
  );
});

describe('playing', () => {
  const ticks = (count: number) => Array.from({ length: count }, () => ({ kind: 'ticked' as const }));

  test('goes to the end and stops there', () => {
    const state = told(...opened(), { kind: 'toggled', what: 'play' }, ...ticks(LAST + 5));
    expect(state).toMatchObject({ at: LAST, isPlaying: false });
  });

  test('begins anew from the end', () => {
    expect(told(...opened(LAST), { kind: 'toggled', what: 'play' })).toMatchObject({
      at: 0,
      isPlaying: true,
    });
  });

  test('gives way to whoever steps by hand', () => {
    const state = told(...opened(), { kind: 'toggled', what: 'play' }, { kind: 'stepped', by: 1 });
    expect(state).toMatchObject({ at: 1, isPlaying: false });
    expect(looked(state, { kind: 'ticked' })).toBe(state);
  });
});

test('the place that was wanted holds although the trajectory comes later', () => {
  expect(told(...opened(2)).at).toBe(2);
});

test('what arrives for another trajectory or another step is left alone', () => {
  const state = told({ kind: 'opened', id: 'another', at: 0 });
  expect(looked(state, { kind: 'arrived', whole })).toBe(state);
  const here = told(...opened(1));
  expect(looked(here, { kind: 'elements', id: whole.trajectory, at: 0, elements: [] })).toBe(here);
});

test('elements of one step are not shown on the next', () => {
  const state = told(...opened(), { kind: 'elements', id: whole.trajectory, at: 0, elements: [] });
  expect(state.elements).toEqual([]);
  expect(looked(state, { kind: 'stepped', by: 1 }).elements).toBeUndefined();
});

test('how it is looked at stays from one trajectory to the next', () => {
  const state = told(
    ...opened(),
    { kind: 'toggled', what: 'heat' },
    { kind: 'opened', id: 'another', at: 3 },
  );
  expect(state).toMatchObject({ withHeat: false, whole: undefined, at: 3 });
});

test('the threshold is that of training', () => {
  expect(thresholdOf(whole)).toBe(0.32);
  expect(thresholdOf({ ...whole, each: [] })).toBeUndefined();
});

test('heat shows where it might have pointed, the likeliest on top, and what was chosen however unlikely', () => {
  const box = { x: 0, y: 0, width: 1, height: 1 };
  const alternatives = [
    { label: 'a', probability: 0.9, box, isChosen: false },
    { label: 'b', probability: 0.001, box, isChosen: true },
    { label: 'c', probability: 0.002, box, isChosen: false },
    { label: 'd', probability: 0.3, isChosen: false },
  ];
  const [step] = whole.each;
  if (step?.chosen === undefined) throw new Error('The library has undecided steps.');
  const pointer = { head: 'pointer', choices: 4, probability: 0.001, entropy: 0.5, alternatives };
  const heat = heatOf({ ...step, chosen: { ...step.chosen, decisions: [pointer] } });
  expect(heat.map(({ probability, isChosen }) => [probability, isChosen])).toEqual([
    [0.001, true],
    [0.9, false],
  ]);
  expect(heatOf(undefined)).toEqual([]);
});

test.each([
  [undefined, true, false],
  ['anything', true, false],
  [{ withHeat: false, withElements: true }, false, true],
  [{ withHeat: 3 }, true, false],
])('what is drawn on screens is as it was kept, %j, or as usual', (kept, withHeat, withElements) => {
  expect(overlaysOf(kept)).toEqual({ withHeat, withElements });
});
