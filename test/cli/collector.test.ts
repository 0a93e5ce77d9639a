// The client side of a collection: following it to its end, and cancelling it.

import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collectorFor, followCollection } from '../../runtime/cli/collector.ts';
import { identityOf, thisProcess } from '../../runtime/core/process-identity.ts';
import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import { DAEMON_FILE } from '../../runtime/protocol/daemon/daemon-file.ts';
import { DAEMON_VERSION } from '../../runtime/protocol/daemon/messages.ts';
import { publishDaemon } from '../../runtime/server/daemon-file.ts';
import { pagesFolder, serve, TOKEN } from '../server/client.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';
import { contextWithoutProcesses } from './command-context.ts';
import { lockOfOther } from './lock-of-other.ts';

const PLAYING: CollectionState = {
  ...{ collection: 'evaluate-1', change: 0, status: 'playing', told: 'toy', accepts: false },
  ...{ instances: 1, tasks: 1, tries: 3, rows: [], members: {} },
};

/** Ends after this number of changes. */
function collectorOf(changes: number, cancelled?: () => Promise<never>) {
  const cancels: string[] = [];
  return {
    cancels,
    follow: async (_: string, after: number): Promise<CollectionState> => ({
      ...PLAYING,
      change: after + 1,
      status: after + 1 < changes ? 'playing' : 'ended',
    }),
    cancel: async (collection: string): Promise<CollectionState> => {
      cancels.push(collection);
      return cancelled?.() ?? PLAYING;
    },
  };
}

const FOREVER = Number.POSITIVE_INFINITY;
const never = () => new AbortController().signal;

test('every state is reported, and the last one returned', async () => {
  const changes: number[] = [];
  const collector = collectorOf(3);
  const last = await followCollection(collector, PLAYING, never(), ({ change }) => void changes.push(change));
  expect(last).toMatchObject({ change: 3, status: 'ended' });
  expect({ changes, cancels: collector.cancels }).toEqual({ changes: [0, 1, 2, 3], cancels: [] });
});

test('a report that fails cancels the collection, and its error is passed on', async () => {
  const collector = collectorOf(FOREVER);
  const report = async ({ change }: CollectionState) => {
    if (change === 2) throw new Error('The disk is full.');
  };
  await expect(followCollection(collector, PLAYING, never(), report)).rejects.toThrow('The disk is full.');
  expect(collector.cancels).toEqual(['evaluate-1']);
});

test('a cancellation that fails does not hide the error of the report', async () => {
  const collector = collectorOf(FOREVER, () => Promise.reject(new Error('The daemon ended.')));
  const report = () => Promise.reject(new Error('The disk is full.'));
  await expect(followCollection(collector, PLAYING, never(), report)).rejects.toThrow('The disk is full.');
  expect(collector.cancels).toEqual(['evaluate-1']);
});

describe('while another process has the trajectories of the folder', () => {
  function locked(passed: (now: number, folder: string) => Promise<void>) {
    const { context } = contextWithoutProcesses();
    const root = join(context.folder, 'runs');
    const lock = lockOfOther(root);
    let now = 0;
    const clock = {
      now: () => now,
      async sleep(milliseconds: number) {
        now += milliseconds;
        await passed(now, context.folder);
      },
    };
    return { context: { ...context, root, clock }, lock, now: () => now };
  }

  test('a daemon that publishes its file later collects', async () => {
    const server = await serve({ pages: pagesFolder(), runs: new ScriptedRuns() });
    onTestFinished(() => server.close());
    const { context, now } = locked(async (at, folder) => {
      if (at !== 9900) return;
      const about = { port: server.port, token: TOKEN, version: DAEMON_VERSION, startedAt: 0 };
      await publishDaemon(join(folder, DAEMON_FILE), { ...identityOf(thisProcess()), ...about });
    });
    const collector = await collectorFor(context, 'a test');
    expect(await collector.results('c', 0)).toMatchObject({ episodes: [] });
    await collector.close();
    expect(now()).toBe(9900);
  });

  test('an error after ten seconds names that process', async () => {
    const { context, lock, now } = locked(async () => undefined);
    await expect(collectorFor(context, 'a test')).rejects.toThrow(
      new RegExp(
        `published no address within 10 s\\. If it is a daemon that rebuilds its index, repeat .* Otherwise: The process ${lock.pid} `,
      ),
    );
    expect(now()).toBe(10_000);
  });
});
