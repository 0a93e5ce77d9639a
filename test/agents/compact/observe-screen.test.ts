// What of a screen a policy is shown, mode by mode.

import { describe, expect, test } from 'vitest';
import { EMPTY_MEMORY } from '../../../runtime/agents/compact/episode-memory.ts';
import { type Observation, SQUARE, SQUARE_AREA } from '../../../runtime/agents/compact/observation.ts';
import { MAX_ELEMENTS, observeScreen } from '../../../runtime/agents/compact/observe-screen.ts';
import { contains, type Pixels, type Point } from '../../../runtime/core/screen.ts';
import { blankPixels, block, dot, element, screen } from './screens.ts';

const WHITE = [255, 255, 255];
const small = (layout: Pixels['layout'] = 'rgba') => blankPixels(96, 64, layout);

/** Places far enough from one another that what is drawn at each is a thing of its own. */
const PLACES: readonly Point[] = [
  { x: 6, y: 6 },
  { x: 44, y: 6 },
  { x: 80, y: 6 },
  { x: 6, y: 44 },
  { x: 44, y: 44 },
];
const SIDE = 8;

/** Something to see at the places of these numbers. */
function marked(...places: readonly number[]): Pixels {
  const pixels = small();
  for (const { x, y } of places.flatMap(place => PLACES[place] ?? [])) block(pixels, x, y, SIDE, SIDE);
  return pixels;
}

/** The numbers of the places at which the patches of a screen are. */
const placesOf = ({ patches }: Observation): readonly number[] =>
  patches.map(patch => PLACES.findIndex(({ x, y }) => contains(patch, { x: x + SIDE / 2, y: y + SIDE / 2 })));

const shown = (pixels: Pixels, elements: Parameters<typeof screen>[0] = []) =>
  placesOf(observeScreen(screen(elements, pixels), '', 'screenshot_a11y_tree', EMPTY_MEMORY));

describe('a mode', () => {
  const both = screen([element({ name: 'OK', box: [0, 0, 20, 20] })], marked(0, 2));

  test('of pixels has no elements, but the patches under them', () => {
    const seen = observeScreen(both, 'Go.', 'screenshot', EMPTY_MEMORY);
    expect(seen).toMatchObject({ mode: 'screenshot', elements: [], instruction: 'Go.' });
    expect(placesOf(seen)).toEqual([0, 2]);
    expect(seen.squares).toHaveLength(2 * SQUARE_AREA);
  });

  test('of elements has no pixels', () => {
    const seen = observeScreen(both, 'Go.', 'a11y_tree', EMPTY_MEMORY);
    expect(seen).toMatchObject({ mode: 'a11y_tree', elements: both.elements, patches: [] });
    expect(seen.squares).toHaveLength(0);
  });

  test('of both has a square of each element, and patches outside them', () => {
    const seen = observeScreen(both, 'Go.', 'screenshot_a11y_tree', EMPTY_MEMORY);
    expect(seen).toMatchObject({ elements: both.elements, size: { width: 96, height: 64 } });
    expect(placesOf(seen)).toEqual([2]);
    expect(seen.squares).toHaveLength(2 * SQUARE_AREA);
    expect(seen.squares.subarray(SQUARE_AREA)).toEqual(
      observeScreen(both, '', 'screenshot', EMPTY_MEMORY).squares.subarray(SQUARE_AREA),
    );
  });

  test('of elements has none on a desktop without a list', () => {
    const bare = { pixels: marked(1) };
    expect(observeScreen(bare, '', 'a11y_tree', EMPTY_MEMORY)).toMatchObject({ elements: [], patches: [] });
    expect(placesOf(observeScreen(bare, '', 'screenshot_a11y_tree', EMPTY_MEMORY))).toEqual([1]);
  });
});

describe('a patch exists', () => {
  test('only where something is drawn', () => {
    expect(shown(small())).toEqual([]);
    expect(shown(marked(0, 4))).toEqual([0, 4]);
  });

  test('if an element covers a part of it, but not its centre', () => {
    const pixels = marked(0, 1, 2, 3, 4);
    expect(shown(pixels, [element({ box: [0, 0, 8, 64] })])).toEqual([0, 1, 2, 3, 4]);
    expect(shown(pixels, [element({ box: [0, 0, 16, 16] })])).toEqual([1, 2, 3, 4]);
    expect(shown(pixels, [element({ box: [30, 0, 30, 64] })])).toEqual([0, 2, 3]);
    expect(shown(pixels, [element({ box: [-20, -20, 400, 400] })])).toEqual([]);
    expect(shown(pixels, [element({ box: [200, 0, 20, 20] })])).toEqual([0, 1, 2, 3, 4]);
  });

  test('nowhere if an element covers the whole screen', () => {
    expect(shown(marked(0, 1), [element({ role: 'desktop', box: [0, 0, 1, 1] })])).toEqual([]);
  });

  test('with its pixels from its upper left corner, black beyond the screen', () => {
    const pixels = small();
    block(pixels, 88, 56, 6, 6);
    const { patches, squares } = observeScreen(screen([], pixels), '', 'screenshot', EMPTY_MEMORY);
    const [{ x, y } = { x: 0, y: 0 }] = patches;
    expect(patches).toHaveLength(1);
    for (let at = 0; at < SQUARE_AREA; at++) {
      const [column, row] = [x + (at % SQUARE), y + Math.floor(at / SQUARE)];
      const drawn = column >= 88 && column < 94 && row >= 56 && row < 62;
      expect(squares[at]).toBe(column >= 96 || row >= 64 ? 0 : drawn ? 255 : 40);
    }
  });
});

