// The data benchmark, with 100,000 trajectories: writing them durably, rebuilding their index, starting with an up-to-date index, and
// the queries of the panels.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { groupId, runId, seed, type TaskId, taskId, trajectoryId, version } from '../core/ids.ts';
import { type Random, seeded } from '../core/rng.ts';
import type { Step } from '../core/step.ts';
import { systemClock } from '../core/system-clock.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { INDEX } from '../data/files/places.ts';
import type { TrajectoryIndex } from '../data/index/queries.ts';
import { TrajectoryStore } from '../data/store.ts';
import { SORTS } from '../protocol/daemon/trajectories.ts';
import { TREND_PARTS } from '../server/trajectories/task-rows.ts';
import { type Benchmark, quantile, type Report } from './report.ts';

const TRAJECTORIES = 100_000;
/** The duration with all trajectories, about. */
const MINUTES = 6;
const PARTS = 4;
const STEPS = 10;
const TASKS = 60;
/** Concurrent writes. */
const CONCURRENT = 256;
const ROUNDS = 40;
const FOLDER = join('bench-results', 'data');

export const data: Benchmark = {
  name: 'data',
  summary: 'writing 100,000 trajectories durably, rebuilding their index, and querying it',
  run: async (report, { minutes = MINUTES }) => {
    const count = Math.max(1000, Math.round(Math.min(1, minutes / MINUTES) * TRAJECTORIES));
    const root = join(FOLDER, String(count));
    const part = <T>(name: string, measure: () => Promise<T>) => report.part(name, PARTS, measure);
    const perSecond = await part(`${count} trajectories written`, () => ingest(root, count, report));
    const rebuild = await part('index rebuilt', async () => {
      await rm(join(root, INDEX));
      return startSeconds(root, count);
    });
    const queryTimes = await part('queries of the panels', () => measureQueries(root));
    const start = await part('start with an up-to-date index', () => startSeconds(root, count));
    await rm(FOLDER, { recursive: true });
    // Both durations grow with the number of trajectories.
    const scale = TRAJECTORIES / count;
    const figures = {
      ingest_per_s: perSecond,
      rebuild_s_100k: scale * rebuild,
      query_p99_ms: quantile(Object.values(queryTimes).flat(), 0.99),
      query_p50_ms: quantile(Object.values(queryTimes).flat(), 0.5),
      start_s_100k: scale * start,
    };
    const slowest = Object.entries(queryTimes).map(([name, each]) => [name, quantile(each, 0.99)] as const);
    return {
      figures,
      config: { trajectories: count, steps: STEPS, at_once: CONCURRENT, p99_ms: Object.fromEntries(slowest) },
    };
  },
};

/** A notice of the store is an error here. */
export const openStore = (root: string): Promise<TrajectoryStore> =>
  TrajectoryStore.open({
    root,
    indexEntry: new URL('./index.js', import.meta.url),
    clock: systemClock,
    notice: message => {
      throw new Error(message);
    },
  });

async function ingest(root: string, count: number, report: Report): Promise<number> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const store = await openStore(root);
  const random = seeded('trajectories');
  const from = performance.now();
  await ingestAll(store, count, index => {
    if ((index + 1) % 10_000 === 0)
      report.say(`    ${index + 1} after ${((performance.now() - from) / 1000).toFixed(1)} s`);
    return randomTrajectory(random, index + 1);
  });
  const perSecond = (1000 * count) / (performance.now() - from);
  await store.close();
  return perSecond;
}

/** Writes `count` trajectories, many at once. */
export async function ingestAll(
  store: TrajectoryStore,
  count: number,
  trajectoryAt: (index: number) => Trajectory,
): Promise<void> {
  let next = 0;
  const ingesting = Array.from({ length: CONCURRENT }, async () => {
    while (next < count) await store.ingest(trajectoryAt(next++));
  });
  await Promise.all(ingesting);
}

async function startSeconds(root: string, count: number): Promise<number> {
  const from = performance.now();
  const store = await openStore(root);
  const { total } = await store.index.page({ ...NEWEST, offset: 0 });
  const time = performance.now() - from;
  await store.close();
  if (total !== count)
    throw new Error(`The index in '${root}' has ${total} trajectories, but ${count} were written.`);
  return time / 1000;
}

const NEWEST = { filter: {}, sort: 'endedAt', descending: true, limit: 50 } as const;

type QueryTimes = Readonly<Record<string, readonly number[]>>;

/** Milliseconds of each query, as a panel waits for it. */
async function measureQueries(root: string): Promise<QueryTimes> {
  const store = await openStore(root);
  const random = seeded('questions');
  const times: Record<string, number[]> = {};
  const { total } = await store.index.page({ ...NEWEST, offset: 0 });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, query] of Object.entries(queriesOf(random, total))) {
      const from = performance.now();
      await query(store.index);
      const spent = times[name] ?? [];
      spent.push(performance.now() - from);
      times[name] = spent;
    }
  }
  await store.close();
  return times;
}

