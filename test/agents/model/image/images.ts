// Images for tests: arbitrary ones, and a decoder that shares no code with the encoder.

import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import type { Pixels, Size } from '../../../../runtime/core/screen.ts';

/** Small values make equal neighbours, and so equal rows, likely. */
const byte = fc.oneof(fc.constantFrom(0, 255, 40), fc.nat(255));

export const pixelsOf = ({ width, height }: Size): fc.Arbitrary<Pixels> =>
  fc.constantFrom('rgb' as const, 'rgba' as const).chain(layout => {
    const channels = layout === 'rgb' ? 3 : 4;
    const row = fc.uint8Array({ minLength: width * channels, maxLength: width * channels });
    const rows = fc.tuple(fc.array(row, { minLength: 1, maxLength: 4 }), fc.array(byte, { maxLength: 4 }));
    return fc
      .tuple(rows, fc.array(fc.nat(7), { minLength: height, maxLength: height }))
      .map(([[drawn, plain], order]) => {
        const data = new Uint8Array(width * height * channels);
        const all = [...drawn, ...plain.map(value => new Uint8Array(width * channels).fill(value))];
        for (const [index, which] of order.entries())
          data.set(all[which % all.length] ?? [], index * width * channels);
        return { width, height, layout, data };
      });
  });

export const sizeUpTo = (width: number, height: number): fc.Arbitrary<Size> =>
  fc.record({ width: fc.integer({ min: 1, max: width }), height: fc.integer({ min: 1, max: height }) });

/** The colours alone, three bytes per pixel. */
export const coloursOf = ({ layout, data }: Pixels): Uint8Array =>
  layout === 'rgb' ? data.slice() : data.filter((_, index) => index % 4 < 3);

/** Inflates and unfilters a PNG with eight bits per channel, three channels and no interlacing. */
export function decode(png: Uint8Array): Size & { readonly data: Uint8Array } {
  const file = Buffer.from(png);
  let at = 8;
  let size: Size = { width: 0, height: 0 };
  const packed: Buffer[] = [];
  while (at < file.length) {
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') size = { width: content.readUInt32BE(0), height: content.readUInt32BE(4) };
    if (name === 'IDAT') packed.push(content);
    at += 12 + length;
  }
  // inflate checks the checksum at the end of the stream.
  const rows = inflateSync(Buffer.concat(packed));
  const stride = 3 * size.width;
  const data = new Uint8Array(stride * size.height);
  for (let row = 0; row < size.height; row++) {
    const filter = rows[row * (stride + 1)];
    for (let column = 0; column < stride; column++) {
      const index = row * stride + column;
      const left = column < 3 ? 0 : data[index - 3];
      const above = row === 0 ? 0 : data[index - stride];
      const predicted = [0, left, above][filter ?? 3];
      if (predicted === undefined) throw new RangeError(`Filter ${filter} is not expected.`);
      data[index] = (rows[row * (stride + 1) + 1 + column] ?? 0) + predicted;
    }
  }
  return { ...size, data };
}

/** The algorithm of Pillow for one axis of one channel, without shortcuts. */
function resizeLine(line: readonly number[], length: number): number[] {
  const scale = line.length / length;
  const filterScale = Math.max(scale, 1);
  return Array.from({ length }, (_, index) => {
    const centre = (index + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - 2 * filterScale + 0.5));
    const end = Math.min(line.length, Math.trunc(centre + 2 * filterScale + 0.5));
    const weights = line.slice(first, end).map((_, tap) => cubic((first + tap - centre + 0.5) / filterScale));
    const total = weights.reduce((sum, each) => sum + each, 0);
    const fixed = weights.map(each => Math.trunc((each / total) * 2 ** 22 + (each < 0 ? -0.5 : 0.5)));
    const sum = fixed.reduce((all, weight, tap) => all + weight * (line[first + tap] ?? 0), 2 ** 21);
    return Math.min(255, Math.max(0, Math.floor(sum / 2 ** 22)));
  });
}

function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return 1.5 * x ** 3 - 2.5 * x ** 2 + 1;
  return x < 2 ? -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2 : 0;
}

/** The whole image in another size, three bytes per pixel. */
export function resizedByPillow(pixels: Pixels, { width, height }: Size): Uint8Array {
  const colours = coloursOf(pixels);
  const result = new Uint8Array(3 * width * height);
  for (let channel = 0; channel < 3; channel++) {
    const wide = Array.from({ length: pixels.height }, (_, row) =>
      resizeLine(
        Array.from(
          { length: pixels.width },
          (_, column) => colours[3 * (row * pixels.width + column) + channel] ?? 0,
        ),
        width,
      ),
    );
    for (let column = 0; column < width; column++)
      for (const [row, value] of resizeLine(
        wide.map(each => each[column] ?? 0),
        height,
      ).entries())
        result[3 * (row * width + column) + channel] = value;
  }
  return result;
}
