// Opens the collector of a command: the daemon of this folder if one runs, otherwise this process.

import { userInfo } from 'node:os';
import { type Collections, StoredCollections } from '../collect/collections.ts';
import { TrajectoryStore } from '../data/store.ts';
import type { CollectionState } from '../protocol/daemon/collection.ts';
import { type EpisodeResult, MAX_RESULTS } from '../protocol/daemon/episode-result.ts';
import type { DaemonResults } from '../protocol/daemon/messages.ts';
import { RunFolders } from '../run/folders/run-folders.ts';
import type { DialledDaemon } from '../server/daemon-client.ts';
import type { CliContext } from './context.ts';
import { openInDaemonOrHere } from './daemon-or-here.ts';
import { configOfFolder } from './foreground.ts';

/** The caller closes it. */
export interface Collector extends Pick<Collections, 'follow' | 'cancel'> {
  /** A stop before it has begun ends it. */
  start(request: Parameters<Collections['start']>[0], stop: AbortSignal): ReturnType<Collections['start']>;
  results(...of: Parameters<Collections['results']>): Promise<ReturnType<Collections['results']>>;
  close(): Promise<void>;
}

/** `command` is the name that the daemon logs. */
export const collectorFor = (context: CliContext, command: string): Promise<Collector> =>
  openInDaemonOrHere(context, command, {
    throughDaemon: daemon => throughDaemon(daemon, context),
    here: () => inThisProcess(context),
  });

function throughDaemon(daemon: DialledDaemon, { printError }: Pick<CliContext, 'printError'>): Collector {
  return {
    start: ({ config, ...others }, stop) =>
      untilStopped(
        stop,
        // Only a collection that has begun can be cancelled.
        () =>
          printError(
            'The daemon is preparing it, and stops it then. Ctrl-C again leaves it running until the daemon exits, 30 s after its last client.',
          ),
        () => daemon.ask('collect.start', { ...others, config: { ...config } }),
      ),
    follow: (collection, after) => daemon.ask('collect.follow', { collection, after }),
    results: (collection, from) => daemon.ask('collect.results', { collection, from }),
    cancel: collection => daemon.ask('collect.cancel', { collection }),
    close: async () => daemon.close(),
  };
}

async function inThisProcess(context: CliContext): Promise<Collector> {
  const { root, entries, clock, environment, printError: notice } = context;
  const { index } = await configOfFolder(context.folder, undefined, environment);
  await new RunFolders(root).prepare();
  const store = await TrajectoryStore.open({ root, indexEntry: entries.index, index, clock, notice });
  const collections = new StoredCollections({
    ...{ store, root, entries, environment, clock },
    isGuest: () => false,
    // Nothing trains in this program.
    accepted: async () => undefined,
  });
  return {
    start: (request, stop) =>
      untilStopped(
        stop,
        () => void collections.close(),
        () => collections.start(request),
      ),
    follow: (collection, after) => collections.follow(collection, after),
    results: async (collection, from) => collections.results(collection, from),
    cancel: collection => collections.cancel(collection),
    async close() {
      await collections.close();
      await store.close();
    },
  };
}

async function untilStopped<T>(stop: AbortSignal, stopped: () => void, work: () => Promise<T>): Promise<T> {
  if (stop.aborted) stopped();
  stop.addEventListener('abort', stopped, { once: true });
  try {
    return await work();
  } finally {
    stop.removeEventListener('abort', stopped);
  }
}

/** All finished episodes from this number on. */
export async function resultsOf(
  collector: Pick<Collector, 'results'>,
  collection: string,
  from: number,
): Promise<DaemonResults['collect.results']> {
  const episodes: EpisodeResult[] = [];
  for (;;) {
    const next = await collector.results(collection, from + episodes.length);
    episodes.push(...next.episodes);
    if (next.episodes.length < MAX_RESULTS) return { ...next, episodes };
  }
}

/**
 * Passes every state to `report`, one after another, and resolves with the last one. `stop` cancels the collection, and so does a report that
 * fails: nobody would follow it any more.
 */
export async function followCollection(
  collector: Pick<Collector, 'follow' | 'cancel'>,
  begun: CollectionState,
  stop: AbortSignal,
  report: (state: CollectionState) => Promise<void> | void,
): Promise<CollectionState> {
  // A collection that has ended by itself cannot be cancelled any more.
  const cancel = () => collector.cancel(begun.collection).catch(() => undefined);
  stop.addEventListener('abort', cancel, { once: true });
  if (stop.aborted) void cancel();
  try {
    let state = begun;
    while (state.status === 'playing') {
      try {
        await report(state);
      } catch (error) {
        await cancel();
        throw error;
      }
      state = await collector.follow(state.collection, state.change);
    }
    await report(state);
    return state;
  } finally {
    stop.removeEventListener('abort', cancel);
  }
}

/** The name in the record of an accepted success. */
export function userName(): string {
  try {
    return userInfo().username || 'somebody';
  } catch {
    // A user without a name, as in some containers.
    return 'somebody';
  }
}
