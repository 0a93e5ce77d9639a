// The framebuffer, and the few strokes with which everything is drawn. A stroke never leaves the clip. Knows no widgets.

import type { Box } from '../../contracts/screen.ts';
import { bottom, box, overlap, right } from './box.ts';
import { BOLD_GAP, GAP, GLYPH_HEIGHT, glyphOf } from './font.ts';

/** 0xRRGGBB */
export type Colour = number;

/** Up to here, runs of pixels are written one by one. */
const NARROW = 24;

export class Surface {
  readonly width: number;
  readonly height: number;
  /** Row by row, one inked pixel each. */
  readonly pixels: Uint32Array<ArrayBuffer>;
  #clip: Box;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint32Array(width * height);
    this.#clip = box(0, 0, width, height);
  }

  get clip(): Box {
    return this.#clip;
  }

  /** Draws inside a box only. */
  within(limits: Box, draw: () => void): void {
    const outer = this.#clip;
    this.#clip = overlap(outer, limits);
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
    if (y >= bottom(clip) || y + GLYPH_HEIGHT <= clip.y) return;
    const inked = ink(colour);
    let left = x;
    for (let index = 0; index < text.length; index++) {
      const { width, rows } = glyphOf(text.charAt(index));
      const advance = width + (bold ? BOLD_GAP : GAP);
      if (left + advance > clip.x && left < right(clip)) this.#glyph(rows, width, left, y, inked, bold);
      left += advance;
    }
  }

  #glyph(rows: Uint8Array, width: number, x: number, y: number, inked: number, bold: boolean): void {
    const { pixels, width: stride } = this;
    const clip = this.#clip;
    const [end, low] = [right(clip), bottom(clip)];
    for (let row = 0; row < GLYPH_HEIGHT; row++) {
      const [bits, line] = [rows[row] ?? 0, y + row];
      if (bits === 0 || line < clip.y || line >= low) continue;
      for (let column = 0; column < width; column++) {
        if ((bits & (0x80 >> column)) === 0) continue;
        const at = x + column;
        if (at >= clip.x && at < end) pixels[line * stride + at] = inked;
        if (bold && at + 1 >= clip.x && at + 1 < end) pixels[line * stride + at + 1] = inked;
      }
    }
  }

  /** A small picture: each character of a row is a pixel, ' ' is transparent, the others are looked up. */
  bitmap(rows: readonly string[], x: number, y: number, colours: Readonly<Record<string, Colour>>): void {
    const clip = this.#clip;
    for (const [row, line] of rows.entries()) {
      const top = y + row;
      if (top < clip.y || top >= bottom(clip)) continue;
      for (let column = 0; column < line.length; column++) {
        const colour = colours[line[column] ?? ' '];
        const left = x + column;
        if (colour !== undefined && left >= clip.x && left < right(clip))
          this.pixels[top * this.width + left] = ink(colour);
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

  /** A copy as the contract has pixels: four bytes each. */
  rgba(): Uint8Array {
    return new Uint8Array(this.pixels.buffer.slice(0));
  }
}

/** A colour as a pixel holds it: on little-endian machines its bytes are red, green, blue and full opacity. */
const ink = (colour: Colour): number =>
  (0xff000000 | ((colour & 0xff) << 16) | (colour & 0xff00) | (colour >>> 16)) >>> 0;
