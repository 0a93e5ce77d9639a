// Random clicks on pages of MiniWoB++, in whatever browser and through whatever library: the loop that all ways share.

import type { Random } from '../../core/rng.ts';
import type { Point } from '../../core/screen.ts';
import { type ProcessorSeconds, processorTime, since } from '../processor-time.ts';

/** Pages where clicks have effects, without timers that run longer than a click. */
export const CLICK_PAGES = [
  'click-button',
  'click-checkboxes',
  'click-collapsible',
  'click-color',
  'click-dialog',
  'click-link',
  'click-option',
  'click-tab',
  'click-test-2',
  'click-widget',
  'grid-coordinate',
  'identify-shape',
] as const;

export const pageOf = (index: number): string => CLICK_PAGES[index % CLICK_PAGES.length] ?? CLICK_PAGES[0];

export interface ClickedPage {
  /** Starts an episode of the page. */
  restart(seed: number): Promise<void>;
  /** Clicks, waits as its library does, and takes the screen. Resolves with whether the episode is over. */
  click(at: Point): Promise<boolean>;
  close(): Promise<void>;
}

export interface ClickRun {
  readonly steps: number;
  readonly episodes: number;
  readonly seconds: number;
  readonly processor: ProcessorSeconds;
}

/** The task area below the instruction. */
const AREA = { x: 0, y: 50, width: 160, height: 160 };

export function randomPoint(random: Random): Point {
  return { x: AREA.x + random.int(AREA.width), y: AREA.y + random.int(AREA.height) };
}

/** Clicks on all pages at the same time for `span` milliseconds. A page that is over starts its next episode. */
export async function clickAway(
  pages: readonly ClickedPage[],
  span: number,
  random: Random,
): Promise<ClickRun> {
  const before = await processorTime(process.pid);
  const begin = performance.now();
  let [steps, episodes] = [0, 0];
  await Promise.all(
    pages.map(async (page, index) => {
      const draws = random.fork(String(index));
      for (let isOver = true; performance.now() < begin + span; steps += 1) {
        if (isOver) {
          await page.restart(draws.int(1000));
          episodes += 1;
        }
        isOver = await page.click(randomPoint(draws));
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1000;
  return { steps, episodes, seconds, processor: since(before, await processorTime(process.pid)) };
}
