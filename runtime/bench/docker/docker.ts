// The Docker benchmark: steps per second, stale frames, the cost of a process per screenshot, and start and memory of a desktop.

import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Action } from '../../core/action.ts';
import type { Pixels } from '../../core/screen.ts';
import { wilson } from '../../data/interval.ts';
import type { Rfb } from '../../environments/docker/rfb/connection.ts';
import type { Warden } from '../../environments/docker/warden.ts';
import { type Benchmark, type Figures, median } from '../report.ts';
import type { Certainty } from '../results/outcome.ts';
import {
  type Application,
  execScreen,
  openScreen,
  openStation,
  openYard,
  type Station,
  type Yard,
} from './stations.ts';

const COUNTS = [1, 8, 16] as const;
const PARTS = COUNTS.length + 4;
const WARM_UP_MS = 1000;
/** One frame in five is compared with the screen some time later. */
const CHECK_INTERVAL_STEPS = 5;
const CHECK_DELAY_MS = 300;
const STARTS = 5;
const IDLE_MS = 3000;
const MEBIBYTE = 1 << 20;

export const docker: Benchmark = {
  name: 'docker',
  summary: 'steps per second of Docker desktops, stale frames, start and memory',
  run: async (report, { minutes = 4 }) => {
    const yard = await openYard(Math.max(...COUNTS), line => report.say(`  ${line}`));
    const span = (minutes * 60_000) / PARTS;
    try {
      let figures: Figures = await report.part('start and idle memory', PARTS, () => starting(yard));
      for (const count of COUNTS) {
        const speed = await report.part(`clicks in the calculator, ${count} desktops`, PARTS, () =>
          withStations(yard, count, ['galculator'], stations => onScreens(stations, span)),
        );
        figures = { ...figures, [`steps_per_s_${count}`]: speed };
      }
      const gain = await report.part('one process per screenshot', PARTS, () =>
        withStations(yard, 8, ['galculator'], stations => besideExec(stations, span)),
      );
      const elements = await report.part('with elements', PARTS, () =>
        withStations(yard, 8, ['galculator'], stations => withElements(stations, span)),
      );
      const stale = await report.part('stale frames', PARTS, () =>
        withStations(yard, 8, ['galculator', 'mousepad'], stations => staleness(stations, span)),
      );
      figures = { ...figures, vs_exec: gain, elements_steps_per_s_8: elements, ...stale };
      const { version } = await yard.host.facts();
      const certainty = {
        stale_frames: ofShare(figures['stale_frames'], figures['stale_checked']),
        elements_stale_frames: ofShare(figures['elements_stale_frames'], figures['elements_stale_checked']),
      };
      return { figures, certainty, config: { image: yard.image }, versions: { engine: version } };
    } finally {
      await yard.close();
    }
  },
};

/** The counts behind a share, and its interval. */
function ofShare(share = Number.NaN, trials = 0): Certainty {
  const successes = Math.round(share * trials);
  const { low, high } = wilson({ successes, trials });
  return { successes, trials, low, high };
}

async function withStations<T>(
  yard: Yard,
  count: number,
  applications: readonly Application[],
  measure: (stations: readonly Station[]) => Promise<T>,
): Promise<T> {
  const stations: Station[] = [];
  try {
    // One after another: concurrent starts compete for the processors.
    for (let index = 0; index < count; index++)
      stations.push(await openStation(yard, applications[index % applications.length] ?? 'galculator'));
    return await measure(stations);
  } finally {
    for (const { session } of stations) session.close();
    await Promise.all(stations.map(({ container }) => container.remove()));
  }
}

type StationStep = (action: Action) => Promise<unknown>;

/** Steps per second of all stations, after a warm-up. */
async function speed(
  stations: readonly Station[],
  steps: readonly StationStep[],
  span: number,
): Promise<number> {
  const begin = performance.now() + WARM_UP_MS;
  let done = 0;
  await Promise.all(
    stations.map(async (station, index) => {
      const step = steps[index];
      for (let now = performance.now(); now < begin + span; ) {
        await step?.(station.next());
        now = performance.now();
        if (now >= begin && now < begin + span) done += 1;
      }
    }),
  );
  return (1000 * done) / span;
}

/** Opens the screens without elements. This ends the sessions. */
async function screens(stations: readonly Station[]): Promise<readonly Rfb[]> {
  for (const { session } of stations) session.close();
  return Promise.all(stations.map(({ warden }) => openScreen(warden)));
}

const settling =
  (screen: Rfb): StationStep =>
  async action => {
    await screen.act(action);
    return screen.settled();
  };

async function onScreens(stations: readonly Station[], span: number): Promise<number> {
  const open = await screens(stations);
  return speed(stations, open.map(settling), span);
}

