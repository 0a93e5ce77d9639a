// The framebuffer and its drawing operations, which are confined to the clip.

import type { Box } from '../../core/screen.ts';
import { bottom, box, intersection, right } from '../box.ts';
import { BOLD_GAP, GAP, GLYPH_HEIGHT, type Glyph, glyphOf } from './font.ts';

/** 0xRRGGBB */
export type Colour = number;

/** Longer runs of pixels use TypedArray calls; for shorter ones a loop is faster. */
const MAX_LOOP_PIXELS = 24;

export class Surface {
  readonly width: number;
  readonly height: number;
  /** Row by row. Signed, since V8 is fastest with small integers. */
  readonly pixels: Int32Array<ArrayBuffer>;
  /** The same memory as RGBA bytes. */
  readonly bytes: Uint8Array;
  #clip: Box;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Int32Array(width * height);
    this.bytes = new Uint8Array(this.pixels.buffer);
    this.#clip = box(0, 0, width, height);
  }

  get clip(): Box {
    return this.#clip;
  }

  /** Draws with a smaller clip. */
  within(limits: Box, draw: () => void): void {
    const outer = this.#clip;
    this.#clip = intersection(outer, limits);
    if (this.#clip.width > 0 && this.#clip.height > 0) draw();
    this.#clip = outer;
  }

  fill(area: Box, colour: Colour): void {
    const clip = this.#clip;
    const [left, top] = [Math.max(area.x, clip.x), Math.max(area.y, clip.y)];
    const [end, low] = [Math.min(right(area), right(clip)), Math.min(bottom(area), bottom(clip))];
    if (end <= left) return;
    const { pixels, width } = this;
    const inked = ink(colour);
    for (let y = top; y < low; y++) {
      const row = y * width;
      if (end - left > MAX_LOOP_PIXELS) pixels.fill(inked, row + left, row + end);
      else for (let at = row + left; at < row + end; at++) pixels[at] = inked;
    }
  }

  /** The outline of a box, one pixel wide. */
  frame(area: Box, colour: Colour): void {
    this.fill(box(area.x, area.y, area.width, 1), colour);
    this.fill(box(area.x, bottom(area) - 1, area.width, 1), colour);
    this.fill(box(area.x, area.y, 1, area.height), colour);
    this.fill(box(right(area) - 1, area.y, 1, area.height), colour);
  }

  /** One line of text; (x, y) is the top left of its capitals. */
  text(text: string, x: number, y: number, colour: Colour, bold = false): void {
    const clip = this.#clip;
    const [end, low] = [right(clip), bottom(clip)];
    if (y >= low || y + GLYPH_HEIGHT <= clip.y) return;
    const inked = ink(colour);
    const gap = bold ? BOLD_GAP : GAP;
    const upright = y >= clip.y && y + GLYPH_HEIGHT <= low;
    let left = x;
    for (let index = 0; index < text.length && left < end; index++) {
      const glyph = glyphOf(text, index);
      const next = left + glyph.width + gap;
      // Most glyphs lie entirely inside the clip and need no check per pixel.
      if (upright && left >= clip.x && next <= end) {
        this.#drawGlyph(glyph, left, y, inked);
        if (bold) this.#drawGlyph(glyph, left + 1, y, inked);
      } else if (next > clip.x) {
        this.#drawClippedGlyph(glyph, left, y, inked);
        if (bold) this.#drawClippedGlyph(glyph, left + 1, y, inked);
      }
      left = next;
    }
  }

  #drawGlyph({ dots }: Glyph, x: number, y: number, inked: number): void {
    const { pixels, width } = this;
    const start = y * width + x;
    for (const dot of dots) pixels[start + (dot >> 3) * width + (dot & 7)] = inked;
  }

  #drawClippedGlyph({ dots }: Glyph, x: number, y: number, inked: number): void {
    for (const dot of dots) this.#point(x + (dot & 7), y + (dot >> 3), inked);
  }

  #point(x: number, y: number, inked: number): void {
    const clip = this.#clip;
    if (x < clip.x || y < clip.y || x >= right(clip) || y >= bottom(clip)) return;
    this.pixels[y * this.width + x] = inked;
  }

  /** A picture: each character is a pixel, ' ' is transparent, others are keys of `colours`. */
  bitmap(rows: readonly string[], x: number, y: number, colours: Readonly<Record<string, Colour>>): void {
    for (const [row, line] of rows.entries()) {
      for (let column = 0; column < line.length; column++) {
        const character = line.charAt(column);
        const colour = character === ' ' ? undefined : colours[character];
        if (colour !== undefined) this.#point(x + column, y + row, ink(colour));
      }
    }
  }

  /** Copies the pixels inside the clip from another surface of the same size. */
  copy(from: Surface): void {
    const { x, width } = this.#clip;
    for (let y = this.#clip.y; y < bottom(this.#clip); y++) {
      const start = y * this.width + x;
      if (width > MAX_LOOP_PIXELS) this.pixels.set(from.pixels.subarray(start, start + width), start);
      else for (let at = start; at < start + width; at++) this.pixels[at] = from.pixels[at] ?? 0;
    }
  }
}

/** The pixel value of a colour: on little-endian machines the bytes red, green, blue and 255. */
const ink = (colour: Colour): number =>
  0xff000000 | ((colour & 0xff) << 16) | (colour & 0xff00) | (colour >>> 16);
