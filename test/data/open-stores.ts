// Stores for tests, with the bundled index thread that `npm test` builds.

import { onTestFinished } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { type StoreOptions, TrajectoryStore } from '../../runtime/data/store.ts';

export const INDEX_ENTRY = new URL('../../dist/index.js', import.meta.url);
export const FRAMES_ENTRY = new URL('../../dist/frames.js', import.meta.url);

/** The store closes after the test, unless the test closes it. */
export async function opened(
  options: Pick<StoreOptions, 'root'> & Partial<StoreOptions>,
): Promise<{ readonly store: TrajectoryStore; readonly notices: readonly string[] }> {
  const notices: string[] = [];
  const store = await TrajectoryStore.open({
    indexEntry: INDEX_ENTRY,
    clock: new VirtualClock(7),
    notice: message => void notices.push(message),
    ...options,
  });
  onTestFinished(() => store.close());
  return { store, notices };
}
