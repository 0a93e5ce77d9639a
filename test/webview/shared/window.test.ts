import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  indexAfterKey,
  pagesInSpan,
  scrollTopFor,
  visibleRows,
} from '../../../webview/shared/virtual/window.ts';

const total = fc.nat(100_000);
const height = fc.integer({ min: 1, max: 2000 });
const scrolled = fc.nat(6_000_000);

test('all visible rows are in the page, and few others', () => {
  fc.assert(
    fc.property(total, height, scrolled, (rows, high, top) => {
      const { from, to } = visibleRows(top, high, 54, rows);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(rows);
      expect(to - from).toBeLessThanOrEqual(Math.ceil(high / 54) + 18);
      for (const row of [Math.floor(top / 54), Math.floor((top + high - 1) / 54)])
        if (row < rows) expect(row >= from && row < to).toBe(true);
    }),
  );
});

test('the pages of a span are exactly those with rows of it', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(500), (from, length) => {
      const pages = pagesInSpan({ from, to: from + length }, 200);
      const rows = Array.from({ length }, (_, index) => Math.floor((from + index) / 200));
      expect(pages).toEqual([...new Set(rows)]);
    }),
  );
});

test('revealing a row scrolls the minimum that shows it whole', () => {
  fc.assert(
    fc.property(fc.nat(10_000), scrolled, fc.integer({ min: 54, max: 2000 }), (at, top, high) => {
      const next = scrollTopFor(at, 54, top, high);
      expect(at * 54).toBeGreaterThanOrEqual(next);
      expect((at + 1) * 54).toBeLessThanOrEqual(next + high);
      if (at * 54 >= top && (at + 1) * 54 <= top + high) expect(next).toBe(top);
    }),
  );
});

test.each([
  ['ArrowDown', undefined, 0],
  ['ArrowDown', 9, 9],
  ['ArrowUp', undefined, 9],
  ['ArrowUp', 4, 3],
  ['PageDown', 2, 5],
  ['PageUp', 2, 0],
  ['Home', 5, 0],
  ['End', 5, 9],
  ['x', 5, undefined],
] as const)('%s at %s of ten rows leads to %s', (key, at, to) =>
  expect(indexAfterKey(key, at, 10, 4)).toBe(to),
);

test('no key moves in an empty list', () =>
  expect(indexAfterKey('ArrowDown', undefined, 0, 4)).toBeUndefined());
