// Screens of a full-size desktop that change as real ones do from step to step: a line of text is typed, a button is pressed, a menu or a
// dialog opens, a view scrolls, a window comes to the front. The wallpaper is a photograph: its pixels differ from their neighbours.

import type { Random } from '../../core/rng.ts';
import type { Box, Pixels, Size } from '../../core/screen.ts';
import { box } from '../../environments/box.ts';
import { LINE_HEIGHT } from '../../environments/pocket/font.ts';
import { Surface } from '../../environments/pocket/surface.ts';
import { THEMES } from '../../environments/pocket/theme.ts';

export const FULL_HD: Size = { width: 1920, height: 1080 };

const THEME = THEMES.light;
const PANEL_HEIGHT = 32;
const TITLE_HEIGHT = 28;
/** Lines and words of a text view. */
const LINE_SPACING = LINE_HEIGHT + 6;
const WORDS = [
  'report',
  'of',
  'the',
  'budget',
  'total',
  'March',
  'meeting',
  'notes',
  'draft',
  '1,024',
  'and',
  'is',
];

export type ScreenChange = 'type' | 'press' | 'menu' | 'dialog' | 'scroll' | 'switch';
/** The order of changes, again and again. A menu and a dialog also change the screen when they close, one step later. */
export const CYCLE: readonly ScreenChange[] = [
  ...(['type', 'press', 'menu', 'press', 'type'] as const),
  ...(['scroll', 'type', 'dialog', 'press', 'switch'] as const),
];

interface TextWindow {
  readonly area: Box;
  readonly title: string;
  lines: string[];
  /** The index of the first visible line. */
  top: number;
}

/** Desktops may share one: nobody writes into it. */
export interface Wallpaper extends Size {
  readonly pixels: Int32Array;
}

export class BusyDesktop {
  readonly #random: Random;
  readonly #surface: Surface;
  readonly #wallpaper: Wallpaper;
  /** From back to front. */
  #windows: readonly TextWindow[];
  #popup: Box | undefined;
  #pressed = -1;
  #steps = 0;

