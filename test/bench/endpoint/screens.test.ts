// The screens of the benchmark: every kind of change changes a part of the screen, and two desktops of one seed are equal.

import { expect, test } from 'vitest';
import { BusyDesktop, CYCLE, FULL_HD, photograph } from '../../../runtime/bench/endpoint/screens.ts';
import { seeded } from '../../../runtime/core/rng.ts';

const { width, height } = FULL_HD;

/** The share of pixels that differ. */
function difference(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [one, other].map(each => new Int32Array(each.buffer, each.byteOffset, width * height));
  return (a ?? new Int32Array()).filter((pixel, at) => pixel !== b?.[at]).length / (width * height);
}

test('each step of two cycles changes the screen, but never all of it', () => {
  const wallpaper = photograph(FULL_HD, seeded('wallpaper'));
  const desktop = new BusyDesktop(seeded('desktop'), wallpaper);
  const twin = new BusyDesktop(seeded('desktop'), wallpaper);
  for (const expected of [...CYCLE, ...CYCLE]) {
    const before = desktop.pixels.data.slice();
    expect(desktop.change()).toBe(expected);
    const changed = difference(before, desktop.pixels.data);
    expect(changed, expected).toBeGreaterThan(0);
    expect(changed, expected).toBeLessThan(0.9);
    twin.change();
  }
  expect(Buffer.compare(desktop.pixels.data, twin.pixels.data)).toBe(0);
});

test('inverting changes every pixel', () => {
  const desktop = new BusyDesktop(seeded('desktop'));
  const before = desktop.pixels.data.slice();
  desktop.invert();
  expect(difference(before, desktop.pixels.data)).toBe(1);
});
