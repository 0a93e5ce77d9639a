// Cases of the metrics of places and colours: text on paper, a triangle, an object before a background.

import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import type { CaseMaker } from '../metric-case.ts';
import { anyForm, damaged, pictureFile } from './pictures-files.ts';
import { drawn, pick, type Raster, sizeOf } from './pictures-raster.ts';

/** Rectangles of text on paper. */
export const page: CaseMaker = random => {
  const [width, height] = sizeOf(random);
  const left = random.int(3) > 0 ? random.int(5) : random.int(width);
  const [paper, ink] = pick(random, [
    [255, 0],
    [240, 60],
    [200, 140],
    [90, 20],
  ]) as readonly [number, number];
  const raster = drawn(width, height, (x, y) => {
    const grey = x >= left && y % 8 > 3 && (x * 7 + y * 3) % 5 > 1 ? ink : paper;
    return [grey, grey, Math.min(255, grey + random.int(9)), 255];
  });
  const result = pictureFile(raster, anyForm(random));
  return { result: random.int(12) === 0 ? damaged(random, result) : result };
};

/** A triangle on a background; a third colour, the border, makes the triangle the second rarest or not. */
const triangle = (random: Random): Raster => {
  const [width, height] = sizeOf(random);
  const side = 8 + random.int(12);
  const isCentral = random.int(3) > 0;
  const left = isCentral ? Math.round((width - side) / 2) : random.int(width - side);
  const top = isCentral ? Math.round(height / 2 - (2 * side) / 3) : random.int(height - side);
  const border = random.int(4);
  return drawn(width, height, (x, y) => {
    const row = y - Math.max(0, top);
    if (row >= 0 && row < side && Math.abs(x - left - side / 2) * 2 <= row)
      return row === side - 1 && border > 0 ? [200, 0, 0, 255] : [250, 220, 20, 255];
    return border === 3 && x === 0 && y < 3 ? [0, 0, 255, 255] : [255, 255, 255, 255];
  });
};

export const trianglePicture = (random: Random): TaskFile =>
  pictureFile(
    triangle(random),
    pick(random, ['colour.png', 'alpha.png', 'fine.jpg', 'grey.png', 'palette.png']),
  );

/** A black object on a background, which the agent paints green, or not all of it. */
export const green: CaseMaker = random => {
  const side = 24 + random.int(30);
  const height = random.int(8) === 0 ? side + 1 + random.int(6) : side;
  const radius = 4 + random.int(8);
  const isObject = (x: number, y: number): boolean => (x - side / 2) ** 2 + (y - side / 2) ** 2 < radius ** 2;
  const white = drawn(side, height, (x, y) => (isObject(x, y) ? [0, 0, 0, 255] : [255, 255, 255, 255]));
  const [red, amount, blue] = pick(random, [
    [0, 255, 0],
    [30, 200, 60],
    [10, 120, 119],
    [0, 128, 128],
    [220, 230, 90],
  ]) as readonly [number, number, number];
  const missed = random.int(4) === 0 ? random.int(side * side) : -1;
  const painted = drawn(side, height, (x, y) => {
    if (isObject(x, y)) return [0, random.int(2), 0, 255];
    return y * side + x === missed ? [255, 255, 255, 255] : [red, amount, blue, 255];
  });
  const form = (): string => pick(random, ['colour.png', 'alpha.png', 'colour.png', 'fine.jpg', 'grey.png']);
  const result = pictureFile(painted, form());
  return {
    result: random.int(12) === 0 ? damaged(random, result) : result,
    expected: pictureFile(white, random.int(3) > 0 ? 'colour.png' : form()),
  };
};