test('RGB and RGBA pixels give the same squares', () => {
  const seen = (['rgb', 'rgba'] as const).map(layout => {
    const pixels = small(layout);
    for (const [index, { x, y }] of PLACES.entries())
      for (let at = 0; at < SIDE; at++)
        dot(pixels, x + at, y + ((at * 3) % SIDE), [at * 20, 255 - at, index * 40]);
    return observeScreen(
      screen([element({ box: [3, 1, 9, 9] })], pixels),
      '',
      'screenshot_a11y_tree',
      EMPTY_MEMORY,
    );
  });
  expect(seen[0]?.patches.length).toBeGreaterThan(2);
  expect(seen[1]).toEqual(seen[0]);
});

test('colours become grey of the same brightness', () => {
  const grey = (colour: readonly number[]) => {
    const pixels = small();
    dot(pixels, 20, 20, colour);
    const seen = observeScreen(
      screen([element({ box: [12, 12, 16, 16] })], pixels),
      '',
      'screenshot_a11y_tree',
      EMPTY_MEMORY,
    );
    return Number(seen.squares.find(each => each !== 40));
  };
  expect(grey(WHITE)).toBe(255);
  expect(grey([0, 0, 0])).toBe(0);
  expect(grey([0, 255, 0])).toBeGreaterThan(grey([255, 0, 0]));
  expect(grey([255, 0, 0])).toBeGreaterThan(grey([0, 0, 255]));
});

describe('the square of an element', () => {
  const glimpse = (box: readonly [number, number, number, number], pixels: Pixels) =>
    observeScreen(
      screen([element({ box })], pixels),
      '',
      'screenshot_a11y_tree',
      EMPTY_MEMORY,
    ).squares.subarray(0, SQUARE_AREA);

  test('is at the left end of a wide element, at half its height', () => {
    const pixels = blankPixels(100, 64);
    dot(pixels, 20, 24, WHITE);
    dot(pixels, 35, 39, [0, 0, 0]);
    dot(pixels, 36, 24, WHITE);
    const square = glimpse([20, 22, 70, 20], pixels);
    expect(square[0]).toBe(255);
    expect(square.at(-1)).toBe(0);
    expect([...square].filter(each => each === 40)).toHaveLength(SQUARE_AREA - 2);
  });

  test('has the whole of a narrow element', () => {
    const pixels = blankPixels(100, 64);
    dot(pixels, 50, 30, WHITE);
    dot(pixels, 57, 37, WHITE);
    expect([...glimpse([50, 30, 8, 8], pixels)].filter(each => each === 255)).toHaveLength(2);
  });

  test.each([
    [[-4, -6, 8, 8]],
    [[92, 58, 12, 12]],
    [[0, 0, 96, 4]],
    [[95, 63, 1, 1]],
    [[-40, 10, 20, 10]],
    [[100, 100, 20, 10]],
    [[10, -50, 20, 10]],
  ] as const)('at the border is black where no screen is, at %j', box => {
    const pixels = small();
    const square = glimpse(box, pixels);
    const [x, y] = [Math.max(box[0] - 2, Math.min(box[0], box[0] + box[2] / 2 - 8)), box[1] + box[3] / 2 - 8];
    const inside = (at: number) => {
      const [column, row] = [Math.floor(x) + (at % SQUARE), Math.floor(y) + Math.floor(at / SQUARE)];
      return column >= 0 && column < 96 && row >= 0 && row < 64;
    };
    expect([...square]).toEqual([...square].map((_, at) => (inside(at) ? 40 : 0)));
  });
});

test('with too many elements the front ones are kept, with the index of the first', () => {
  const all = Array.from({ length: MAX_ELEMENTS + 7 }, (_, index) => element({ name: `${index}` }));
  const seen = observeScreen(screen(all), '', 'a11y_tree', EMPTY_MEMORY);
  expect(seen.elements).toEqual(all.slice(7));
  expect(seen.firstElement).toBe(7);
  expect(observeScreen(screen(all.slice(7)), '', 'a11y_tree', EMPTY_MEMORY).firstElement).toBe(0);
});

test('the memory is passed on unchanged', () => {
  const past = { recent: [{ kind: 1, text: 'a', changed: true }], memory: [{ text: 'b', age: 2 }] };
  expect(observeScreen(screen([]), '', 'a11y_tree', past)).toMatchObject(past);
});
