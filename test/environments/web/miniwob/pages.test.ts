// Every page of the folder, on a web desktop: an episode that starts in the used page equals one in a page that was just loaded.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../../../runtime/core/action.ts';
import { at } from '../../../../runtime/core/at.ts';
import { seed } from '../../../../runtime/core/ids.ts';
import { type Random, seeded } from '../../../../runtime/core/rng.ts';
import type { Pixels } from '../../../../runtime/core/screen.ts';
import { pageNamed } from '../../../../runtime/environments/web/miniwob/catalogue.ts';
import { canOpenMiniwob, miniwobDesktop } from './desktop.ts';
import { pagesInFolder } from './folder.ts';

const ACTIONS = 10;
const SEED = seed(1000);

/** What an untrained policy does. */
function randomAction(random: Random): Action {
  const somewhere = () => ({ x: random.int(160), y: 50 + random.int(160) });
  const actions: readonly Action[] = [
    { kind: 'click', at: somewhere() },
    { kind: 'click', at: somewhere() },
    { kind: 'move', at: somewhere() },
    { kind: 'double_click', at: somewhere() },
    { kind: 'drag', from: somewhere(), to: somewhere() },
    { kind: 'scroll', at: somewhere(), direction: 'down', notches: 2 },
    { kind: 'type', text: 'leftover' },
  ];
  return actions[random.int(actions.length)] ?? { kind: 'wait' };
}

/** Chromium draws the edge of a round corner with one of two neighbouring greys. */
const ROUNDING = 1;

/** A busy browser draws fewer frames in an action and repaints other parts, so edges of circles differ a little: by 4 levels when this was measured. */
const REPAINTED = 8;

/** Of all channels of all pixels. */
function largestDifference(one: Pixels, other: Pixels): number {
  if (one.data.length !== other.data.length) return 255;
  return one.data.reduce((most, byte, index) => Math.max(most, Math.abs(byte - (other.data[index] ?? 0))), 0);
}

describe.skipIf(!canOpenMiniwob)('an episode in place equals one in a new page', () => {
  const desktop = miniwobDesktop();
  const comparable = canOpenMiniwob
    ? pagesInFolder().filter(page => pageNamed(page).varies === undefined)
    : [];

  test.each(comparable)('%s, after an episode of random actions', async page => {
    const random = seeded(page);
    const first = await desktop.start(page, SEED);
    const pixels = { ...first.pixels, data: first.pixels.data.slice() };
    await desktop.start(page, seed(7));
    for (let action = 0; action < ACTIONS; action++) await desktop.act(randomAction(random));
    const again = await desktop.start(page, SEED);
    expect(again.instruction).toBe(first.instruction);
    expect(again.elements).toEqual(first.elements);
    expect(largestDifference(again.pixels, pixels)).toBeLessThanOrEqual(ROUNDING);
    expect(await desktop.score()).toBe(0);
  });

  test.each(comparable.filter(page => pageNamed(page).movesByClock))(
    '%s: equal actions show equal screens',
    async page => {
      const play = async () => {
        const random = seeded(page);
        await desktop.start(page, SEED);
        const screens: Pixels[] = [];
        for (let action = 0; action < ACTIONS; action++) {
          const { pixels } = await desktop.act(randomAction(random));
          screens.push({ ...pixels, data: pixels.data.slice() });
        }
        return screens;
      };
      const [first, second] = [await play(), await play()];
      const differences = first.map((screen, index) => largestDifference(screen, at(second, index)));
      expect(Math.max(...differences)).toBeLessThanOrEqual(REPAINTED);
      const distinct = new Set(first.map(({ data }) => Buffer.from(data).toString('base64')));
      expect(distinct.size).toBeGreaterThan(2);
    },
  );
});
