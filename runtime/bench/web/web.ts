// The web benchmark: steps per second of web desktops on pages of MiniWoB++, against Playwright and MiniWoB++'s own environment; stale
// frames; memory, and how soon a page is ready again.

import { cpus } from 'node:os';
import { seeded } from '../../core/rng.ts';
import { wilson } from '../../data/interval.ts';
import type { Benchmark, BenchResult, Figures, Report } from '../report.ts';
import { GYMNASIUM_HINT, hasGymnasium, openGymnasium } from './gymnasium.ts';
import { desktopPage, pixelPage } from './pages.ts';
import { openPlaywright, type PlaywrightClick } from './playwright.ts';
import { CLICK_PAGES, type ClickedPage, pageOf } from './random-clicks.ts';
import { measureMemory, measureReady } from './room.ts';
import { onPages, type SideResult, type Turns, takeTurns } from './sides.ts';
import { countStale, sumOf, type TallyByReaction } from './stale.ts';
import { REACTION_NAMES } from './stale-pages.ts';
import { miniwobFolder, openWebYard, type WebYard } from './yard.ts';

const MANY = 8;
const ROUNDS = 5;
/** All sides of the three comparisons of speed. */
const SIDES = 11;
const PARTS = 7;
/** On each page: at least 5,000 clicks on all of them. */
const STALE_CLICKS = { one: 60, many: 210 };

export const web: Benchmark = {
  name: 'web',
  summary: 'steps per second of web desktops, stale frames, memory, against Playwright and Gymnasium',
  run: async (report, { minutes = 6, miniwob }) => {
    const yard = await openWebYard(miniwobFolder(miniwob), line => report.say(`  ${line}`));
    const turns = {
      ...{ rounds: ROUNDS, span: (minutes * 60_000) / (SIDES * (ROUNDS + 0.5)) },
      random: seeded('web'),
    };
    try {
      return await measure(yard, report, turns);
    } finally {
      await yard.close();
    }
  },
};

async function measure(yard: WebYard, report: Report, turns: Turns): Promise<BenchResult> {
  const part = <T>(name: string, work: () => Promise<T>) => report.part(name, PARTS, work);
  const ready = await part('ready again', () => measureReady(yard));
  const memory = await part('memory of 24 pages', () => measureMemory(yard));
  const one = await part('1 desktop', () => onDesktops(yard, 1, turns));
  const many = await part(`${MANY} desktops and pages of Playwright`, () => besidePlaywright(yard, turns));
  const own = hasGymnasium()
    ? await part("MiniWoB++'s Gymnasium environment", () => besideGymnasium(yard, turns))
    : undefined;
  if (own === undefined) report.say(`  ${GYMNASIUM_HINT}`);
  const cores = cpus().length;
  const stale = [
    await part(`stale frames, ${MANY} desktops`, () => stalePages(yard, MANY, STALE_CLICKS.many, 0)),
    await part('stale frames, 1 desktop', () => stalePages(yard, 1, STALE_CLICKS.one, cores)),
  ];
  const [staleMany, staleOne] = stale.map(sumOf);
  for (const tallies of stale) sayStale(report, tallies);
  const successes = (staleMany?.stale ?? 0) + (staleOne?.stale ?? 0);
  const trials = (staleMany?.checked ?? 0) + (staleOne?.checked ?? 0);
  const { low, high } = wilson({ successes, trials });
  return {
    figures: {
      ...speeds(1, one),
      ...speeds(MANY, many),
      ...costs(many),
      ...(own !== undefined && {
        vs_gymnasium: own.elements.stepsPerSecond / own.all.stepsPerSecond,
        vs_gymnasium_one_process: own.elementsOfOne.stepsPerSecond / own.one.stepsPerSecond / cores,
        gymnasium_steps_per_s: own.all.stepsPerSecond,
        gymnasium_processor_ms: own.all.processorMs,
      }),
      stale_frames: successes / trials,
      stale_checked: trials,
      ...memory,
      ...ready,
    },
    certainty: { stale_frames: { successes, trials, low, high } },
    config: { pages: CLICK_PAGES, browser: yard.found, rounds: turns.rounds, span_ms: turns.span, cores },
  };
}

