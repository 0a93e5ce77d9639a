// Properties of box arithmetic, which computes the visible part of a covered widget.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../runtime/core/screen.ts';
import {
  area,
  box,
  intersection,
  intersects,
  isEmpty,
  largestUncovered,
  subtract,
  union,
} from '../../runtime/environments/box.ts';

/** Small boxes, also empty ones: the tests check every pixel. */
const boxes = fc
  .tuple(
    fc.integer({ min: -6, max: 12 }),
    fc.integer({ min: -6, max: 12 }),
    fc.nat({ max: 10 }),
    fc.nat({ max: 10 }),
  )
  .map(([x, y, width, height]) => box(x, y, width, height));

const pixelsOf = (of: Box): readonly string[] =>
  Array.from(
    { length: area(of) },
    (_, index) => `${of.x + (index % of.width)},${of.y + Math.floor(index / of.width)}`,
  );

const inAny = (covers: readonly Box[]): ReadonlySet<string> => new Set(covers.flatMap(pixelsOf));

describe('subtract', () => {
  test('returns disjoint pieces that cover exactly the rest', () => {
    fc.assert(
      fc.property(boxes, boxes, (whole, hole) => {
        const pieces = subtract(whole, hole).flatMap(pixelsOf);
        const hidden = inAny([hole]);
        expect(new Set(pieces).size).toBe(pieces.length);
        expect(pieces.toSorted()).toEqual(
          pixelsOf(whole)
            .filter(pixel => !hidden.has(pixel))
            .toSorted(),
        );
      }),
    );
  });

  test('returns no empty piece of a non-empty box', () => {
    fc.assert(
      fc.property(boxes, boxes, (whole, hole) => {
        fc.pre(!isEmpty(whole));
        expect(subtract(whole, hole).filter(isEmpty)).toEqual([]);
      }),
    );
  });
});

describe('largestUncovered', () => {
  const covers = fc.array(boxes, { maxLength: 5 });

  test('is a part of the box that no cover overlaps', () => {
    fc.assert(
      fc.property(boxes, covers, (whole, above) => {
        const found = largestUncovered(whole, above);
        if (found === undefined) return;
        expect(intersection(found, whole)).toEqual(found);
        expect(above.some(cover => !isEmpty(intersection(found, cover)))).toBe(false);
      }),
    );
  });

  test('is undefined exactly if every pixel is covered', () => {
    fc.assert(
      fc.property(boxes, covers, (whole, above) => {
        const hidden = inAny(above);
        const all = pixelsOf(whole).every(pixel => hidden.has(pixel));
        expect(largestUncovered(whole, above) === undefined).toBe(all);
      }),
    );
  });

  test('is at least a quarter of what a single cover leaves', () => {
    fc.assert(
      fc.property(boxes, boxes, (whole, cover) => {
        const left = area(whole) - area(intersection(whole, cover));
        const found = largestUncovered(whole, [cover]);
        expect(4 * (found === undefined ? 0 : area(found))).toBeGreaterThanOrEqual(left);
      }),
    );
  });
});

describe('two boxes', () => {
  test('intersect exactly if they share a pixel', () => {
    fc.assert(
      fc.property(boxes, boxes, (a, b) => {
        fc.pre(!isEmpty(a) && !isEmpty(b));
        expect(intersects(a, b)).toBe(!isEmpty(intersection(a, b)));
      }),
    );
  });

  test('lie in their union, and each side of the union touches one of them', () => {
    fc.assert(
      fc.property(boxes, boxes, (a, b) => {
        fc.pre(!isEmpty(a) && !isEmpty(b));
        const both = union(a, b);
        expect(intersection(both, a)).toEqual(a);
        expect(intersection(both, b)).toEqual(b);
        expect(both.width).toBeLessThanOrEqual(Math.max(a.x + a.width, b.x + b.width) - Math.min(a.x, b.x));
        expect(both.height).toBeLessThanOrEqual(
          Math.max(a.y + a.height, b.y + b.height) - Math.min(a.y, b.y),
        );
      }),
    );
  });
});
