// Counts stale frames: screens that a desktop returns after a click although the page has not shown the effect of that click.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { seed, taskId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Task } from '../../core/task.ts';
import type { WebDesktop } from '../../environments/web/desktop.ts';
import { fileOf, type ReactionName, showsClicks, writeStalePages } from './stale-pages.ts';
import { SIZE, type WebYard } from './yard.ts';

const HOST = 'stale.test';

export interface FrameTally {
  readonly checked: number;
  readonly stale: number;
}

export type TallyByReaction = Readonly<Partial<Record<ReactionName, FrameTally>>>;

export interface StaleOptions {
  readonly names: readonly ReactionName[];
  readonly desktops: number;
  /** On each page. */
  readonly clicks: number;
  /** Threads that keep the processors busy. */
  readonly busyThreads: number;
  readonly random: Random;
}

/** Opens each page once on one of the desktops. */
export async function countStale(yard: WebYard, options: StaleOptions): Promise<TallyByReaction> {
  const { names, desktops, clicks, busyThreads, random } = options;
  const folder = await mkdtemp(join(tmpdir(), 'dartboard-stale-'));
  await writeStalePages(folder);
  const busy = Array.from({ length: busyThreads }, () => new Worker('for (;;) {}', { eval: true }));
  const waiting = [...names];
  const tallies: Partial<Record<ReactionName, FrameTally>> = {};
  try {
    await Promise.all(
      Array.from({ length: desktops }, async () => {
        const desktop = yard.open(folder);
        for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
          tallies[name] = await clickOn(desktop, taskOf(name), clicks, random.fork(name));
        await desktop.close();
      }),
    );
    return tallies;
  } finally {
    await Promise.all(busy.map(worker => worker.terminate()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function clickOn(desktop: WebDesktop, task: Task, clicks: number, random: Random): Promise<FrameTally> {
  await desktop.reset(task, seed(0));
  let stale = 0;
  for (let count = 1; count <= clicks; count++) {
    const at = { x: random.int(SIZE.width), y: random.int(SIZE.height) };
    const { pixels } = await desktop.act({ kind: 'click', at });
    if (!showsClicks(pixels, count)) stale += 1;
  }
  return { checked: clicks, stale };
}

const taskOf = (name: ReactionName): Task => ({
  id: taskId(`stale-${name}`),
  instruction: 'Click anywhere.',
  config: [
    { type: 'serve', parameters: { host: HOST, folder: '.' } },
    { type: 'open', parameters: { url: `http://${HOST}/${fileOf(name)}` } },
  ],
  evaluator: { func: 'infeasible' },
});

export function sumOf(tallies: TallyByReaction): FrameTally {
  const all = Object.values(tallies);
  return {
    checked: all.reduce((sum, { checked }) => sum + checked, 0),
    stale: all.reduce((sum, { stale }) => sum + stale, 0),
  };
}
