import { describe, expect, test } from 'vitest';
import { pictureFile } from '../../../../runtime/bench/osworld/cases/pictures-files.ts';
import {
  blurred,
  contrasted,
  drawn,
  flipped,
  framed,
  photo,
  saturated,
  scaled,
  sizedTo,
} from '../../../../runtime/bench/osworld/cases/pictures-raster.ts';
import { seeded } from '../../../../runtime/core/rng.ts';
import { MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { PICTURE_METRICS } from '../../../../runtime/tasks/metrics/pictures/pictures.ts';

const raster = photo(seeded('pictures'), [40, 40]);
const original = pictureFile(raster, 'colour.png');
const other = pictureFile(photo(seeded('other'), [40, 40]), 'colour.png');
const saved = (changed: typeof raster, form = 'colour.png') => pictureFile(changed, form);

const PAIRS = Object.entries(PICTURE_METRICS).filter(
  ([name]) => !['check_image_size', 'check_image_file_size'].includes(name),
);

test.each(PAIRS)('%s scores 0 for a missing or damaged result', async (_, metric) => {
  for (const result of [null, { name: 'a.png', bytes: original.bytes.slice(0, 100) }])
    expect(await metric(result, original, {})).toBe(0);
});

test('an unreadable expected picture is an error of the task', async () => {
  const broken = { name: 'gold.png', bytes: new Uint8Array(3) };
  await expect(PICTURE_METRICS.check_structure_sim(original, broken, {})).rejects.toThrow(MetricError);
});

describe('compare_images', () => {
  test('is 1 for the same picture in another format or size, and less for another picture', async () => {
    expect(await PICTURE_METRICS.compare_images(saved(raster, 'alpha.png'), original, {})).toBe(1);
    const larger = await PICTURE_METRICS.compare_images(saved(sizedTo(raster, 80, 80)), original, {});
    const different = await PICTURE_METRICS.compare_images(other, original, {});
    expect(larger).toBeGreaterThan(different + 0.2);
  });

  test('counts the progress beyond a base', async () => {
    const options = { reference_base_result: 0.5 };
    expect(await PICTURE_METRICS.compare_images(original, original, options)).toBe(1);
    expect(await PICTURE_METRICS.compare_images(other, original, options)).toBe(0);
  });
});

test('compare_image_list needs equal pixels in each pair', async () => {
  const { compare_image_list: metric } = PICTURE_METRICS;
  expect(await metric([original, other], [original, other])).toBe(1);
  expect(await metric([original, original], [original, other])).toBe(0);
  expect(await metric(original, original)).toBe(1);
});

test.each([
  ['check_image_mirror', flipped(raster), raster],
  ['check_brightness_decrease_and_structure_sim', scaled(raster, 0.6), scaled(raster, 0.8)],
  ['check_contrast_increase_and_structure_sim', contrasted(raster, 1.2), raster],
  ['check_saturation_increase_and_structure_sim', saturated(raster, 1.05), raster],
  ['check_sharper', raster, blurred(raster)],
  ['increase_saturation', saturated(raster, 0.5), raster],
  ['decrease_brightness', raster, scaled(raster, 0.6)],
] as const)('%s holds for a change and not for its opposite', async (name, first, second) => {
  const metric = PICTURE_METRICS[name];
  expect(await metric(saved(first), saved(second), {})).toBe(1);
  expect(await metric(saved(raster), saved(raster), {})).toBe(0);
});

test('check_sharper fills a truncated JPEG file, as OpenCV does', async () => {
  const { bytes } = saved(raster, 'fine.jpg');
  const truncated = { name: 'a.jpg', bytes: bytes.slice(0, bytes.length * 0.9) };
  expect(await PICTURE_METRICS.check_sharper(truncated, saved(blurred(raster)))).toBe(1);
  expect(await PICTURE_METRICS.check_structure_sim(truncated, original, {})).toBe(0);
});

test('check_palette_and_structure_sim needs a palette', async () => {
  const metric = PICTURE_METRICS.check_palette_and_structure_sim;
  const palette = saved(raster, 'palette.png');
  expect(await metric(palette, palette, {})).toBe(1);
  expect(await metric(original, original, {})).toBe(0);
});

test('a transparent frame does not count for check_structure_sim_resized and for check_image_size', async () => {
  const surrounded = saved(framed(raster, 6), 'alpha.png');
  expect(await PICTURE_METRICS.check_structure_sim_resized(surrounded, original, {})).toBe(1);
  const { check_image_size: size } = PICTURE_METRICS;
  expect(await size(surrounded, { width: 40, height: 40, ignore_transparent: true })).toBe(1);
  expect(await size(surrounded, { width: 40 })).toBe(0);
  expect(await size(surrounded, { width: 52, height: null })).toBe(1);
});

test('check_image_file_size counts bytes', () => {
  const { check_image_file_size: metric } = PICTURE_METRICS;
  expect(metric(original, { max_size: original.bytes.length + 1 })).toBe(1);
  expect(metric(original, { max_size: original.bytes.length })).toBe(0);
  expect(() => metric(original, {})).toThrow(MetricError);
});

describe('places', () => {
  const disc = (inside: number[], outside: number[]) =>
    saved(drawn(30, 30, (x, y) => ((x - 15) ** 2 + (y - 15) ** 2 < 40 ? inside : outside) as never));

  test('check_green_background looks only at the background', async () => {
    const metric = PICTURE_METRICS.check_green_background;
    const white = disc([0, 0, 0, 255], [255, 255, 255, 255]);
    expect(await metric(disc([9, 9, 99, 255], [0, 200, 0, 255]), white, {})).toBe(1);
    expect(await metric(disc([9, 9, 99, 255], [0, 200, 200, 255]), white, {})).toBe(0);
  });

  test('check_textbox_on_leftside allows 5 percent of the width', async () => {
    const metric = PICTURE_METRICS.check_textbox_on_leftside;
    const textAt = (left: number) =>
      saved(drawn(60, 20, x => (x === left ? [0, 0, 0, 255] : [255, 255, 255, 255])));
    expect(await metric(textAt(2))).toBe(1);
    expect(await metric(textAt(3))).toBe(0);
  });

  test('check_triangle_position looks at the second rarest colour', async () => {
    const metric = PICTURE_METRICS.check_triangle_position;
    const squareAt = (left: number) =>
      saved(
        drawn(40, 40, (x, y) => {
          if (x === 0 && y === 0) return [255, 0, 0, 255];
          return x >= left && x < left + 11 && y >= 15 && y < 26 ? [255, 255, 0, 255] : [0, 0, 0, 255];
        }),
      );
    expect(await metric(squareAt(15))).toBe(1);
    expect(await metric(squareAt(25))).toBe(0);
  });
});
