// The screens of the check have one target, wholly visible, and the same one in the picture and in the list.

import { expect, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { contains } from '../../runtime/core/screen.ts';
import { listScreens, pictureScreens, SIDES } from '../../runtime/endpoint-check/screens.ts';

const screens = pictureScreens(seeded('screens'));

test('a picture has the target and nothing over it', () => {
  for (const { size, target, side, draw } of screens) {
    const { pixels, elements = [] } = draw();
    expect(pixels).toMatchObject(size);
    expect(elements.filter(({ name }) => name === 'Red square').map(({ box }) => box)).toEqual([target]);
    expect(target).toMatchObject({ width: side, height: side });
    let inside = 0;
    for (let y = 0; y < size.height; y++)
      for (let x = 0; x < size.width; x++) {
        const at = 3 * (y * size.width + x);
        const isRed = pixels.data[at] === 220 && pixels.data[at + 1] === 38;
        if (!isRed) continue;
        if (!contains(target, { x, y }))
          throw new Error(`A red pixel at (${x}, ${y}) is outside the target.`);
        inside += 1;
      }
    expect(inside).toBe(target.width * target.height);
  }
});

test('each size of screen has each side of target twice', () => {
  const groups = [...new Set(screens.map(({ group }) => group))];
  expect(groups).toEqual(['640 × 480', '1280 × 720', '1920 × 1080', '2560 × 1440']);
  for (const group of groups) {
    const sides = screens.filter(each => each.group === group).map(({ side }) => side);
    expect(sides.sort()).toEqual([...SIDES, ...SIDES].sort());
  }
});

test('a list has one target among distinct names', () => {
  for (const { group, target, draw } of listScreens(seeded('lists'))) {
    const { elements = [] } = draw();
    expect(`${elements.length} elements`).toBe(group);
    expect(new Set(elements.map(({ name }) => name)).size).toBe(elements.length);
    expect(elements.find(({ name }) => name === 'Red square')?.box).toEqual(target);
  }
});