/** The two ways take turns on the same desktops, so that other load affects both. */
async function besideExec(stations: readonly Station[], span: number): Promise<number> {
  const open = await screens(stations);
  const byExec = stations.map(
    ({ container }, index): StationStep =>
      async action => {
        await open[index]?.act(action);
        const fresh = await execScreen(container);
        await fresh.settled();
        fresh.close();
      },
  );
  const gains: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const ours = await speed(stations, open.map(settling), span / 6);
    gains.push(ours / (await speed(stations, byExec, span / 6)));
  }
  return median(gains);
}

const withElements = (stations: readonly Station[], span: number): Promise<number> =>
  speed(
    stations,
    stations.map(
      ({ session }) =>
        (action: Action) =>
          session.act(action),
    ),
    span,
  );

/** Acts and returns the settled frame; `later` returns the current one. */
interface FrameSource {
  act(action: Action): Promise<Pixels>;
  later(): Promise<Pixels>;
}

/** With elements first: opening the screens ends the sessions. */
async function staleness(stations: readonly Station[], span: number): Promise<Figures> {
  const byElements = stations.map(
    ({ session }): FrameSource => ({
      act: async action => (await session.act(action)).pixels,
      later: async () => (await session.look()).pixels,
    }),
  );
  const elements = await stale(stations, byElements, span / 2);
  const byScreen = (await screens(stations)).map(
    (screen): FrameSource => ({
      act: async action => {
        await screen.act(action);
        return screen.settled();
      },
      later: () => screen.drawn(),
    }),
  );
  const screen = await stale(stations, byScreen, span / 2);
  return {
    stale_frames: screen.stale / screen.checked,
    stale_checked: screen.checked,
    elements_stale_frames: elements.stale / elements.checked,
    elements_stale_checked: elements.checked,
  };
}

/** Counts frames that differ from the screen a moment later. The other desktops keep the machine busy. */
async function stale(stations: readonly Station[], sources: readonly FrameSource[], span: number) {
  let [checked, stale, steps] = [0, 0, 0];
  const checking = sources.map(
    ({ act, later }): StationStep =>
      async action => {
        const settled = await act(action);
        if (steps++ % CHECK_INTERVAL_STEPS !== 0) return;
        await sleep(CHECK_DELAY_MS);
        checked += 1;
        if (!same(settled, await later())) stale += 1;
      },
  );
  await speed(stations, checking, span);
  return { checked, stale };
}

const same = (a: Pixels, b: Pixels): boolean => a === b || Buffer.compare(a.data, b.data) === 0;

async function starting(yard: Yard): Promise<Figures> {
  const [times, memory, anew]: [number[], number[], number[]] = [[], [], []];
  let [forNew, forAnew] = [0, 0];
  const painted = async (warden: Warden) => {
    const screen = await openScreen(warden);
    while (!isPainted(screen.frame())) await sleep(2);
    screen.close();
  };
  for (let index = 0; index < STARTS; index++) {
    const start = stopwatch();
    const container = await yard.take();
    const { warden } = container;
    try {
      await painted(warden);
      const { milliseconds, processor } = start();
      times.push(milliseconds);
      forNew += processor;
      await sleep(IDLE_MS);
      memory.push(await memoryOf(yard, container.id));
      const again = stopwatch();
      await warden.reset();
      await painted(warden);
      const taken = again();
      anew.push(taken.milliseconds);
      forAnew += taken.processor;
    } finally {
      const end = stopwatch();
      warden.close();
      await container.remove();
      forNew += end().processor;
    }
  }
  return {
    ready_ms: median(times),
    idle_mib: median(memory) / MEBIBYTE,
    anew_ms: median(anew),
    new_vs_anew: forNew / forAnew,
  };
}

/** Milliseconds, and busy milliseconds of all processors, since the call. */
function stopwatch() {
  const busy = () =>
    cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
  const [from, before] = [performance.now(), busy()];
  return () => ({ milliseconds: performance.now() - from, processor: busy() - before });
}

/** The panel at the bottom of the screen is drawn. */
function isPainted({ width, height, data }: Pixels): boolean {
  const row = data.subarray((height - 8) * width * 4, (height - 7) * width * 4);
  return row.some((byte, index) => byte !== row[index % 4]);
}

/** As `docker stats` computes it: without the file cache. */
async function memoryOf({ host }: Yard, id: string): Promise<number> {
  const command =
    'cd /sys/fs/cgroup; cat memory.current memory/memory.usage_in_bytes; grep -h ^inactive_file memory.stat; grep ^total_inactive_file memory/memory.stat';
  const stream = await host.exec(id, ['sh', '-c', command]);
  let text = '';
  stream.onData(data => {
    text += Buffer.from(data).toString();
  });
  await stream.closed;
  const [used, inactive] = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  if (used === undefined || inactive === undefined)
    throw new Error(
      `Cannot read the memory of container ${id.slice(0, 12)} from its cgroup: ${JSON.stringify(text)}.`,
    );
  return used - inactive;
}
