// Random pictures for cases, and the changes that programs and agents make to them.

import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/rng.ts';

/** RGBA samples, row by row. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

export type RasterColour = readonly [red: number, green: number, blue: number, alpha: number];

export const pick = <T>(random: Random, items: readonly T[]): T => at(items, random.int(items.length));

const between = (random: Random, low: number, high: number): number => low + random.int(high - low + 1);

const byte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));

function put(rgba: Uint8Array, place: number, [red, green, blue, alpha]: RasterColour): void {
  rgba[place] = byte(red);
  rgba[place + 1] = byte(green);
  rgba[place + 2] = byte(blue);
  rgba[place + 3] = byte(alpha);
}

export function drawn(width: number, height: number, colour: (x: number, y: number) => RasterColour): Raster {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) put(rgba, (y * width + x) * 4, colour(x, y));
  return { width, height, rgba };
}

export function colourAt({ width, height, rgba }: Raster, x: number, y: number): RasterColour {
  const column = Math.min(width - 1, Math.max(0, x));
  const row = Math.min(height - 1, Math.max(0, y));
  const place = (row * width + column) * 4;
  return [at(rgba, place), at(rgba, place + 1), at(rgba, place + 2), at(rgba, place + 3)];
}

export const sizeOf = (random: Random): readonly [width: number, height: number] => {
  const width = between(random, 24, 64);
  return [width, random.int(3) === 0 ? width : between(random, 24, 64)];
};

/** A gradient, a few discs and bars, and a little noise: like a photo. */
export function photo(random: Random, [width, height]: readonly [number, number] = sizeOf(random)): Raster {
  const [from, to] = [0, 1].map(() => [random.int(200), random.int(200), random.int(200)]);
  const discs = Array.from({ length: 4 }, () => ({
    x: random.int(width),
    y: random.int(height),
    radius: between(random, 3, 14),
    colour: [random.int(256), random.int(256), random.int(256)],
    isBar: random.int(3) === 0,
  }));
  const noise = random.int(14);
  return drawn(width, height, (x, y) => {
    const share = (x / width + y / height) / 2;
    const disc = discs.find(each =>
      each.isBar
        ? Math.abs(each.x - x) < 3
        : (each.x - x) ** 2 + (each.y - y) ** 2 < each.radius * each.radius,
    );
    const channel = (index: number): number =>
      disc ? at(disc.colour, index) : at(from ?? [], index) * (1 - share) + at(to ?? [], index) * share;
    return [0, 1, 2]
      .map(index => channel(index) + random.int(noise + 1))
      .concat(255) as unknown as RasterColour;
  });
}

export const mapped = (
  raster: Raster,
  change: (colour: RasterColour, x: number, y: number) => RasterColour,
): Raster => drawn(raster.width, raster.height, (x, y) => change(colourAt(raster, x, y), x, y));

const eachChannel =
  (change: (value: number) => number) =>
  ([red, green, blue, alpha]: RasterColour): RasterColour => [
    change(red),
    change(green),
    change(blue),
    alpha,
  ];

export const scaled = (raster: Raster, factor: number): Raster =>
  mapped(
    raster,
    eachChannel(value => value * factor),
  );

export const contrasted = (raster: Raster, factor: number): Raster =>
  mapped(
    raster,
    eachChannel(value => 128 + (value - 128) * factor),
  );

export const inverted = (raster: Raster): Raster =>
  mapped(
    raster,
    eachChannel(value => 255 - value),
  );

export const saturated = (raster: Raster, factor: number): Raster =>
  mapped(raster, ([red, green, blue, alpha]) => {
    const most = Math.max(red, green, blue);
    const moved = (value: number): number => most - (most - value) * factor;
    return [moved(red), moved(green), moved(blue), alpha];
  });

export const noisy = (random: Random, raster: Raster, amount: number): Raster =>
  mapped(raster, ([red, green, blue, alpha]) => [
    red + random.int(2 * amount + 1) - amount,
    green + random.int(2 * amount + 1) - amount,
    blue + random.int(2 * amount + 1) - amount,
    alpha,
  ]);

export const flipped = (raster: Raster): Raster =>
  drawn(raster.width, raster.height, (x, y) => colourAt(raster, raster.width - 1 - x, y));

export const upsideDown = (raster: Raster): Raster =>
  drawn(raster.width, raster.height, (x, y) => colourAt(raster, x, raster.height - 1 - y));

export const shifted = (raster: Raster, right: number, down: number): Raster =>
  drawn(raster.width, raster.height, (x, y) => colourAt(raster, x - right, y - down));

export const sizedTo = (raster: Raster, width: number, height: number): Raster =>
  drawn(width, height, (x, y) =>
    colourAt(
      raster,
      Math.floor(((x + 0.5) * raster.width) / width),
      Math.floor(((y + 0.5) * raster.height) / height),
    ),
  );

/** Each pixel becomes the mean of its neighbourhood. */
export const blurred = (raster: Raster): Raster =>
  drawn(raster.width, raster.height, (x, y) => {
    const sum = [0, 0, 0, 0];
    for (const dy of [-1, 0, 1])
      for (const dx of [-1, 0, 1])
        colourAt(raster, x + dx, y + dy).forEach((value, index) => {
          sum[index] = at(sum, index) + value / 9;
        });
    return sum as unknown as RasterColour;
  });

/** A transparent frame around the picture; its colours remain below. */
export const framed = (raster: Raster, margin: number): Raster =>
  drawn(raster.width + 2 * margin, raster.height + margin, (x, y) => {
    const isInside = x >= margin && x < raster.width + margin && y >= margin && y < raster.height + margin;
    const [red, green, blue, alpha] = colourAt(raster, x - margin, y - margin);
    return [red, green, blue, isInside ? alpha : 0];
  });
