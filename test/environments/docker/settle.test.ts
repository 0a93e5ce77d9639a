import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settledAt } from '../../../runtime/environments/docker/settle.ts';

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
