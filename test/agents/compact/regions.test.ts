// What can be told apart on a picture, without knowing what it is of.

import { describe, expect, test } from 'vitest';
import { EMPTY_MEMORY } from '../../../runtime/agents/compact/episode-memory.ts';
import { SQUARE } from '../../../runtime/agents/compact/observation.ts';
import { observeScreen } from '../../../runtime/agents/compact/observe-screen.ts';
import { patchesOf, regionsOf } from '../../../runtime/agents/compact/regions.ts';
import { tokenAt } from '../../../runtime/agents/compact/token-at.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { type Box, centre, contains } from '../../../runtime/core/screen.ts';
import { blankPixels, block, pocketRows, pocketSeen, screen } from './screens.ts';

type Drawn = readonly [x: number, y: number, width: number, height: number];

function drawn(...blocks: readonly Drawn[]) {
  const pixels = blankPixels(160, 120);
  for (const each of blocks) block(pixels, ...each);
  return pixels;
}

const inside = (outer: Box, [x, y, width, height]: Drawn): boolean =>
  contains(outer, { x, y }) && contains(outer, { x: x + width - 1, y: y + height - 1 });

describe('a region', () => {
  test('surrounds drawn pixels, hardly larger than they are', () => {
    const [region, ...others] = regionsOf(drawn([30, 40, 9, 7]));
    expect(others).toEqual([]);
    expect(region && inside(region, [30, 40, 9, 7])).toBe(true);
    expect(region?.width).toBeLessThanOrEqual(11);
    expect(region?.height).toBeLessThanOrEqual(9);
  });

  test('includes all nearby marks, such as the letters of a word', () => {
    const letters: readonly Drawn[] = [0, 1, 2, 3].map(at => [20 + 7 * at, 30, 5, 8] as const);
    const [word, ...others] = regionsOf(drawn(...letters));
    expect(others).toEqual([]);
    for (const letter of letters) expect(word && inside(word, letter)).toBe(true);
  });

  test('does not depend on the layout of the pixels, nor on their transparency', () => {
    const random = seeded('layouts');
    for (let trial = 0; trial < 20; trial++) {
      const size = { width: 40 + random.int(9), height: 30 };
      const colours = Array.from({ length: size.width * size.height }, () =>
        random.int(4) === 0 ? [random.int(2), random.int(2), random.int(2)] : [9, 9, 9],
      );
      const rgb = Uint8Array.from(colours.flat());
      const rgba = Uint8Array.from(colours.flatMap(colour => [...colour, random.int(256)]));
      const regions = regionsOf({ ...size, layout: 'rgb', data: rgb });
      expect(regionsOf({ ...size, layout: 'rgba', data: rgba })).toEqual(regions);
      // Bytes that are not aligned cannot be read as words.
      const shifted = Uint8Array.of(0, ...rgba).subarray(1);
      expect(regionsOf({ ...size, layout: 'rgba', data: shifted })).toEqual(regions);
    }
  });

  test('joins parts that meet only below', () => {
    expect(regionsOf(drawn([20, 20, 4, 12], [32, 20, 4, 12], [20, 32, 16, 4]))).toHaveLength(1);
  });

  test('excludes distant marks, beside and below', () => {
    expect(regionsOf(drawn([20, 20, 8, 8], [50, 20, 8, 8], [20, 50, 8, 8]))).toHaveLength(3);
  });

  test('is never blank, a dot, a line or a frame', () => {
    expect(regionsOf(drawn())).toEqual([]);
    expect(regionsOf(drawn([30, 30, 1, 1]))).toEqual([]);
    expect(regionsOf(drawn([10, 30, 100, 1]))).toEqual([]);
    expect(regionsOf(drawn([10, 10, 100, 80], [12, 12, 96, 76]))).toEqual([]);
  });
});

describe('patches', () => {
  test('cut a wide region into squares from its left end', () => {
    const letters: readonly Drawn[] = Array.from({ length: 8 }, (_, at) => [20 + 7 * at, 30, 5, 8] as const);
    const patches = patchesOf(drawn(...letters));
    expect(patches.length).toBe(Math.ceil((Number(regionsOf(drawn(...letters))[0]?.width) || 0) / SQUARE));
    for (const [index, patch] of patches.entries()) {
      expect(patch.x).toBe((patches[0]?.x ?? 0) + index * SQUARE);
      expect(patch.width).toBeLessThanOrEqual(SQUARE);
    }
  });

  test('look the same at every position', () => {
    const at = (x: number, y: number) =>
      observeScreen(screen([], drawn([x, y, 3, 8], [x + 5, y + 2, 4, 4])), '', 'screenshot', EMPTY_MEMORY);
    const [here, there] = [at(30, 40), at(83, 61)];
    expect(here.patches).toHaveLength(1);
    expect(there.squares).toEqual(here.squares);
    expect(there.patches[0]).toMatchObject({
      x: (here.patches[0]?.x ?? 0) + 53,
      y: (here.patches[0]?.y ?? 0) + 21,
    });
  });

  test('have their centres on the screen', () => {
    const corners = drawn([0, 0, 6, 6], [154, 0, 6, 6], [0, 114, 6, 6], [150, 110, 6, 6]);
    expect(patchesOf(corners)).toHaveLength(4);
    for (const { patches, size } of [
      { patches: patchesOf(corners), size: corners },
      ...['mail-forward', 'settings-theme', 'calendar-add'].map(id => pocketSeen(id, 2, 'screenshot')),
    ]) {
      for (const patch of patches) expect(contains({ x: 0, y: 0, ...size }, centre(patch))).toBe(true);
    }
  });

  test('cover most elements of a real screen', () => {
    const { elements } = pocketSeen('mail-forward', 2);
    const { patches } = pocketSeen('mail-forward', 2, 'screenshot');
    const named = elements.filter(
      ({ role, name }) => name !== '' && ['button', 'listitem', 'menu', 'label'].includes(role),
    );
    const found = named.filter(({ box }) => patches.some(patch => contains(box, centre(patch))));
    expect(found.length / named.length).toBeGreaterThan(0.8);
  });

  test('own their centres: a click there maps to the patch', () => {
    const missed: string[] = [];
    for (const row of pocketRows(8, 'screenshot')) {
      for (const [token, { at }] of row.meanings.entries())
        if (at !== undefined && tokenAt(row, centre(at.box)) !== token) missed.push(JSON.stringify(at.box));
    }
    expect(missed).toEqual([]);
  });
});