function queriesOf(
  random: Random,
  total: number,
): Readonly<Record<string, (index: TrajectoryIndex) => Promise<unknown>>> {
  const task = taskNamed(random.int(TASKS));
  const suite = Array.from({ length: TASKS / 4 }, (_, index) => taskNamed(4 * index));
  const sort = SORTS[random.int(SORTS.length)] ?? 'endedAt';
  const descending = random.next() < 0.5;
  const offset = random.int(total);
  return {
    'newest page': index => index.page({ ...NEWEST, offset: random.int(200) }),
    'any page in any order': index => index.page({ ...NEWEST, sort, descending, offset }),
    'page of failures in training': index =>
      index.page({ ...NEWEST, sort, offset: 0, filter: { outcomes: ['failure'], purposes: ['train'] } }),
    'page of a task': index => index.page({ ...NEWEST, sort, offset: 0, filter: { tasks: [task] } }),
    'page of a suite': index => index.page({ ...NEWEST, sort, offset: 0, filter: { tasks: suite } }),
    'page of an instruction': index =>
      index.page({ ...NEWEST, sort, offset: 0, filter: { text: `template-${random.int(TASKS)}` } }),
    'page of some versions': index =>
      index.page({ ...NEWEST, sort, offset: 0, filter: { versions: { from: 100, to: 200 } } }),
    'trajectories to review': index => index.waiting({ offset: 0, limit: 50 }),
    'uncertain steps of a run, some of each task': index =>
      index.steps({ filter: { run: runId('run-0') }, by: 'task', offset: 0, limit: 12 }),
    'uncertain steps': index => index.steps({ filter: {}, offset: random.int(1000), limit: 60 }),
    'uncertain steps of a task that failed': index =>
      index.steps({ filter: { tasks: [task], outcomes: ['failure'] }, offset: 0, limit: 60 }),
    'uncertain drags': index => index.steps({ filter: { kinds: ['drag'] }, offset: 0, limit: 60 }),
    'rates by task': index => index.rates({ filter: { purposes: ['train'] } }),
    'rates over time': index => index.ratesOverTime({ filter: { purposes: ['train'] }, parts: TREND_PARTS }),
    'rates over time of a task': index =>
      index.ratesOverTime({ filter: { tasks: [task] }, parts: TREND_PARTS }),
  };
}

const taskNamed = (index: number): TaskId => taskId(`pocket-template-${index}`);

const START = Date.UTC(2026, 0, 1);

/** Of the size and shape of trajectories of the compact policy on the pocket desktop. */
function randomTrajectory(random: Random, number: number): Trajectory {
  const at = START + 1000 * number;
  return {
    id: trajectoryId(`bench-${number.toString(36)}-${random.int(1 << 30).toString(36)}`),
    run: runId(`run-${Math.floor(number / 50_000)}`),
    group: groupId(`group-${Math.floor(number / 8)}`),
    instance: { task: taskNamed(random.int(TASKS)), seed: seed(random.int(32)) },
    instruction:
      'Move the note called Shopping list to the folder Errands, and star the mail from Ada about it.',
    purpose: number % 8 === 0 ? 'evaluate' : 'train',
    mode: 'screenshot_a11y_tree',
    maxSteps: 15,
    provenance: { kind: 'rollout' },
    steps: Array.from({ length: STEPS }, () => randomStep(random, Math.floor(number / 64))),
    frames: { kind: 'redrawn', renderer: 'pocket-1' },
    outcome:
      random.next() < 0.02
        ? { kind: 'broken', failure: { boundary: 'environment', thing: 'desktop-3', message: 'it hung' } }
        : {
            kind: 'judged',
            ending: 'finished',
            verdict: {
              score: Number(random.next() < 0.4),
              why: 'the note is in the folder and the mail is not starred',
            },
          },
    startedAt: at - 9000,
    endedAt: at,
  };
}

function randomStep(random: Random, by: number): Step {
  const place = () => ({ x: random.int(1200), y: random.int(700) });
  const box = () => ({ ...place(), width: 80, height: 24 });
  const decision = (head: 'kind' | 'pointer', choices: number, alternatives: number) => ({
    head,
    choice: random.int(choices),
    choices,
    logProbability: -random.next(),
    entropy: random.next() * Math.log(choices),
    alternatives: Array.from({ length: alternatives }, (_, index) => ({
      choice: random.int(choices),
      logProbability: -index - random.next(),
      label: `the button Save as ${random.int(100)}`,
      ...(head === 'pointer' && { box: box() }),
    })),
  });
  const action =
    random.next() < 0.01
      ? ({ kind: 'drag', from: place(), to: place() } as const)
      : ({ kind: 'click', at: place() } as const);
  return {
    action,
    meant: [{ kind: 'element', index: random.int(80), box: box() }],
    chosen: {
      version: version(by),
      trace: { kind: 'heads', decisions: [decision('kind', 9, 2), decision('pointer', 80, 4)] },
    },
  };
}
