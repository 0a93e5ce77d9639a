import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pointingBoxes } from '../../../webview/inspector/pointing-boxes.ts';
import {
  CLOSED_INSPECTOR,
  type InspectorEvent,
  type InspectorState,
  parseOverlays,
  reduceInspector,
  stepAt,
  thresholdOf,
} from '../../../webview/inspector/state.ts';
import { TrajectoryLibrary } from '../panels/library.ts';

const whole = new TrajectoryLibrary(20).detail('t-000010');
const LAST = whole.each.length;
const told = (...events: readonly InspectorEvent[]): InspectorState =>
  events.reduce(reduceInspector, CLOSED_INSPECTOR);
const opened = (at?: number): readonly InspectorEvent[] => [
  { kind: 'opened', id: whole.trajectory, at },
  { kind: 'arrived', whole },
];

test('any sequence of keys stays within the frames', () => {
  const event: fc.Arbitrary<InspectorEvent> = fc.oneof(
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

describe('playback', () => {
  const ticks = (count: number) => Array.from({ length: count }, () => ({ kind: 'ticked' as const }));

  test('stops at the end', () => {
    const state = told(...opened(), { kind: 'toggled', what: 'play' }, ...ticks(LAST + 5));
    expect(state).toMatchObject({ at: LAST, isPlaying: false });
  });

  test('starts over at the end', () => {
    expect(told(...opened(LAST), { kind: 'toggled', what: 'play' })).toMatchObject({
      at: 0,
      isPlaying: true,
    });
  });

  test('stops when the user steps', () => {
    const state = told(...opened(), { kind: 'toggled', what: 'play' }, { kind: 'stepped', by: 1 });
    expect(state).toMatchObject({ at: 1, isPlaying: false });
    expect(reduceInspector(state, { kind: 'ticked' })).toBe(state);
  });
});

test('the requested step holds until the trajectory arrives', () => {
  expect(told(...opened(2)).at).toBe(2);
});

test('replies for another trajectory or step are ignored', () => {
  const state = told({ kind: 'opened', id: 'another', at: 0 });
  expect(reduceInspector(state, { kind: 'arrived', whole })).toBe(state);
  const here = told(...opened(1));
  expect(reduceInspector(here, { kind: 'elements', id: whole.trajectory, at: 0, elements: [] })).toBe(here);
});

test('elements of a step are not shown on the next', () => {
  const state = told(...opened(), { kind: 'elements', id: whole.trajectory, at: 0, elements: [] });
  expect(state.elements).toEqual([]);
  expect(reduceInspector(state, { kind: 'stepped', by: 1 }).elements).toBeUndefined();
});

test('overlays stay on for the next trajectory', () => {
  const state = told(
    ...opened(),
    { kind: 'toggled', what: 'heat' },
    { kind: 'opened', id: 'another', at: 3 },
  );
  expect(state).toMatchObject({ withHeat: false, whole: undefined, at: 3 });
});

test('the threshold is the one of training', () => {
  expect(thresholdOf(whole)).toBe(0.32);
  expect(thresholdOf({ ...whole, each: [] })).toBeUndefined();
});

test('pointing boxes are sorted by probability, and the chosen one is always among them', () => {
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
  const heat = pointingBoxes({ ...step, chosen: { ...step.chosen, decisions: [pointer] } });
  expect(heat.map(({ probability, isChosen }) => [probability, isChosen])).toEqual([
    [0.001, true],
    [0.9, false],
  ]);
  expect(pointingBoxes(undefined)).toEqual([]);
});

test.each([
  [undefined, true, false],
  ['anything', true, false],
  [{ withHeat: false, withElements: true }, false, true],
  [{ withHeat: 3 }, true, false],
])('stored overlays %j are restored, invalid ones become the defaults', (kept, withHeat, withElements) => {
  expect(parseOverlays(kept)).toEqual({ withHeat, withElements });
});
