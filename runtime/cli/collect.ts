// What `dartboard collect` does: collects successes of hard tasks before they are trained, and says task by task what it came to. Where a
// daemon runs in the folder, that collects, beside what it trains; otherwise this program does.

import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type ByTask, total } from '../collect/attempt-counts.ts';
import { type Collections, StoredCollections } from '../collect/collections.ts';
import { resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import type { Clock } from '../core/clock.ts';
import { type TaskId, taskId } from '../core/ids.ts';
import { InUse } from '../data/files/lock.ts';
import { TrajectoryStore } from '../data/store.ts';
import type { CollectionState } from '../protocol/daemon/collection.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { count } from '../run/number-format.ts';
import { RunFolders } from '../run/run-folders.ts';
import { DialledDaemon } from '../server/daemon-client.ts';
import { findDaemon } from '../server/daemon-file.ts';
import type { CollectOptions } from './collect-options.ts';
import { triesTable } from './terminal/attempt-table.ts';
import { indented, painted } from './terminal/line.ts';
import { hasColour, type Output } from './terminal/output.ts';

export interface Collect {
  readonly options: CollectOptions;
  readonly entries: { readonly host: URL; readonly worker: URL; readonly index: URL };
  /** The workspace, and where its runs are from there. */
  readonly folder: string;
  readonly root: string;
  readonly clock: Clock;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For what is no part of what is printed. */
  readonly remark: (text: string) => void;
  /** Aborted by the first Ctrl-C. */
  readonly stop: AbortSignal;
}

/** Milliseconds between two lines of progress. */
const TELL_EVERY = 5000;

/** Whoever collects, until it is closed. */
type Collector = Omit<Collections, 'now'> & { close(): Promise<void> };

export async function collect(asked: Collect): Promise<void> {
  const { options, folder, clock, output, environment, stop } = asked;
  const { config } = resolve(await readConfig(join(folder, CONFIG_FILE)));
  const { wanted, minutes, ...others } = options;
  const collector = await collectorFor(asked);
  try {
    const begun = await collector.start({
      ...{ ...others, config, who: whoami() },
      ...(wanted && { wanted }),
      ...(minutes !== undefined && { minutes }),
    });
    const { collection } = begun;
    output.write(
      `${begun.told}: ${many(begun.instances, 'instance')} of ${many(begun.tasks, 'task')}, ${begun.tries === 1 ? '1 try' : `${count(begun.tries)} tries`}.\n`,
    );
    const cancel = () => void collector.cancel(collection).catch(() => undefined);
    stop.addEventListener('abort', cancel, { once: true });
    if (stop.aborted) cancel();
    const came = await followed(collector, begun, output, clock);
    stop.removeEventListener('abort', cancel);
    const lines = indented([[], ...triesTable(byTask(came), membersOf(came)), []], 2);
    const colour = hasColour(output, environment);
    output.write(lines.map(line => `${painted(line, colour)}\n`).join(''));
    for (const line of closing(came)) output.write(`${line}\n`);
    if (came.status === 'failed')
      throw new Error(`Collecting broke off: ${came.message ?? 'it does not say why'}`);
  } finally {
    await collector.close();
  }
}

/** Resolves with how it ended. */
async function followed(
  collector: Collector,
  begun: CollectionState,
  output: Output,
  clock: Clock,
): Promise<CollectionState> {
  let [state, toldAt] = [begun, clock.now()];
  while (state.status === 'playing') {
    state = await collector.follow(state.collection, state.change);
    if (clock.now() - toldAt < TELL_EVERY || state.status !== 'playing') continue;
    toldAt = clock.now();
    const { tried, succeeded, broken } = total(byTask(state));
    const why = state.trouble === undefined ? '' : `; ${state.trouble}`;
    output.write(
      `${count(tried + broken)} of ${count(state.tries)} tried, ${count(succeeded)} succeeded${why}\n`,
    );
  }
  return state;
}

async function collectorFor(asked: Collect): Promise<Collector> {
  const found = await findDaemon(join(asked.folder, DAEMON_FILE));
  return found.kind === 'running'
    ? throughDaemon(await DialledDaemon.dial(found.daemon, 'dartboard collect'))
    : here(asked);
}

function throughDaemon(daemon: DialledDaemon): Collector {
  return {
    start: ({ config, wanted, ...others }) =>
      daemon.ask('collect.start', {
        ...others,
        config: { ...config },
        ...(wanted && {
          wanted: 'tasks' in wanted ? { tasks: [...wanted.tasks] } : { tiers: [...wanted.tiers] },
        }),
      }),
    follow: (collection, after) => daemon.ask('collect.follow', { collection, after }),
    cancel: collection => daemon.ask('collect.cancel', { collection }),
    close: async () => daemon.close(),
  };
}

async function here({ root, entries, clock, remark }: Collect): Promise<Collector> {
  const store = await opened({ root, indexEntry: entries.index, clock, notice: remark });
  const collections = new StoredCollections({
    ...{ store, root, entries, clock },
    isGuest: () => false,
    // Nothing trains in this program.
    accepted: async () => undefined,
  });
  return {
    start: asked => collections.start(asked),
    follow: (collection, after) => collections.follow(collection, after),
    cancel: collection => collections.cancel(collection),
    async close() {
      await collections.close();
      await store.close();
    },
  };
}

async function opened(options: Parameters<typeof TrajectoryStore.open>[0]): Promise<TrajectoryStore> {
  try {
    await new RunFolders(options.root).prepare();
    return await TrajectoryStore.open(options);
  } catch (error) {
    if (!(error instanceof InUse)) throw error;
    throw new Error(
      `Another Dartboard keeps the trajectories of this folder and cannot be asked to collect: wait until it has ended, or end it. (${error.message})`,
      { cause: error },
    );
  }
}

const byTask = ({ rows }: CollectionState): ByTask =>
  new Map(rows.map(({ task, ...tries }) => [taskId(task), tries]));

const membersOf = ({ members }: CollectionState): ReadonlyMap<TaskId, number> =>
  new Map(Object.entries(members).map(([task, size]) => [taskId(task), size]));

function closing(came: CollectionState): readonly string[] {
  const { status, accepts } = came;
  const { broken, kept } = total(byTask(came));
  const where = accepts
    ? "They are in the success pool: 'dartboard train' uses them, and so does 'dartboard resume'."
    : 'They wait to be accepted into the success pool; with --accept they go there at once.';
  return [
    ...(status === 'stopped' ? ['Stopped early: what was kept so far stays.'] : []),
    ...(broken > 0
      ? [`${count(broken)} broke off because of the infrastructure, and do not count as tried.`]
      : []),
    kept === 0 ? 'Nothing succeeded, so nothing is kept.' : where,
  ];
}

/** Who is named as having accepted it. */
function whoami(): string {
  try {
    return userInfo().username || 'somebody';
  } catch {
    // A user without a name, as in some containers.
    return 'somebody';
  }
}

const many = (number: number, thing: string): string => `${count(number)} ${thing}${number === 1 ? '' : 's'}`;
