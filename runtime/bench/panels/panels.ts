// The panels benchmark: opening a list of 10,000 trajectories, scrolling it, showing the screenshot of a step, recording demonstrations,
// taking a desktop of a training over, and watching one. It uses the server of the daemon, the bundled page in Chromium, and for
// what a person does also the packed extension in VS Code.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseConfig } from '../../config/config.ts';
import { systemClock } from '../../core/system-clock.ts';
import { startServer } from '../../server/server.ts';
import { WorkspaceRuns } from '../../server/workspace-runs.ts';
import { type Benchmark, median, quantile } from '../report.ts';
import { runEntries } from '../training.ts';
import { hasVsCode, VSCODE_HINT } from '../vscode/server.ts';
import { HOW_TO, hasChromium, launch } from './browser.ts';
import { DEMONSTRATIONS, demonstrationsReplayed } from './demonstrations.ts';
import { fillWorkspace } from './fill-workspace.ts';
import { type BenchKind, recordedTyping, takenOverTyping } from './keystrokes.ts';
import { type BenchBrowser, type BenchPanels, browserPanels, openPage, VIEW } from './page.ts';
import { scrollThrough } from './page-script.ts';
import { openVsCode } from './vscode.ts';
import { watchedTraining } from './watch-cost.ts';

const COUNT = 10_000;
const OPENINGS = 12;
/** Twenty rows. */
const SCROLL_PX_PER_FRAME = 1080;
const TRAJECTORIES = 12;
const STEPS = 50;
const FOLDER = join('.dartboard', 'bench', 'panels');
const TOKEN = 'bench';

export const panels: Benchmark = {
  name: 'panels',
  summary:
    'the panels with 10,000 trajectories: opening the list, scrolling it, screenshots of steps, recording, taking over, watching',
  run: async report => {
    if (!hasChromium()) throw new Error(HOW_TO);
    await rm(FOLDER, { recursive: true, force: true });
    report.say(`  writing ${COUNT} trajectories`);
    await fillWorkspace(FOLDER, COUNT);
    const { runs, port, address, close } = await serve();
    const browser = await launch();
    const opened = { browser, address };
    try {
      const kinds = await kindsToRecord(runs, text => report.say(text));
      const isInVsCode = hasVsCode();
      if (!isInVsCode) report.say(`  without a window of VS Code. ${VSCODE_HINT}`);
      const parts = 4 + 3 * kinds.length * (isInVsCode ? 2 : 1);
      const part = <T>(name: string, measure: () => Promise<T>) => report.part(name, parts, measure);
      const openingTimes = await part('opening the list', () => openings(opened));
      const frames = await part('scrolling through it', () => scrolling(opened));
      const { steps, firsts } = await part('screenshots', () => stepping(opened));
      const say = (text: string) => report.say(text);
      const person = await personFigures(browserPanels(runs, opened), kinds, part, say);
      // Its window would slow the other parts down.
      const code = isInVsCode ? await openVsCode(browser, { runs, port, token: TOKEN }) : undefined;
      const editor =
        code &&
        (await personFigures(
          code,
          kinds,
          (name, measure) => part(`${name} in VS Code`, measure),
          say,
        ).finally(() => code.close()));
      const watched = await part('watching a training', () => watchedTraining(runs, browser, address));
      const size = await vsixBytes();
      const figures = {
        open_10k_ms: median(openingTimes),
        open_10k_worst_ms: Math.max(...openingTimes),
        scroll_frame_p99_ms: quantile(frames, 0.99),
        scroll_frame_worst_ms: Math.max(...frames),
        step_image_ms: quantile(steps, 0.95),
        first_image_ms: quantile(firsts, 0.95),
        ...person.figures,
        ...Object.fromEntries(
          Object.entries(editor?.figures ?? {}).map(([name, value]) => [`vscode_${name}`, value]),
        ),
        ...{ live_cost: watched.viewer.value, live_page_cost: watched.page.value },
        live_pictures_per_s: watched.picturesPerSecond,
        ...(size !== undefined && { vsix_mb: size / 1e6 }),
      };
      const certainty = { live_cost: limitsOf(watched.viewer), live_page_cost: limitsOf(watched.page) };
      const config = {
        ...{ trajectories: COUNT, view: VIEW, scrolled_px: SCROLL_PX_PER_FRAME },
        demonstrations: {
          of: DEMONSTRATIONS,
          replayed: person.replayed,
          ...(editor && { vscode: editor.replayed }),
        },
      };
      const versions = { chromium: browser.version(), ...(code && { vscode: code.version }) };
      return { figures, config, certainty, versions };
    } finally {
      await browser.close();
      await close();
      await rm(FOLDER, { recursive: true });
    }
  },
};

