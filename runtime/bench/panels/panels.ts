// The benchmark of the panels: how long it takes until the list of 10,000 trajectories is there, whether it scrolls smoothly, and how
// soon a step's screenshot is shown. The daemon's own server, the page as it travels, and a browser.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { parseConfig } from '../../config/config.ts';
import { systemClock } from '../../core/system-clock.ts';
import { startServer } from '../../server/server.ts';
import { WorkspaceRuns } from '../../server/workspace-runs.ts';
import { type Benchmark, median } from '../report.ts';
import { HOW_TO, hasChromium, launch } from './browser.ts';
import { fill } from './filling.ts';
import { scrollThrough, watch } from './watching.ts';

const COUNT = 10_000;
const OPENINGS = 12;
/** Pixels a frame: twenty rows, faster than anybody reads. */
const SCROLLED = 1080;
const TRAJECTORIES = 12;
const STEPS = 50;
const FOLDER = join('bench-results', 'panels');
const VIEW = { width: 1280, height: 820 };

export const panels: Benchmark = {
  name: 'panels',
  summary: "the panels with 10,000 trajectories: opening the list, scrolling it, a step's screenshot",
  run: async report => {
    if (!hasChromium()) throw new Error(HOW_TO);
    const part = <T>(name: string, measure: () => Promise<T>) => report.part(name, 3, measure);
    const entry = (name: string): URL => new URL(`./${name}.js`, import.meta.url);
    await rm(FOLDER, { recursive: true, force: true });
    report.say(`  ${COUNT} trajectories are written…`);
    await fill(FOLDER, entry('index'), COUNT);
    const served = await serve(entry);
    const browser = await launch();
    const config = { trajectories: COUNT, view: VIEW, scrolled_px: SCROLLED };
    try {
      const opened = await part('opening the list', () => openings(browser, served.address));
      const frames = await part('scrolling through it', () => scrolling(browser, served.address));
      const { steps, firsts } = await part('screenshots', () => stepping(browser, served.address));
      const size = await packed();
      const figures = {
        open_10k_ms: median(opened),
        open_10k_worst_ms: Math.max(...opened),
        scroll_frame_p99_ms: quantile(frames, 0.99),
        scroll_frame_worst_ms: Math.max(...frames),
        step_image_ms: quantile(steps, 0.95),
        first_image_ms: quantile(firsts, 0.95),
        ...(size !== undefined && { vsix_mb: size / 1e6 }),
      };
      const rounded = Object.fromEntries(
        Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(3))]),
      );
      for (const [name, value] of Object.entries(rounded)) report.say(`  ${name.padEnd(22)} ${value}`);
      return { figures: rounded, config, versions: { chromium: browser.version() } };
    } finally {
      await browser.close();
      await served.close();
      await rm(FOLDER, { recursive: true });
    }
  },
};

async function serve(entry: (name: string) => URL) {
  const runs = await WorkspaceRuns.open({
    root: FOLDER,
    entries: {
      ...{ host: entry('host'), worker: entry('worker'), trainer: entry('trainer') },
      ...{ index: entry('index'), frames: entry('frames') },
    },
    clock: systemClock,
    notice: () => undefined,
  });
  const server = await startServer({
    pages: new URL('./webview/', import.meta.url),
    ...{ port: 0, token: 'bench', runs, parseConfig, clock: systemClock, keepTraining: false },
  });
  return {
    address: server.address,
    async close() {
      await server.close();
      await runs.close();
    },
  };
}

/** The token first; then the page begins anew, at that place. */
async function opened(browser: Browser, address: string, place: string): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEW });
  await page.addInitScript(watch);
  await page.goto(address);
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.evaluate(hash => location.replace(hash), place);
  return page;
}

const LIST = '#/trajectories';

/** From the beginning of the page, as an editor opens a panel, to the first rows. */
async function openings(browser: Browser, address: string): Promise<readonly number[]> {
  const page = await opened(browser, address, LIST);
  const times: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    await page.reload();
    await page.waitForFunction(() => window.watched.rows > 0);
    times.push(await page.evaluate(() => window.watched.rows));
  }
  await page.close();
  return times;
}

async function scrolling(browser: Browser, address: string): Promise<readonly number[]> {
  const page = await opened(browser, address, LIST);
  const list = page.getByRole('listbox', { name: 'Trajectories' });
  await list.waitFor();
  const times = await list.evaluate(scrollThrough, SCROLLED);
  // What it ends at is there: nothing was scrolled past without being shown.
  await list.locator(`[aria-posinset="${COUNT}"][data-empty="false"]`).waitFor();
  await page.close();
  return times;
}

/** Of steps within trajectories, and of the first one of each: nothing of it was drawn before. */
async function stepping(browser: Browser, address: string) {
  const page = await opened(browser, address, LIST);
  const list = page.getByRole('listbox', { name: 'Trajectories' });
  await page.waitForFunction(() => window.watched.rows > 0);
  const steps: number[] = [];
  const firsts: number[] = [];
  const take = async (key: string, times: number[]) => {
    const before = await page.evaluate(() => window.watched.pictures.length);
    await page.keyboard.press(key);
    await page.waitForFunction(count => window.watched.pictures.length > count, before);
    times.push(await page.evaluate(() => window.watched.pictures.at(-1) ?? Number.NaN));
  };
  for (let number = 0; number < TRAJECTORIES || steps.length < STEPS; number++) {
    // Each of another group: another task, drawn for the first time.
    await list.focus();
    for (let row = 0; row < 8; row++) await page.keyboard.press('ArrowDown');
    await take('Enter', firsts);
    const count = page.locator('.count').first();
    await count.getByText(/^Step 1 of/).waitFor();
    const of = Number((await count.textContent())?.match(/of (\d+)/)?.[1] ?? 0);
    for (let step = 0; step < Math.min(of, 6); step++) await take('ArrowRight', steps);
    await page.keyboard.press('Escape');
  }
  await page.close();
  return { steps, firsts };
}

/** Of the packed extension for this machine; undefined where it was not packed. */
async function packed(): Promise<number | undefined> {
  const files = (await readdir('.')).filter(name => name.endsWith('.vsix'));
  const [file] = files.filter(name => name.includes(`${process.platform}-${process.arch}`));
  return file === undefined ? undefined : (await stat(file)).size;
}

const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};
