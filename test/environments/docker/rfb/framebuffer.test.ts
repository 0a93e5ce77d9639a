import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Framebuffer } from '../../../../runtime/environments/docker/rfb/framebuffer.ts';
import { pixel } from './server.ts';

function fill(
  screen: Framebuffer,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: number,
): void {
  const bytes = Uint8Array.from(Array.from({ length: width }, () => pixel(colour)).flat());
  for (let row = y; row < y + height; row++) screen.row(x, row, width, bytes, 0);
}

const [WIDTH, HEIGHT] = [22, 14];

/** The reference: one colour per pixel, scaled completely each time. */
class Plain {
  #colours = new Array<number>(WIDTH * HEIGHT).fill(0);

  paint(x: number, y: number, width: number, height: number, colour: (x: number, y: number) => number): void {
    const before = [...this.#colours];
    for (let row = y; row < y + height; row++)
      for (let column = x; column < x + width; column++) before[row * WIDTH + column] = colour(column, row);
    this.#colours = before;
  }

  at(x: number, y: number): number {
    return this.#colours[y * WIDTH + x] ?? 0;
  }

  scaled(scale: number): number[] {
    const bytes: number[] = [];
    const [count, offsets] = [scale * scale, Array.from({ length: scale }, (_, index) => index)];
    for (let y = 0; y + scale <= HEIGHT; y += scale)
      for (let x = 0; x + scale <= WIDTH; x += scale) {
        const square = offsets.flatMap(down => offsets.map(across => this.at(x + across, y + down)));
        for (const shift of [16, 8, 0]) {
          const sum = square.reduce((total, each) => total + ((each >> shift) & 255), 0);
          bytes.push(Math.floor((sum + (count >> 1)) / count));
        }
        bytes.push(255);
      }
    return bytes;
  }
}

const span = (whole: number) =>
  fc
    .tuple(fc.nat(whole - 1), fc.nat(whole - 1))
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.abs(a - b) + 1])
    .filter(([at, length]) => at + length <= whole);

const stroke = fc.record({
  kind: fc.constantFrom('row', 'fill', 'copy', 'look'),
  across: span(WIDTH),
  down: span(HEIGHT),
  from: fc.tuple(fc.nat(WIDTH), fc.nat(HEIGHT)),
  colour: fc.nat(0xffffff),
});

test.each([1, 2, 3, 6])(
  'at scale %i each pixel is the mean of a square, as if the whole screen were scaled',
  scale => {
    fc.assert(
      fc.property(fc.array(stroke, { maxLength: 12 }), strokes => {
        const screen = new Framebuffer({ width: WIDTH, height: HEIGHT }, scale);
        const plain = new Plain();
        for (const { kind, across, down, from, colour } of strokes) {
          const [[x, width], [y, height]] = [across, down];
          if (kind === 'row') {
            const bytes = Array.from({ length: width }, (_, index) => pixel(colour ^ index)).flat();
            screen.row(x, y, width, Uint8Array.from([9, ...bytes]), 1);
            plain.paint(x, y, width, 1, column => colour ^ (column - x));
          } else if (kind === 'fill') {
            fill(screen, x, y, width, height, colour);
            plain.paint(x, y, width, height, () => colour);
          } else if (kind === 'copy') {
            const [left, top] = [Math.min(from[0], WIDTH - width), Math.min(from[1], HEIGHT - height)];
            screen.copy({ x, y, width, height }, { x: left, y: top });
            plain.paint(x, y, width, height, (column, row) => plain.at(column - x + left, row - y + top));
          } else screen.frame();
        }
        expect([...screen.frame().data]).toEqual(plain.scaled(scale));
      }),
      { numRuns: 300 },
    );
  },
);

test('a returned frame is immutable', () => {
  const screen = new Framebuffer({ width: 4, height: 4 }, 2);
  const black = screen.frame();
  fill(screen, 0, 0, 4, 4, 0xffffff);
  expect([...black.data.subarray(0, 4)]).toEqual([0, 0, 0, 255]);
  expect([...screen.frame().data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
});

test('without changed pixels the frame is the same object and no change counts', () => {
  const screen = new Framebuffer({ width: 4, height: 4 }, 2);
  fill(screen, 0, 0, 4, 4, 0x808080);
  const frame = screen.frame();
  const { changes } = screen;
  fill(screen, 1, 1, 2, 2, 0x808080);
  screen.row(0, 0, 1, Uint8Array.from(pixel(0x808080)), 0);
  expect(screen.changes).toBe(changes);
  expect(screen.frame()).toBe(frame);
  screen.row(0, 0, 1, Uint8Array.from(pixel(0x808081)), 0);
  expect(screen.changes).toBeGreaterThan(changes);
  expect(screen.frame()).not.toBe(frame);
});

test('a screen of an odd size loses its last row and column', () => {
  const screen = new Framebuffer({ width: 5, height: 3 }, 2);
  fill(screen, 0, 0, 5, 3, 0xffffff);
  expect(screen.frame()).toMatchObject({ width: 2, height: 1, layout: 'rgba' });
  expect([...screen.frame().data]).toEqual(Array(8).fill(255));
});

test('pixels off the screen are an error', () => {
  const screen = new Framebuffer({ width: 4, height: 4 }, 2);
  expect(() => fill(screen, 3, 0, 2, 1, 0)).toThrow(/2x1.*\(3, 0\).*4x4/);
});