interface OwnSides {
  readonly pixels: SideResult;
  readonly elements: SideResult;
}

const speeds = (count: number, { pixels, elements }: OwnSides): Figures => ({
  [`steps_per_s_${count}`]: pixels.stepsPerSecond,
  [`elements_steps_per_s_${count}`]: elements.stepsPerSecond,
});

type ManySides = Awaited<ReturnType<typeof besidePlaywright>>;

const costs = ({ pixels, elements, click, mouse, flags }: ManySides): Figures => ({
  vs_playwright: pixels.stepsPerSecond / click.stepsPerSecond,
  elements_vs_playwright: elements.stepsPerSecond / click.stepsPerSecond,
  vs_playwright_mouse: pixels.stepsPerSecond / mouse.stepsPerSecond,
  vs_playwright_mouse_our_flags: pixels.stepsPerSecond / flags.stepsPerSecond,
  processor_ms: pixels.processorMs,
  elements_processor_ms: elements.processorMs,
  elements_node_ms: elements.nodeMs,
  playwright_processor_ms: click.processorMs,
});

const ownPages = async (yard: WebYard, count: number) => ({
  pixels: await openPages(count, page => pixelPage(yard, page)),
  elements: await openPages(count, async page => desktopPage(yard, page)),
});

/** Of so many different pages. */
function openPages(
  count: number,
  open: (page: string) => Promise<ClickedPage>,
  different = count,
): Promise<ClickedPage[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => open(pageOf(index % different))));
}

const closeAll = (pages: readonly ClickedPage[]) => Promise.all(pages.map(page => page.close()));

async function onDesktops(yard: WebYard, count: number, turns: Turns): Promise<OwnSides> {
  const { pixels, elements } = await ownPages(yard, count);
  try {
    return await takeTurns({ pixels: onPages(pixels), elements: onPages(elements) }, turns);
  } finally {
    await closeAll([...pixels, ...elements]);
  }
}

async function besidePlaywright(yard: WebYard, turns: Turns) {
  const { pixels, elements } = await ownPages(yard, MANY);
  const plain = await openPlaywright(yard, 'default');
  const tuned = await openPlaywright(yard, 'dartboard');
  const open = async ({ open: openPage }: typeof plain, click: PlaywrightClick) =>
    onPages(await openPages(MANY, page => openPage(page, click)));
  try {
    const sides = {
      ...{ pixels: onPages(pixels), elements: onPages(elements) },
      ...{ click: await open(plain, 'page'), mouse: await open(plain, 'mouse') },
      flags: await open(tuned, 'mouse'),
    };
    return await takeTurns(sides, turns);
  } finally {
    await Promise.all([closeAll([...pixels, ...elements]), plain.close(), tuned.close()]);
  }
}

/** A page decides what a step costs, so desktops play the pages that the processes of Gymnasium play, in equal numbers. */
async function besideGymnasium(yard: WebYard, turns: Turns) {
  const different = Math.min(MANY, cpus().length);
  const [ofAll, ofOne] = [
    await openPages(MANY, async page => desktopPage(yard, page), different),
    await openPages(MANY, async page => desktopPage(yard, page), 1),
  ];
  const all = await openGymnasium(cpus().map((_, index) => pageOf(index % different)));
  const one = await openGymnasium([pageOf(0)]);
  try {
    return await takeTurns(
      { elements: onPages(ofAll), elementsOfOne: onPages(ofOne), all: all.side, one: one.side },
      turns,
    );
  } finally {
    all.close();
    one.close();
    await closeAll([...ofAll, ...ofOne]);
  }
}

const stalePages = (yard: WebYard, desktops: number, clicks: number, busyThreads: number) =>
  countStale(yard, {
    ...{ names: REACTION_NAMES, desktops, clicks, busyThreads },
    random: seeded(`stale ${desktops}`),
  });

function sayStale(report: Report, tallies: TallyByReaction): void {
  for (const [name, { checked, stale }] of Object.entries(tallies))
    if (stale > 0) report.say(`  ${name}: ${stale} of ${checked} frames are stale`);
}
