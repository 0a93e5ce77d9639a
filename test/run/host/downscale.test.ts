import { expect, test } from 'vitest';
import { downscale } from '../../../runtime/run/host/downscale.ts';

test('each pixel is the mean of its square in both layouts', () => {
  const pixels = {
    ...{ layout: 'rgba' as const, width: 4, height: 2 },
    data: Uint8Array.of(
      ...[0, 0, 0, 255, 100, 0, 8, 255, 10, 20, 30, 255, 10, 20, 30, 255],
      ...[100, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30, 255, 10, 20, 30, 255],
    ),
  };
  expect(downscale(pixels, 2)).toEqual({
    ...{ layout: 'rgb', width: 2, height: 1 },
    data: Uint8Array.of(50, 0, 2, 10, 20, 30),
  });
});

test('a small picture is returned unchanged', () => {
  const pixels = { layout: 'rgb' as const, width: 2, height: 1, data: new Uint8Array(6) };
  expect(downscale(pixels, 2)).toBe(pixels);
});

test('the remainder of an integer factor is cut off', () => {
  const data = new Uint8Array(3 * 5 * 3).fill(9);
  expect(downscale({ layout: 'rgb', width: 5, height: 3, data }, 2)).toMatchObject({ width: 1, height: 1 });
});
