// The Docker benchmark: how many steps a second real desktops make, how often a screen is taken before it has settled, what a process
// of its own for each screenshot would cost, and what a desktop takes to start and to stand idle.

import { cpus } from 'node:os';
import { setTimeout as passes } from 'node:timers/promises';
import type { Action } from '../../core/action.ts';
import type { Pixels } from '../../core/screen.ts';
import type { Rfb } from '../../environments/docker/rfb/connection.ts';
import type { Warden } from '../../environments/docker/warden.ts';
import { type Benchmark, type Figures, median } from '../report.ts';
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
const WARM_UP = 1000;
/** Every so many steps somebody looks again after a while, in milliseconds, whether anything has changed since. */
const CHECKED = 5;
const LATER = 300;
const STARTS = 5;
const IDLE = 3000;
const MEBIBYTE = 1 << 20;

export const docker: Benchmark = {
  name: 'docker',
  summary: 'steps of real desktops a second, stale frames, start and memory',
  run: async (report, { minutes = 4 }) => {
    const yard = await openYard(Math.max(...COUNTS), line => report.say(`  ${line}`));
    const span = (minutes * 60_000) / PARTS;
    try {
      let figures: Figures = await report.part('starting, and standing idle', PARTS, () => starting(yard));
      for (const count of COUNTS) {
        const speed = await report.part(`clicks in the calculator, desktops: ${count}`, PARTS, () =>
          withStations(yard, count, ['galculator'], stations => onScreens(stations, span)),
        );
        figures = { ...figures, [`steps_per_s_${count}`]: speed };
      }
      const gain = await report.part('a process for each screenshot, side by side', PARTS, () =>
        withStations(yard, 8, ['galculator'], stations => besideExec(stations, span)),
      );
      const elements = await report.part('with elements', PARTS, () =>
        withStations(yard, 8, ['galculator'], stations => withElements(stations, span)),
      );
      const stale = await report.part('stale frames', PARTS, () =>
        withStations(yard, 8, ['galculator', 'mousepad'], stations => staleness(stations, span)),
      );
      figures = { ...figures, vs_exec: gain, elements_steps_per_s_8: elements, ...stale };
      figures = Object.fromEntries(
        Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))]),
      );
      for (const [name, value] of Object.entries(figures)) report.say(`  ${name.padEnd(24)} ${value}`);
      const { version } = await yard.host.facts();
      return { figures, config: { image: yard.image }, versions: { node: process.version, engine: version } };
    } finally {
      await yard.close();
    }
  },
};

async function withStations<T>(
  yard: Yard,
  count: number,
  applications: readonly Application[],
  measure: (stations: readonly Station[]) => Promise<T>,
): Promise<T> {
  const stations: Station[] = [];
  try {
    // One after another: what starts at the same time waits for the same processors.
    for (let index = 0; index < count; index++)
      stations.push(await openStation(yard, applications[index % applications.length] ?? 'galculator'));
    return await measure(stations);
  } finally {
    for (const { session } of stations) session.close();
    await Promise.all(stations.map(({ container }) => container.remove()));
  }
}

type Step = (action: Action) => Promise<unknown>;

/** Steps a second of all together, after a while in which they are not counted. */
async function speed(stations: readonly Station[], steps: readonly Step[], span: number): Promise<number> {
  const begin = performance.now() + WARM_UP;
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

/** By the screens alone. The sessions are over then. */
async function screens(stations: readonly Station[]): Promise<readonly Rfb[]> {
  for (const { session } of stations) session.close();
  return Promise.all(stations.map(({ warden }) => openScreen(warden)));
}

const settling =
  (screen: Rfb): Step =>
  async action => {
    await screen.act(action);
    return screen.settled();
  };

async function onScreens(stations: readonly Station[], span: number): Promise<number> {
  const open = await screens(stations);
  return speed(stations, open.map(settling), span);
}

/** Turn by turn on the same desktops, so that whatever disturbs the machine disturbs both. */
async function besideExec(stations: readonly Station[], span: number): Promise<number> {
  const open = await screens(stations);
  const byExec = stations.map(
    ({ container }, index): Step =>
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

/** How one acts and is shown what came of it, and what is on the screen later. */
interface Shown {
  act(action: Action): Promise<Pixels>;
  later(): Promise<Pixels>;
}

/** Both ways, one after the other: by elements first, for afterwards the sessions are over. */
async function staleness(stations: readonly Station[], span: number): Promise<Figures> {
  const byElements = stations.map(
    ({ session }): Shown => ({
      act: async action => (await session.act(action)).pixels,
      later: async () => session.look().pixels,
    }),
  );
  const told = await stale(stations, byElements, span / 2);
  const byScreen = (await screens(stations)).map(
    (screen): Shown => ({
      act: async action => {
        await screen.act(action);
        return screen.settled();
      },
      later: () => screen.drawn(),
    }),
  );
  const seen = await stale(stations, byScreen, span / 2);
  return {
    stale_frames: seen.stale / seen.checked,
    stale_checked: seen.checked,
    elements_stale_frames: told.stale / told.checked,
    elements_stale_checked: told.checked,
  };
}

/** Of those frames that somebody looked at again. The desktops that are not looked at just then keep the machine busy. */
async function stale(stations: readonly Station[], shown: readonly Shown[], span: number) {
  let [checked, stale, steps] = [0, 0, 0];
  const looking = shown.map(
    ({ act, later }): Step =>
      async action => {
        const settled = await act(action);
        if (steps++ % CHECKED !== 0) return;
        await passes(LATER);
        checked += 1;
        if (!same(settled, await later())) stale += 1;
      },
  );
  await speed(stations, looking, span);
  return { checked, stale };
}

const same = (a: Pixels, b: Pixels): boolean => a === b || Buffer.compare(a.data, b.data) === 0;

async function starting(yard: Yard): Promise<Figures> {
  const [times, memory, anew]: [number[], number[], number[]] = [[], [], []];
  let [forNew, forAnew] = [0, 0];
  const painted = async (warden: Warden) => {
    const screen = await openScreen(warden);
    while (!isPainted(screen.frame())) await passes(2);
    screen.close();
  };
  for (let index = 0; index < STARTS; index++) {
    const start = taking();
    const container = await yard.take();
    const { warden } = container;
    try {
      await painted(warden);
      const { milliseconds, processor } = start();
      times.push(milliseconds);
      forNew += processor;
      await passes(IDLE);
      memory.push(await memoryOf(yard, container.id));
      const again = taking();
      await warden.reset();
      await painted(warden);
      const taken = again();
      anew.push(taken.milliseconds);
      forAnew += taken.processor;
    } finally {
      const end = taking();
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

/** What passes until it is asked: milliseconds by the clock, and of all processors that were not idle. */
function taking() {
  const busy = () =>
    cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
  const [from, before] = [performance.now(), busy()];
  return () => ({ milliseconds: performance.now() - from, processor: busy() - before });
}

/** Its panel stands at the bottom, and has something on it. */
function isPainted({ width, height, data }: Pixels): boolean {
  const row = data.subarray((height - 8) * width * 4, (height - 7) * width * 4);
  return row.some((byte, index) => byte !== row[index % 4]);
}

/** What the engine's own `stats` tell: without files that can be read again. */
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
    throw new Error(`the memory of container ${id.slice(0, 12)} cannot be read: ${JSON.stringify(text)}`);
  return used - inactive;
}
