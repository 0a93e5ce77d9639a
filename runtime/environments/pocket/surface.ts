// The framebuffer, and the few strokes with which everything is drawn. A stroke never leaves the clip. Knows no widgets.

import type { Box } from '../../core/screen.ts';
import { bottom, box, intersection, right } from '../box.ts';
import { BOLD_GAP, GAP, GLYPH_HEIGHT, type Glyph, glyphOf } from './font.ts';

/** 0xRRGGBB */
export type Colour = number;

/** Up to here, runs of pixels are written one by one. */
const NARROW = 24;

export class Surface {
  readonly width: number;
  readonly height: number;
  /** Row by row, one inked pixel each. Signed, since numbers of 31 bits are what the engine is quick with. */
  readonly pixels: Int32Array<ArrayBuffer>;
  /** The same as the contract has them, four bytes each, where they lie: they change with the next stroke. */
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

  /** Draws inside a box only. */
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
      // Short runs are quicker by hand than through a call.
      if (end - left > NARROW) pixels.fill(inked, row + left, row + end);
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
      // Nearly every glyph lies within the clip as a whole, and is drawn without asking for each pixel.
      if (upright && left >= clip.x && next <= end) {
        this.#whole(glyph, left, y, inked);
        if (bold) this.#whole(glyph, left + 1, y, inked);
      } else if (next > clip.x) {
        this.#cut(glyph, left, y, inked);
        if (bold) this.#cut(glyph, left + 1, y, inked);
      }
      left = next;
    }
  }

  #whole({ dots }: Glyph, x: number, y: number, inked: number): void {
    const { pixels, width } = this;
    const start = y * width + x;
    for (let index = 0; index < dots.length; index++) {
      const dot = dots[index] ?? 0;
      pixels[start + (dot >> 3) * width + (dot & 7)] = inked;
    }
  }

  #cut({ dots }: Glyph, x: number, y: number, inked: number): void {
    for (const dot of dots) this.#point(x + (dot & 7), y + (dot >> 3), inked);
  }

  #point(x: number, y: number, inked: number): void {
    const clip = this.#clip;
    if (x < clip.x || y < clip.y || x >= right(clip) || y >= bottom(clip)) return;
    this.pixels[y * this.width + x] = inked;
  }

  /** A small picture: each character of a row is a pixel, ' ' is transparent, the others are looked up. */
  bitmap(rows: readonly string[], x: number, y: number, colours: Readonly<Record<string, Colour>>): void {
    for (let row = 0; row < rows.length; row++) {
      const line = rows[row] ?? '';
      for (let column = 0; column < line.length; column++) {
        const character = line.charAt(column);
        const colour = character === ' ' ? undefined : colours[character];
        if (colour !== undefined) this.#point(x + column, y + row, ink(colour));
      }
    }
  }

  /** Pixels of another surface of the same size, as far as the clip lets them through. */
  copy(from: Surface): void {
    const { x, width } = this.#clip;
    for (let y = this.#clip.y; y < bottom(this.#clip); y++) {
      const start = y * this.width + x;
      if (width > NARROW) this.pixels.set(from.pixels.subarray(start, start + width), start);
      else for (let at = start; at < start + width; at++) this.pixels[at] = from.pixels[at] ?? 0;
    }
  }
}

/** A colour as a pixel holds it: on little-endian machines its bytes are red, green, blue and full opacity. */
const ink = (colour: Colour): number =>
  0xff000000 | ((colour & 0xff) << 16) | (colour & 0xff00) | (colour >>> 16);
