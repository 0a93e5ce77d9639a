// Every page of the folder, in a real Chromium: an episode that starts in place equals one in a page that was just loaded.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from '../../../../runtime/bench/panels/browser.ts';
import { type Random, seeded } from '../../../../runtime/core/rng.ts';
import type { Pixels } from '../../../../runtime/core/screen.ts';
import { pageNamed } from '../../../../runtime/environments/web/miniwob/catalogue.ts';
import {
  readEpisode,
  startEpisode,
  startsInPlace,
} from '../../../../runtime/environments/web/miniwob/episode.ts';
import { HOW_TO, hasChromium } from '../../../e2e/chromium.ts';
import { hasMiniwob, NO_MINIWOB, pagesInFolder } from './folder.ts';
import { type OpenPage, openPage, type PageServer, SIZE, servePages } from './pages.ts';

const canRun = hasChromium && hasMiniwob;
if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);
if (!hasMiniwob) process.stderr.write(`${NO_MINIWOB}\n`);

const ACTIONS = 12;
const EPISODES = 2;

/** Chromium draws the edge of a round corner with one of two neighbouring greys. */
const ROUNDING = 1;

/** Of all channels of all pixels. */
function largestDifference(one: Pixels, other: Pixels): number {
  if (one.data.length !== other.data.length) return 255;
  return one.data.reduce((most, byte, index) => Math.max(most, Math.abs(byte - (other.data[index] ?? 0))), 0);
}

/** Clicks, drags, texts and hovering at random places, as an untrained policy does. */
async function playAtRandom(page: OpenPage, random: Random): Promise<void> {
  const somewhere = () => ({ x: random.int(SIZE.width), y: 50 + random.int(SIZE.height - 50) });
  for (let action = 0; action < ACTIONS; action++) {
    const at = somewhere();
    await page.move(at);
    await page.press(at);
    const kind = random.int(6);
    if (kind === 0) {
      const end = somewhere();
      await page.move(end);
      await page.release(end);
    } else {
      await page.release(at);
      if (kind === 1) await page.type('leftover');
    }
  }
}

describe.skipIf(!canRun)('an episode in place equals one in a new page', () => {
  let browser: Browser;
  let server: PageServer;
  let used: OpenPage;
  beforeAll(async () => {
    server = await servePages();
    browser = await launch();
    used = await openPage(browser, server);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const comparable = canRun ? pagesInFolder().filter(page => pageNamed(page).varies === undefined) : [];

  test.each(comparable)('%s, after episodes of random actions', async page => {
    const random = seeded(page);
    const view = async (of: OpenPage) => ({ picture: await of.picture(), tree: await of.tree() });
    const start = { page, seed: 1000, mode: 'train' } as const;
    await used.load(page);
    const { instruction } = await startEpisode(used.evaluate, start);
    // The pointer rests on the instruction.
    await used.move({ x: 1, y: 1 });
    const expected = await view(used);
    for (let seed = 0; seed < EPISODES; seed++) {
      await startEpisode(used.evaluate, { ...start, seed });
      await playAtRandom(used, random);
    }
    await used.move({ x: 1, y: 1 });
    if (!startsInPlace(page)) await used.load(page);
    expect((await startEpisode(used.evaluate, start)).instruction).toBe(instruction);
    const found = await view(used);
    expect(found.tree).toEqual(expected.tree);
    expect(largestDifference(found.picture, expected.picture)).toBeLessThanOrEqual(ROUNDING);
    expect(await readEpisode(used.evaluate, page)).toMatchObject({ isOver: false, score: 0 });
  });
});
