// Measures what it costs a training that somebody watches one of its desktops in full size. In one run, times without a viewer, with one of
// the daemon, and with a page in the browser follow each other.
//
// The speed of a training varies by a tenth from one window to the next. Its processor time follows the steps far more closely, so the cost
// is the processor time that remains when steps and seconds are accounted for.

import { availableParallelism } from 'node:os';
import type { Browser } from 'playwright-core';
import { parseConfig } from '../../config/config.ts';
import { desktopId } from '../../core/ids.ts';
import { sum } from '../../core/sum.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { WorkspaceRuns } from '../../server/workspace-runs.ts';
import { type Coefficient, leastSquares } from '../least-squares.ts';
import { processorTime, since, totalTime } from '../processor-time.ts';

/** Shares of all cores. */
interface WatchedTraining {
  /** The host draws and compresses, and the daemon has the pictures. */
  readonly viewer: Coefficient;
  /** The same, and a page in a browser on the same cores shows them. */
  readonly page: Coefficient;
  readonly picturesPerSecond: number;
}

/** A time in which the desktop was watched in one way. */
export interface WatchedWindow {
  readonly by: WatchedBy;
  readonly seconds: number;
  /** Of rollouts. */
  readonly steps: number;
  /** Seconds of all processes but the trainer, whose work does not depend on viewers. */
  readonly processor: number;
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

const TRAINER = 'trainer';
const DESKTOP = desktopId('d0');
const WATCHED = `#/desktops?desktop=${DESKTOP}`;
const UNWATCHED = '#/trajectories';

type WatchedBy = 'nobody' | 'viewer' | 'page';

/** Processor time per second of watching. Steps and seconds cost the rest. */
export function watchingCost(
  windows: readonly WatchedWindow[],
): Readonly<Record<'viewer' | 'page', Coefficient>> {
  const [viewer, page] = leastSquares(
    windows.map(({ by, seconds, steps }) => [
      ...(['viewer', 'page'] as const).map(watched => (watched === by ? seconds : 0)),
      ...[seconds, steps],
    ]),
    windows.map(({ processor }) => processor),
  );
  if (viewer === undefined || page === undefined)
    throw new RangeError('Nothing was measured. Measure again.');
  return { viewer, page };
}

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
    const processor = await processorTime(process.pid, isTrainer);
    return { at: performance.now(), steps: steps(), pictures, processor };
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
    const seconds = (to.at - from.at) / 1000;
    const { [TRAINER]: _, ...others } = since(from.processor, to.processor);
    const processor = totalTime(others);
    const window: WatchedWindow = { by, seconds, steps: to.steps - from.steps, processor };
    return { window, pictures: (to.pictures - from.pictures) / seconds };
  };
  try {
    await report();
    await systemClock.sleep(WARM_UP_MS);
    const windows: WatchedWindow[] = [];
    const shown: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const by of ORDERS[round % ORDERS.length] ?? []) {
        const found = await measured(by);
        windows.push(found.window);
        if (by === 'viewer') shown.push(found.pictures);
      }
    const { viewer, page: shownByPage } = watchingCost(windows);
    return {
      viewer: perCore(viewer),
      page: perCore(shownByPage),
      picturesPerSecond: sum(shown) / shown.length,
    };
  } finally {
    await page.close();
    await runs.stop(run);
  }
}

/** The command line of the trainer's process names its entry. */
const isTrainer = (commandLine: string): string => (commandLine.includes(TRAINER) ? TRAINER : 'other');

function perCore({ value, low, high }: Coefficient): Coefficient {
  const cores = availableParallelism();
  return { value: value / cores, low: low / cores, high: high / cores };
}
