// Little screens for the demonstration: rectangles of different colours on a dark desktop, and the name of one of them.

import type { Random } from './contracts/world.ts';

export const WIDTH = 32;
export const HEIGHT = 24;
/** The pointer chooses among cells of this many pixels a side. */
export const CELL = 4;
export const COLUMNS = WIDTH / CELL;
export const CELLS = COLUMNS * (HEIGHT / CELL);

export const COLOURS = [
  { name: 'red', rgb: [224, 72, 72] },
  { name: 'green', rgb: [80, 190, 96] },
  { name: 'blue', rgb: [72, 128, 232] },
  { name: 'yellow', rgb: [232, 196, 72] },
  { name: 'purple', rgb: [168, 96, 208] },
  { name: 'white', rgb: [232, 232, 232] },
] as const;

const DESKTOP = [34, 38, 46] as const;
const BUTTONS = 4;

export interface DemoScreen {
  /** [3, HEIGHT, WIDTH] */
  readonly pixels: Uint8Array;
  /** Which colour to point at, and the cells that would be right. */
  readonly colour: number;
  readonly right: ReadonlySet<number>;
  /** The one of them that is nearest to the middle of the rectangle. */
  readonly middle: number;
}

export function drawScreen(random: Random): DemoScreen {
  const pixels = new Uint8Array(3 * HEIGHT * WIDTH);
  fill(pixels, { left: 0, top: 0, width: WIDTH, height: HEIGHT }, DESKTOP);
  // One rectangle in each of the screen's quarters, so that none covers another.
  const colours = COLOURS.map((_, index) => index);
  const buttons = Array.from({ length: BUTTONS }, (_, quarter) => {
    const [colour = 0] = colours.splice(random.int(colours.length), 1);
    const [width, height] = [5 + random.int(8), 4 + random.int(5)];
    const left = (quarter % 2) * (WIDTH / 2) + 1 + random.int(WIDTH / 2 - width - 1);
    const top = Math.floor(quarter / 2) * (HEIGHT / 2) + 1 + random.int(HEIGHT / 2 - height - 1);
    fill(pixels, { left, top, width, height }, COLOURS[colour]?.rgb ?? DESKTOP);
    return { colour, left, top, width, height };
  });
  const asked = buttons[random.int(BUTTONS)] ?? { colour: 0, left: 0, top: 0, width: 1, height: 1 };
  const [middleX, middleY] = [asked.left + asked.width / 2, asked.top + asked.height / 2];
  let middle = { cell: 0, distance: Infinity };
  const right = new Set<number>();
  // A cell counts where its centre lies on the rectangle: there a click would hit it.
  for (let cell = 0; cell < CELLS; cell++) {
    const [x, y] = centreOf(cell);
    const inside =
      x >= asked.left && x < asked.left + asked.width && y >= asked.top && y < asked.top + asked.height;
    if (!inside) continue;
    right.add(cell);
    const distance = Math.hypot(x - middleX, y - middleY);
    if (distance < middle.distance) middle = { cell, distance };
  }
  return { pixels, colour: asked.colour, right, middle: middle.cell };
}

export const centreOf = (cell: number): readonly [number, number] => [
  (cell % COLUMNS) * CELL + CELL / 2,
  Math.floor(cell / COLUMNS) * CELL + CELL / 2,
];

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function fill(pixels: Uint8Array, { left, top, width, height }: Rectangle, rgb: readonly number[]): void {
  for (const [channel, level] of rgb.entries()) {
    for (let y = top; y < top + height; y++) {
      const row = (channel * HEIGHT + y) * WIDTH;
      pixels.fill(level, row + left, row + left + width);
    }
  }
}

/** Rows of text in which each character shows two pixels, one above the other, and a cross where somebody points. */
export function picture({ pixels }: DemoScreen, pointed: number): string[] {
  const [crossX, crossY] = centreOf(pointed);
  const colour = (x: number, y: number): string =>
    [0, 1, 2].map(channel => pixels[(channel * HEIGHT + y) * WIDTH + x]).join(';');
  return Array.from({ length: HEIGHT / 2 }, (_, row) => {
    const cells = Array.from({ length: WIDTH }, (_, x) => {
      const [upper, lower] = [colour(x, 2 * row), colour(x, 2 * row + 1)];
      const crossed = x === crossX && row === Math.floor(crossY / 2);
      return crossed ? `\x1b[1;38;2;0;0;0;48;2;${upper}m✕` : `\x1b[38;2;${upper};48;2;${lower}m▀`;
    });
    return `${cells.join('')}\x1b[0m`;
  });
}
