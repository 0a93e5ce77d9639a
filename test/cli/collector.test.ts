// The client side of a collection: following it to its end, and cancelling it.

import { expect, test } from 'vitest';
import { followCollection } from '../../runtime/cli/collector.ts';
import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';

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