  constructor(random: Random, wallpaper: Wallpaper = photograph(FULL_HD, random.fork('wallpaper'))) {
    const { width, height } = wallpaper;
    this.#random = random;
    this.#surface = new Surface(width, height);
    this.#wallpaper = wallpaper;
    this.#windows = [
      this.#window('Files', box(40, 60, width * 0.5, height * 0.7)),
      this.#window('Mail', box(width * 0.2, 120, width * 0.6, height * 0.75)),
      this.#window('Report', box(width * 0.12, 44, width * 0.8, height * 0.88)),
    ];
    this.#draw(box(0, 0, width, height));
  }

  /** The pixels themselves: valid until the next change. */
  get pixels(): Pixels {
    const { width, height, bytes } = this.#surface;
    return { width, height, layout: 'rgba', data: bytes };
  }

  /** Changes the screen as one action would, and returns the kind of the change. */
  change(): ScreenChange {
    if (this.#popup !== undefined) {
      // A menu or a dialog closes with the next action.
      const closed = this.#popup;
      this.#popup = undefined;
      this.#draw(closed);
    }
    const kind = CYCLE[this.#steps++ % CYCLE.length] ?? 'type';
    this.#draw(this.#changed(kind));
    return kind;
  }

  /** Changes every pixel, as a change of the theme may do. */
  invert(): void {
    const { pixels } = this.#surface;
    for (let at = 0; at < pixels.length; at++) pixels[at] = (pixels[at] ?? 0) ^ 0xff_ffff;
  }

  /** Changes the desktop, and returns the part to draw. */
  #changed(kind: ScreenChange): Box {
    const front = this.#front;
    const { x, y, width, height } = front.area;
    switch (kind) {
      case 'type': {
        const row = this.#random.int(visibleRows(front));
        front.lines[front.top + row] = `${front.lines[front.top + row] ?? ''} ${this.#word()}`.slice(-160);
        return box(x, y + TITLE_HEIGHT + row * LINE_SPACING, width, LINE_SPACING);
      }
      case 'press':
        this.#pressed = (this.#pressed + 1 + this.#random.int(BUTTONS - 1)) % BUTTONS;
        return box(0, 0, this.#surface.width, PANEL_HEIGHT);
      case 'menu':
        this.#popup = box(x + this.#random.int(width >> 1), y + TITLE_HEIGHT, 260, 420);
        return this.#popup;
      case 'dialog':
        this.#popup = box(x + (width >> 2), y + (height >> 2), 640, 360);
        return this.#popup;
      case 'scroll':
        front.top = (front.top + 3) % (front.lines.length - visibleRows(front));
        return front.area;
      case 'switch':
        this.#windows = [...this.#windows.slice(1), ...this.#windows.slice(0, 1)];
        return this.#front.area;
    }
  }

  get #front(): TextWindow {
    const front = this.#windows.at(-1);
    if (front === undefined) throw new RangeError('The desktop has no window.');
    return front;
  }

  #window(title: string, area: Box): TextWindow {
    const lines = Array.from({ length: 400 }, () =>
      Array.from({ length: 4 + this.#random.int(14) }, () => this.#word()).join(' '),
    );
    return { title, area: wholePixels(area), lines, top: 0 };
  }

  #word(): string {
    return WORDS[this.#random.int(WORDS.length)] ?? '';
  }

  /** Draws this part of the screen again. */
  #draw(part: Box): void {
    const surface = this.#surface;
    surface.within(part, () => {
      const { x, y, width, height } = surface.clip;
      for (let row = y; row < y + height; row++) {
        const from = row * surface.width + x;
        surface.pixels.set(this.#wallpaper.pixels.subarray(from, from + width), from);
      }
      this.#drawPanel();
      for (const window of this.#windows) drawWindow(surface, window, window === this.#front);
      if (this.#popup !== undefined) drawPopup(surface, this.#popup);
    });
  }

  #drawPanel(): void {
    const surface = this.#surface;
    surface.fill(box(0, 0, surface.width, PANEL_HEIGHT), THEME.panel);
    for (let button = 0; button < BUTTONS; button++) {
      const area = box(8 + 90 * button, 4, 84, PANEL_HEIGHT - 8);
      surface.fill(area, button === this.#pressed ? THEME.accent : THEME.panel);
      surface.text(`Button ${button}`, area.x + 8, area.y + 8, THEME.panelText);
    }
  }
}

const BUTTONS = 12;

const wholePixels = ({ x, y, width, height }: Box): Box =>
  box(Math.round(x), Math.round(y), Math.round(width), Math.round(height));

const visibleRows = ({ area }: TextWindow): number => Math.floor((area.height - TITLE_HEIGHT) / LINE_SPACING);

function drawWindow(surface: Surface, window: TextWindow, inFront: boolean): void {
  const { area, title, lines, top } = window;
  surface.within(area, () => {
    surface.fill(area, THEME.field);
    surface.fill(box(area.x, area.y, area.width, TITLE_HEIGHT), inFront ? THEME.title : THEME.titleIdle);
    surface.text(title, area.x + 10, area.y + 10, THEME.titleText, true);
    for (let row = 0; row < visibleRows(window); row++) {
      const y = area.y + TITLE_HEIGHT + row * LINE_SPACING + 4;
      surface.text(lines[top + row] ?? '', area.x + 12, y, THEME.text);
    }
    surface.frame(area, THEME.border);
  });
}

function drawPopup(surface: Surface, area: Box): void {
  surface.fill(area, THEME.window);
  surface.frame(area, THEME.border);
  for (let y = area.y + 12; y < area.y + area.height - LINE_SPACING; y += 2 * LINE_SPACING)
    surface.text(`${WORDS.slice(0, 4).join(' ')}…`, area.x + 12, y, THEME.text);
}

/** A slow gradient with waves, and the noise of a camera. */
export function photograph({ width, height }: Size, random: Random): Wallpaper {
  const pixels = new Int32Array(width * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const wave = 30 * Math.sin(x / 190 + y / 270) + 20 * Math.cos(x / 75 - y / 120);
      const noise = NOISE * (random.next() - 0.5);
      const red = 90 + wave + (60 * y) / height + noise;
      const green = 110 + wave / 2 + (40 * x) / width + noise;
      const blue = 150 - wave + noise;
      pixels[at] = 0xff000000 | (blue << 16) | (green << 8) | red;
    }
  return { width, height, pixels };
}

/** In steps of brightness, of 256. */
const NOISE = 1;