interface WindowFigures {
  readonly figures: Readonly<Record<string, number>>;
  /** By kind of desktops. */
  readonly replayed: Partial<Record<BenchKind, number>>;
}

/** The figures of recording, taking over and demonstrating in one window. */
async function personFigures(
  window: BenchPanels,
  kinds: readonly BenchKind[],
  part: <T>(name: string, measure: () => Promise<T>) => Promise<T>,
  say: (text: string) => void,
): Promise<WindowFigures> {
  const typed: Record<string, number> = {};
  const replayed: Partial<Record<BenchKind, number>> = {};
  for (const kind of kinds) {
    const recorded = await part(`recording on ${kind}`, () => recordedTyping(window, kind));
    typed[`record_${kind}_ms`] = quantile(recorded, 0.95);
    const taken = await part(`taking over ${kind}`, () => takenOverTyping(window, kind));
    typed[TAKE_OVER[kind]] = quantile(taken, 0.95);
    const made = await part(`demonstrations on ${kind}`, () => demonstrationsReplayed(window, kind));
    replayed[kind] = made.replayed;
    for (const other of made.others) say(`  on ${kind}, ${other}`);
  }
  return {
    figures: { ...typed, demonstrations_replayed: Math.min(...Object.values(replayed)) },
    replayed,
  };
}

const RECORDED_KINDS: readonly BenchKind[] = ['pocket', 'web', 'docker'];

const TAKE_OVER: Readonly<Record<BenchKind, string>> = {
  pocket: 'take_over_ms_p95',
  web: 'take_over_web_ms_p95',
  docker: 'take_over_docker_ms_p95',
};

/** The kinds of desktops that this machine has. */
async function kindsToRecord(
  { desktops }: Pick<WorkspaceRuns, 'desktops'>,
  say: (text: string) => void,
): Promise<readonly BenchKind[]> {
  const offers = await desktops.kinds();
  return RECORDED_KINDS.filter(kind => {
    const offer = offers.find(each => each.kind === kind);
    if (offer === undefined || offer.is === 'here') return true;
    say(`  without desktops of the kind '${kind}'. ${offer.why}`);
    return false;
  });
}

const limitsOf = ({ low, high }: { readonly low: number; readonly high: number }) => ({ low, high });

async function serve() {
  const runs = await WorkspaceRuns.open({
    root: FOLDER,
    entries: runEntries(),
    clock: systemClock,
    notice: () => undefined,
  });
  const server = await startServer({
    pages: new URL('./webview/', import.meta.url),
    ...{ port: 0, token: TOKEN, runs, parseConfig, clock: systemClock, keepTraining: false },
  });
  return {
    runs,
    port: server.port,
    address: server.address,
    async close() {
      await server.close();
      await runs.close();
    },
  };
}

const LIST = '#/trajectories';

/** Milliseconds from the load of the page to the first rows. */
async function openings(chromium: BenchBrowser): Promise<readonly number[]> {
  const page = await openPage(chromium, LIST);
  const times: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    await page.reload();
    await page.waitForFunction(() => window.observed.rows > 0);
    times.push(await page.evaluate(() => window.observed.rows));
  }
  await page.close();
  return times;
}

async function scrolling(chromium: BenchBrowser): Promise<readonly number[]> {
  const page = await openPage(chromium, LIST);
  const list = page.getByRole('listbox', { name: 'Trajectories' });
  await list.waitFor();
  const times = await list.evaluate(scrollThrough, SCROLL_PX_PER_FRAME);
  // The last row is shown: no row was skipped.
  await list.locator(`[aria-posinset="${COUNT}"][data-empty="false"]`).waitFor();
  await page.close();
  return times;
}

/** Milliseconds from a key to the screenshot: of steps in a trajectory, and of its first step, which was never drawn before. */
async function stepping(chromium: BenchBrowser) {
  const page = await openPage(chromium, LIST);
  const list = page.getByRole('listbox', { name: 'Trajectories' });
  await page.waitForFunction(() => window.observed.rows > 0);
  const steps: number[] = [];
  const firsts: number[] = [];
  const take = async (key: string, times: number[]) => {
    const before = await page.evaluate(() => window.observed.pictures.length);
    await page.keyboard.press(key);
    await page.waitForFunction(count => window.observed.pictures.length > count, before);
    times.push(await page.evaluate(() => window.observed.pictures.at(-1) ?? Number.NaN));
  };
  for (let number = 0; number < TRAJECTORIES || steps.length < STEPS; number++) {
    // Eight rows further is another group, and so another task.
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

/** Size of the packed extension for this platform; undefined if it was not packed. */
async function vsixBytes(): Promise<number | undefined> {
  const files = (await readdir('.')).filter(name => name.endsWith('.vsix'));
  const [file] = files.filter(name => name.includes(`${process.platform}-${process.arch}`));
  return file === undefined ? undefined : (await stat(file)).size;
}
