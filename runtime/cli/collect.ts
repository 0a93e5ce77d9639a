// `dartboard collect`: collects successes for the success pool before or beside training. A daemon of this folder collects if one
// runs; otherwise this process does.

import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { total } from '../collect/attempt-counts.ts';
import { type Collections, StoredCollections } from '../collect/collections.ts';
import { resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import type { Clock } from '../core/clock.ts';
import { FolderInUseError } from '../data/files/lock.ts';
import { TrajectoryStore } from '../data/store.ts';
import type { Tier } from '../environments/suite.ts';
import {
  COLLECT_DEFAULTS,
  type CollectionState,
  type CollectPolicy,
  type WantedTasks,
} from '../protocol/daemon/collection.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { findDaemon } from '../protocol/daemon/find-daemon.ts';
import { count } from '../run/number-format.ts';
import { RunFolders } from '../run/run-folders.ts';
import { DialledDaemon } from '../server/daemon-client.ts';
import type { CliContext } from './context.ts';
import { minutesOption, parseTaskIds, parseTemperature, tierOption, wholeNumber } from './options.ts';
import { attemptTable } from './terminal/attempt-table.ts';
import { type Output, printLines, widthOfOutput } from './terminal/output.ts';

const MAX_INSTANCES = 32;
const MAX_ROLLOUTS = 1000;
const PROGRESS_INTERVAL_MS = 5000;

interface CollectOptions {
  readonly tier?: readonly Tier[];
  readonly tasks?: readonly string[];
  readonly from?: string;
  readonly oracle?: boolean;
  readonly instances: number;
  readonly rollouts: number;
  readonly temperature: number;
  readonly minutes?: number;
  readonly accept?: boolean;
}

export function addCollectCommand(program: Command, context: CliContext): void {
  program
    .command('collect')
    .description(
      'Collect successes for the success pool, hardest tasks first. Every run of this folder learns from the pool.',
    )
    .addOption(
      tierOption('tiers to play (default: the tasks of the weights, or of dartboard.json)').conflicts(
        'tasks',
      ),
    )
    .option('--tasks <ids>', 'tasks to play, as mail-star,notes-new', parseTaskIds)
    .option('--from <run>', 'run, or .safetensors file, whose weights play (default: the latest run)')
    .addOption(
      new Option('--oracle', 'play the scripted solutions, and accept them into the pool').conflicts([
        'from',
        'rollouts',
        'temperature',
      ]),
    )
    .option(
      '--instances <number>',
      'instances of each task',
      wholeNumber(1, MAX_INSTANCES),
      COLLECT_DEFAULTS.instances,
    )
    .option(
      '--rollouts <number>',
      'attempts at each instance',
      wholeNumber(1, MAX_ROLLOUTS),
      COLLECT_DEFAULTS.rollouts,
    )
    .option(
      '--temperature <number>',
      'sampling temperature; 1 samples the policy as trained',
      parseTemperature,
      COLLECT_DEFAULTS.temperature,
    )
    .addOption(minutesOption('time limit (default: none)'))
    .option('--accept', 'accept successes into the pool at once (default: a person accepts them)')
    .action((options: CollectOptions) => collect(context, options));
}

const wantedTasks = ({ tier, tasks }: CollectOptions): WantedTasks | undefined =>
  tier !== undefined ? { tiers: [...tier] } : tasks && { tasks: [...tasks] };

const player = ({ oracle, from, rollouts, temperature }: CollectOptions): CollectPolicy =>
  oracle
    ? { kind: 'script' }
    : { kind: 'weights', ...(from !== undefined && { from }), rollouts, temperature };

/** The daemon or this process; the caller closes it. */
type Collector = Omit<Collections, 'now'> & { close(): Promise<void> };

async function collect(context: CliContext, options: CollectOptions): Promise<void> {
  const { folder, clock, output } = context;
  const { instances, minutes, oracle, accept } = options;
  const stop = context.stopSignal();
  const { config } = resolve(await readConfig(join(folder, CONFIG_FILE)));
  const wanted = wantedTasks(options);
  const collector = await collectorFor(context);
  try {
    const begun = await collector.start({
      ...{
        config,
        who: userName(),
        by: player(options),
        instances,
        accepts: oracle === true || accept === true,
      },
      ...(wanted && { wanted }),
      ...(minutes !== undefined && { minutes }),
    });
    output.write(
      `${begun.told}: ${many(begun.instances, 'instance')} of ${many(begun.tasks, 'task')}, ${many(begun.tries, 'attempt')}.\n`,
    );
    const cancel = () => void collector.cancel(begun.collection).catch(ignoreEnded);
    stop.addEventListener('abort', cancel, { once: true });
    if (stop.aborted) cancel();
    const last = await followed(collector, begun, output, clock);
    stop.removeEventListener('abort', cancel);
    printLines(context, [[], ...attemptTable(last, widthOfOutput(output)), []]);
    for (const line of closingLines(last)) output.write(`${line}\n`);
    if (last.status === 'failed') throw new Error(`Collecting failed: ${last.message ?? 'no reason given'}`);
  } finally {
    await collector.close();
  }
}

/** A collection that has ended by itself cannot be cancelled any more. */
const ignoreEnded = (): void => undefined;

/** Prints progress, and resolves with the last state. */
async function followed(
  collector: Collector,
  begun: CollectionState,
  output: Output,
  clock: Clock,
): Promise<CollectionState> {
  let [state, printedAt] = [begun, clock.now()];
  while (state.status === 'playing') {
    state = await collector.follow(state.collection, state.change);
    if (clock.now() - printedAt < PROGRESS_INTERVAL_MS || state.status !== 'playing') continue;
    printedAt = clock.now();
    const { tried, succeeded, broken } = total(state.rows);
    const why = state.trouble === undefined ? '' : `; ${state.trouble}`;
    output.write(
      `${count(tried + broken)} of ${count(state.tries)} attempts, ${count(succeeded)} succeeded${why}\n`,
    );
  }
  return state;
}

async function collectorFor(context: CliContext): Promise<Collector> {
  const found = await findDaemon(join(context.folder, DAEMON_FILE));
  return found.kind === 'running'
    ? throughDaemon(await DialledDaemon.dial(found.daemon, 'dartboard collect'))
    : inThisProcess(context);
}

function throughDaemon(daemon: DialledDaemon): Collector {
  return {
    start: ({ config, ...others }) => daemon.ask('collect.start', { ...others, config: { ...config } }),
    follow: (collection, after) => daemon.ask('collect.follow', { collection, after }),
    cancel: collection => daemon.ask('collect.cancel', { collection }),
    close: async () => daemon.close(),
  };
}

async function inThisProcess({ root, entries, clock, printError }: CliContext): Promise<Collector> {
  const store = await openStore({ root, indexEntry: entries.index, clock, notice: printError });
  const collections = new StoredCollections({
    ...{ store, root, entries, clock },
    isGuest: () => false,
    // Nothing trains in this program.
    accepted: async () => undefined,
  });
  return {
    start: request => collections.start(request),
    follow: (collection, after) => collections.follow(collection, after),
    cancel: collection => collections.cancel(collection),
    async close() {
      await collections.close();
      await store.close();
    },
  };
}

async function openStore(options: Parameters<typeof TrajectoryStore.open>[0]): Promise<TrajectoryStore> {
  try {
    await new RunFolders(options.root).prepare();
    return await TrajectoryStore.open(options);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new Error(
      `Another process has the trajectories of this folder open, and it is no daemon that could collect (${error.message}). Wait until it ends, or end it.`,
      { cause: error },
    );
  }
}

function closingLines(last: CollectionState): readonly string[] {
  const { status, accepts } = last;
  const { broken, kept } = total(last.rows);
  const pool = accepts
    ? "They are in the success pool: 'dartboard train' and 'dartboard resume' use them."
    : 'They wait for a person to accept them. With --accept they enter the success pool at once.';
  return [
    ...(status === 'stopped' ? ['Stopped early. The successes so far are stored.'] : []),
    ...(broken > 0 ? [`${many(broken, 'attempt')} failed with the desktop and do not count.`] : []),
    kept === 0 ? 'No attempt succeeded, so nothing is stored.' : pool,
  ];
}

/** The name in the record of an accepted success. */
function userName(): string {
  try {
    return userInfo().username || 'somebody';
  } catch {
    // A user without a name, as in some containers.
    return 'somebody';
  }
}

const many = (number: number, thing: string): string => `${count(number)} ${thing}${number === 1 ? '' : 's'}`;
