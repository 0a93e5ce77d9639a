// The scales of the screens: an agent's pixel maps to a point in its square, and back.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  firstBehind,
  onScreen,
  SCREEN_SIZES,
  scaledSize,
  scaleOf,
} from '../../../runtime/environments/docker/screen-size.ts';

const scales = [...new Set(SCREEN_SIZES.flatMap(size => [scaleOf(size, 'compact'), scaleOf(size, 'model')]))];

test.each(scales)('at scale %i every pixel of an agent maps to a point in its square', scale => {
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(2000), (x, y) => {
      const met = onScreen({ x, y }, scale);
      expect([Math.floor(met.x / scale), Math.floor(met.y / scale)]).toEqual([x, y]);
    }),
  );
});

test.each(scales)('at scale %i the first pixel behind a place is the first whose middle is there', scale => {
  fc.assert(
    fc.property(fc.integer({ min: -100, max: 2000 }), place => {
      const first = firstBehind(place, scale);
      expect(onScreen({ x: first, y: 0 }, scale).x).toBeGreaterThanOrEqual(place);
      expect(onScreen({ x: first - 1, y: 0 }, scale).x).toBeLessThan(place);
    }),
  );
});

test('the compact policy sees at most 320 × 240 pixels of every screen, and all of it', () => {
  for (const screen of SCREEN_SIZES) {
    const [width = 0, height = 0] = screen.split('x').map(Number);
    const scale = scaleOf(screen, 'compact');
    const seen = scaledSize({ width, height }, scale);
    expect(seen.width).toBeLessThanOrEqual(320);
    expect(seen.height).toBeLessThanOrEqual(240);
    expect([seen.width * scale, seen.height * scale]).toEqual([width, height]);
  }
});

test('a model sees the larger screens unscaled, and the smallest one at half its size', () => {
  expect(SCREEN_SIZES.map(screen => scaleOf(screen, 'model'))).toEqual([2, 1, 1]);
});
