// The sizes that servers choose, as measured with their Python code, and the laws of sizes and coordinates.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sentSize, spaceOn, toPicture, toScreen } from '../../../runtime/agents/model/frame.ts';
import { PROFILE_IDS } from '../../../runtime/agents/model/profile.ts';
import { FRAME_RULES } from '../../../runtime/agents/model/profiles/frames.ts';
import { type Box, centre, contains, type Size } from '../../../runtime/core/screen.ts';

const size = (width: number, height: number): Size => ({ width, height });
const FACTOR_28 = FRAME_RULES['ui-tars-1.5'].resize;
const FACTOR_32 = FRAME_RULES['qwen3-vl'].resize;

describe('the size of a sent image', () => {
  test.each([
    ['1280 × 720 by 32: 22.5 rounds to 22', FACTOR_32, size(1280, 720), size(1280, 704)],
    ['1470 × 956 by 28: 52.5 rounds to 52', FACTOR_28, size(1470, 956), size(1456, 952)],
    ['1918 × 1078 by 28: 68.5 rounds to 68', FACTOR_28, size(1918, 1078), size(1904, 1064)],
    ['1974 × 1092 by 28: 70.5 rounds to 70', FACTOR_28, size(1974, 1092), size(1960, 1092)],
    ['1920 × 1080 by 28', FACTOR_28, size(1920, 1080), size(1932, 1092)],
    ['1920 × 1080 by 32', FACTOR_32, size(1920, 1080), size(1920, 1088)],
    ['a frame below the minimum', FACTOR_28, size(160, 210), size(252, 336)],
    ['a frame below the minimum of Qwen3-VL', FACTOR_32, size(160, 210), size(224, 320)],
    ['a frame smaller than a patch', FACTOR_28, size(4, 4), size(280, 280)],
    [
      'the same frame with the lower minimum of Qwen2.5-VL',
      FRAME_RULES['qwen2.5-vl'].resize,
      size(160, 210),
      size(168, 224),
    ],
  ])('%s', (_, rule, screen, expected) => {
    expect(sentSize(rule, screen)).toEqual(expected);
  });

  test('a frame above the maximum keeps its ratio within a patch', () => {
    const sent = sentSize(FACTOR_28, size(7680, 4320));
    expect(sent).toEqual(size(4760, 2688));
  });

  test('the ratio of the sent image never exceeds the limit, although rounding raises it', () => {
    expect(sentSize(FACTOR_28, size(6000, 30))).toEqual(size(5600, 28));
    expect(sentSize(FACTOR_28, size(30, 6000))).toEqual(size(28, 5600));
  });

  test('an image beyond the limit is an error with its size and the remedy', () => {
    expect(() => sentSize(FACTOR_28, size(2010, 10))).toThrow(/2010 × 10 pixels.*200 times.*Use a desktop/);
    expect(() => sentSize(FACTOR_28, size(0, 10))).toThrow(RangeError);
  });

  const screens = fc
    .record({ width: fc.integer({ min: 1, max: 9000 }), height: fc.integer({ min: 1, max: 9000 }) })
    .filter(({ width, height }) => Math.max(width, height) / Math.min(width, height) <= 200);

  test.each(PROFILE_IDS)(
    '%s: multiples of the factor within the limits, and the server changes nothing',
    id => {
      const { resize } = FRAME_RULES[id];
      fc.assert(
        fc.property(screens, screen => {
          const sent = sentSize(resize, screen);
          expect([sent.width % resize.factor, sent.height % resize.factor]).toEqual([0, 0]);
          expect(sent.width * sent.height).toBeGreaterThanOrEqual(resize.minPixels);
          expect(sent.width * sent.height).toBeLessThanOrEqual(resize.maxPixels);
          expect(Math.max(sent.width / sent.height, sent.height / sent.width)).toBeLessThanOrEqual(
            resize.maxRatio,
          );
          expect(sentSize(resize, sent)).toEqual(sent);
        }),
        { numRuns: 3000 },
      );
    },
  );
});

describe('coordinates', () => {
  const SIZES = [size(1920, 1080), size(1280, 720), size(320, 240)];
  const cases = PROFILE_IDS.flatMap(id => SIZES.map(screen => [id, screen] as const));

  test.each(cases)(
    '%s on $width × $height: the centre of a target in the picture is inside the target',
    (id, screen) => {
      const space = spaceOn(FRAME_RULES[id], screen);
      const boxes = fc
        .record({
          x: fc.nat(screen.width - 8),
          y: fc.nat(screen.height - 8),
          width: fc.constant(8),
          height: fc.constant(8),
        })
        .map((box): Box => box);
      fc.assert(
        fc.property(boxes, box => {
          // A model writes whole numbers.
          const x = Math.round(((box.x + box.width / 2) * space.picture.width) / screen.width);
          const y = Math.round(((box.y + box.height / 2) * space.picture.height) / screen.height);
          const point = toScreen(space, x, y);
          expect(point !== undefined && contains(box, point)).toBe(true);
          const { x: exactX, y: exactY } = centre(box);
          expect(Math.abs((point?.x ?? -9) - exactX)).toBeLessThanOrEqual(
            Math.max(1, screen.width / space.picture.width),
          );
          expect(Math.abs((point?.y ?? -9) - exactY)).toBeLessThanOrEqual(
            Math.max(1, screen.height / space.picture.height),
          );
        }),
      );
    },
  );

  test.each(cases)('%s on $width × $height: every pixel can be written and converts back', (id, screen) => {
    const space = spaceOn(FRAME_RULES[id], screen);
    const points = fc.record({ x: fc.nat(screen.width - 1), y: fc.nat(screen.height - 1) });
    fc.assert(
      fc.property(points, point => {
        const [x, y] = toPicture(space, point);
        expect(toScreen(space, Number(x), Number(y))).toEqual(point);
      }),
    );
  });

  test('0 is the first pixel and the far edge the last', () => {
    for (const id of PROFILE_IDS) {
      const space = spaceOn(FRAME_RULES[id], size(1920, 1080));
      expect(toScreen(space, 0, 0)).toEqual({ x: 0, y: 0 });
      expect(toScreen(space, space.picture.width, space.picture.height)).toEqual({ x: 1919, y: 1079 });
    }
  });

  test('a point slightly beyond the edge is limited to the screen, a point far beyond is rejected', () => {
    const space = spaceOn(FRAME_RULES['qwen3-vl'], size(1920, 1080));
    expect(toScreen(space, 1000, 1000)).toEqual({ x: 1919, y: 1079 });
    expect(toScreen(space, -3, 5)).toEqual({ x: 0, y: 5 });
    expect(toScreen(space, 1200, 5)).toBeUndefined();
    expect(toScreen(space, Number.NaN, 5)).toBeUndefined();
  });
});
