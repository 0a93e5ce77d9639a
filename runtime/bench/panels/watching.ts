// Measures how much slower a training is while somebody watches one of its desktops in full size. In one run, times without a viewer, with
// one of the daemon, and with a page in the browser follow each other.

import type { Browser } from 'playwright-core';
import { parseConfig } from '../../config/config.ts';
import { desktopId } from '../../core/ids.ts';
import { sum } from '../../core/sum.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { WorkspaceRuns } from '../../server/workspace-runs.ts';

/** A share of the steps that is lost, with the limits of its 95 % interval. */
interface LostShare {
  readonly cost: number;
  readonly low: number;
  readonly high: number;
}

interface WatchedTraining {
  /** The host draws and compresses, and the daemon has the pictures. */
  readonly viewer: LostShare;
  /** The same, and a page on the same cores shows them. */
  readonly page: LostShare;
  readonly picturesPerSecond: number;
}

const ROUNDS = 10;
const WINDOW_MS = 10_000;
/** Before each measurement: the page has opened, and the daemon has noticed that the last viewer left. */
const SETTLING_MS = 4000;
/** Rollouts begin slowly. */
const WARM_UP_MS = 30_000;
const POLL_MS = 20;
/** Few, so that each changes more than ten times a second. */
const DESKTOPS = 8;

const DESKTOP = desktopId('d0');
const WATCHED = `#/desktops?desktop=${DESKTOP}`;
const UNWATCHED = '#/trajectories';

type WatchedBy = 'nobody' | 'viewer' | 'page';
/** The speed of a training drifts: a round goes one way, the next one the other. */
const ORDERS: readonly (readonly WatchedBy[])[] = [
  ['nobody', 'viewer', 'page'],
  ['page', 'viewer', 'nobody'],
];

export async function watchedTraining(
  runs: WorkspaceRuns,
  browser: Browser,
  address: string,
): Promise<WatchedTraining> {
  const run = await runs.start(
    parseConfig({
      ...{ seed: 'watched', minutes: 60, exploring: { firstSeconds: 5 } },
      environments: { desktops: DESKTOPS },
      evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
    }),
  );
  const page = await browser.newPage();
  await page.goto(address);
  await page.getByText('Connected', { exact: true }).waitFor();
  let pictures = 0;
  const view = async (signal: AbortSignal) => {
    for (let after = 0; !signal.aborted; ) {
      const { result } = await runs.desktops.look({ after, desktop: DESKTOP });
      after = result.after;
      pictures += result.views.length;
    }
  };
  const steps = () => runs.state(run)?.rollout.steps ?? 0;
  /** The host reports once a second. */
  const report = async () => {
    for (const before = steps(); steps() === before; ) await systemClock.sleep(POLL_MS);
    return { at: performance.now(), steps: steps(), pictures };
  };
  const measured = async (by: WatchedBy) => {
    await page.evaluate(hash => location.replace(hash), by === 'page' ? WATCHED : UNWATCHED);
    const over = new AbortController();
    const viewing = by === 'viewer' ? view(over.signal) : undefined;
    await systemClock.sleep(SETTLING_MS);
    const from = await report();
    await systemClock.sleep(WINDOW_MS);
    const to = await report();
    over.abort();
    await viewing;
    const ms = to.at - from.at;
    return { steps: (to.steps - from.steps) / ms, pictures: (1000 * (to.pictures - from.pictures)) / ms };
  };
  try {
    await report();
    await systemClock.sleep(WARM_UP_MS);
    const lost: Record<Exclude<WatchedBy, 'nobody'>, number[]> = { viewer: [], page: [] };
    const shown: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const speeds: Record<WatchedBy, number> = { nobody: 0, viewer: 0, page: 0 };
      for (const by of ORDERS[round % ORDERS.length] ?? []) {
        const found = await measured(by);
        speeds[by] = found.steps;
        if (by === 'viewer') shown.push(found.pictures);
      }
      for (const by of ['viewer', 'page'] as const) lost[by].push(1 - speeds[by] / speeds.nobody);
    }
    return {
      viewer: withInterval(lost.viewer),
      page: withInterval(lost.page),
      picturesPerSecond: mean(shown),
    };
  } finally {
    await page.close();
    await runs.stop(run);
  }
}

const mean = (values: readonly number[]): number => sum(values) / values.length;

function withInterval(values: readonly number[]): LostShare {
  const cost = mean(values);
  const variance = sum(values.map(value => (value - cost) ** 2)) / (values.length - 1);
  const margin = 1.96 * Math.sqrt(variance / values.length);
  return { cost, low: cost - margin, high: cost + margin };
}
