import fc from 'fast-check';
import { expect, test } from 'vitest';
import { key } from '../../../runtime/core/key.ts';
import { HEAVY_PACE, LIGHT_PACE, limitsFor, settledAt } from '../../../runtime/environments/docker/settle.ts';

const limits = { first: 60, quiet: 20, max: 300 };

test('without a change the first wait applies', () => {
  expect(settledAt({ acted: 1000, changed: undefined, lag: 0 }, limits)).toBe(1060);
});

test('after a change the quiet time applies, even beyond the first wait', () => {
  expect(settledAt({ acted: 1000, changed: 1005, lag: 0 }, limits)).toBe(1025);
  expect(settledAt({ acted: 1000, changed: 1059, lag: 0 }, limits)).toBe(1079);
});

test('endless changes settle at the limit', () => {
  expect(settledAt({ acted: 1000, changed: 1299, lag: 0 }, limits)).toBe(1300);
});

test('a later change never settles earlier', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), (early, more) => {
      const at = (changed: number) => settledAt({ acted: 0, changed, lag: 0 }, limits);
      expect(at(early + more)).toBeGreaterThanOrEqual(at(early));
    }),
  );
});

test('high lag extends the limits, normal lag does not', () => {
  const at = (lag: number) => settledAt({ acted: 1000, changed: undefined, lag }, limits);
  expect(at(10)).toBe(1060);
  expect(at(20)).toBe(1140);
});

test('the large applications get more time after Enter and for a wait; the small ones always have the same', () => {
  const enter = { kind: 'hotkey', keys: [key('enter')] } as const;
  const save = { kind: 'hotkey', keys: [key('ctrl'), key('s')] } as const;
  const of = [enter, save, { kind: 'wait' } as const].map(action => limitsFor(action, HEAVY_PACE));
  expect(of).toEqual([HEAVY_PACE.enter, HEAVY_PACE.action, HEAVY_PACE.wait]);
  // GTK shows a button as pressed for 250 ms.
  expect(HEAVY_PACE.enter.quiet).toBeGreaterThan(250);
  expect(limitsFor(enter, LIGHT_PACE)).toEqual(limitsFor(save, LIGHT_PACE));
});
