// The screens of the check: coloured squares, of which one is the target. The same instruction fits a picture and a list of elements. Pure.

import type { Random } from '../core/rng.ts';
import type { Box, Element, Screen, Size } from '../core/screen.ts';

export const INSTRUCTION = 'Click the red square.';

export interface TestScreen {
  /** The row of the report: the size of the screen, or the length of the list. */
  readonly group: string;
  /** The column of the report: the side of the target in pixels; absent if the screen is a list. */
  readonly side?: number;
  readonly size: Size;
  readonly target: Box;
  /** Drawn when it is needed: a large screen has 11 MB. */
  draw(): Screen;
}

/** A small one, and the three most frequent. */
const SIZES: readonly Size[] = [
  { width: 640, height: 480 },
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];
export const SIDES = [64, 32, 16] as const;
const [COLUMNS, ROWS] = [4, 3];
/** The corners first: wrong scales show there. */
const CELLS = [0, 11, 3, 8, 5, 6];

type Colour = readonly [number, number, number];

/** Equal channels. */
const BACKGROUND = 230;
const TARGET: NamedColour = { name: 'Red', colour: [220, 38, 38] };
const OTHERS: readonly NamedColour[] = [
  { name: 'Blue', colour: [37, 99, 235] },
  { name: 'Green', colour: [22, 163, 74] },
  { name: 'Yellow', colour: [250, 204, 21] },
  { name: 'Purple', colour: [147, 51, 234] },
  { name: 'Black', colour: [17, 24, 39] },
];

interface NamedColour {
  readonly name: string;
  readonly colour: Colour;
}

interface Square extends NamedColour {
  readonly box: Box;
}

/** Six targets on each of four sizes: each side twice, in the corners and in the middle. */
export const pictureScreens = (random: Random): readonly TestScreen[] =>
  SIZES.flatMap((size, row) =>
    CELLS.map((cell, index) => {
      const side = SIDES[(index + row) % SIDES.length] ?? SIDES[0];
      return pictureScreen(size, cell, side, random.fork(`${row}/${index}`));
    }),
  );

function pictureScreen(size: Size, cell: number, side: number, random: Random): TestScreen {
  const target = boxIn(size, cell, side, random);
  const others = OTHERS.map(
    (each, index): Square => ({
      ...each,
      box: boxIn(size, (cell + 2 + 2 * index) % (COLUMNS * ROWS), side, random),
    }),
  );
  const place = random.int(others.length + 1);
  const squares = [...others.slice(0, place), { ...TARGET, box: target }, ...others.slice(place)];
  return {
    ...{ group: sizeText(size), side, size, target },
    draw: () => ({
      pixels: draw(size, squares),
      elements: squares.map(each => buttonOf(each.box, `${each.name} square`)),
    }),
  };
}

export const sizeText = ({ width, height }: Size): string => `${width} × ${height}`;

/** Anywhere in a cell. */
function boxIn({ width, height }: Size, cell: number, side: number, random: Random): Box {
  const [wide, high] = [Math.floor(width / COLUMNS), Math.floor(height / ROWS)];
  return {
    x: (cell % COLUMNS) * wide + random.int(wide - side),
    y: Math.floor(cell / COLUMNS) * high + random.int(high - side),
    ...{ width: side, height: side },
  };
}

function draw({ width, height }: Size, squares: readonly Square[]): Screen['pixels'] {
  const data = new Uint8Array(3 * width * height).fill(BACKGROUND);
  const fill = (box: Box, colour: Colour) => {
    for (let y = box.y; y < box.y + box.height; y++)
      for (let x = box.x; x < box.x + box.width; x++) data.set(colour, 3 * (y * width + x));
  };
  for (const { box, colour } of squares) fill(box, colour);
  return { width, height, layout: 'rgb', data };
}

const buttonOf = (box: Box, name: string): Element => ({ role: 'button', name, value: '', states: [], box });

/** The lengths of the lists: the last one is near the limit of a prompt. */
const LENGTHS = [8, 30, 100];
const LISTS_PER_LENGTH = 4;
const LIST_SIZE: Size = { width: 1280, height: 720 };
const LIST_COLUMNS = 12;
const SHAPES = ['square', 'circle', 'triangle', 'star'];

/** For agents without images: the target at any place of lists of three lengths. */
export const listScreens = (random: Random): readonly TestScreen[] =>
  LENGTHS.flatMap(length =>
    Array.from({ length: LISTS_PER_LENGTH }, (_, index) =>
      listScreen(length, random.fork(`${length}/${index}`)),
    ),
  );

function listScreen(length: number, random: Random): TestScreen {
  const place = random.int(length);
  const elements = Array.from({ length }, (_, index) => {
    const box = {
      x: 20 + (index % LIST_COLUMNS) * 100,
      y: 20 + Math.floor(index / LIST_COLUMNS) * 70,
      width: 60,
      height: 40,
    };
    return buttonOf(box, index === place ? 'Red square' : otherName(index));
  });
  return {
    ...{
      group: `${length} elements`,
      size: LIST_SIZE,
      target: elements[place]?.box ?? { x: 0, y: 0, ...LIST_SIZE },
    },
    draw: () => ({ pixels: draw(LIST_SIZE, []), elements }),
  };
}

/** Distinct for each number. */
function otherName(index: number): string {
  const colour = OTHERS[index % OTHERS.length]?.name ?? '';
  const rest = Math.floor(index / OTHERS.length);
  const shape = SHAPES[rest % SHAPES.length] ?? '';
  return `${colour} ${shape} ${1 + Math.floor(rest / SHAPES.length)}`;
}
