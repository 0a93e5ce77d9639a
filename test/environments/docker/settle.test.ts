import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settledAt } from '../../../runtime/environments/docker/settle.ts';

const limits = { first: 60, quiet: 20, most: 300 };

test('without a change it is waited for the first one', () => {
  expect(settledAt({ acted: 1000, changed: undefined, lag: 0 }, limits)).toBe(1060);
});

test('after a change it must be quiet, though the wait for the first one would have ended sooner', () => {
  expect(settledAt({ acted: 1000, changed: 1005, lag: 0 }, limits)).toBe(1025);
  expect(settledAt({ acted: 1000, changed: 1059, lag: 0 }, limits)).toBe(1079);
});

test('what changes for ever is settled in the end', () => {
  expect(settledAt({ acted: 1000, changed: 1299, lag: 0 }, limits)).toBe(1300);
});

test('a later change never makes it settle earlier', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), (early, more) => {
      const at = (changed: number) => settledAt({ acted: 0, changed, lag: 0 }, limits);
      expect(at(early + more)).toBeGreaterThanOrEqual(at(early));
    }),
  );
});

test('a desktop that is slow to answer is waited for longer, a little slowness is no matter', () => {
  const at = (lag: number) => settledAt({ acted: 1000, changed: undefined, lag }, limits);
  expect(at(10)).toBe(1060);
  expect(at(20)).toBe(1140);
});
