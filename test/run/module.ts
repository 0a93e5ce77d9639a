// A module process for tests. Its options choose what it does; it reports in the register `needs`.

import { version } from '../../runtime/core/ids.ts';
import { runModule } from '../../runtime/run/module-child.ts';

export interface TestStart {
  readonly does:
    | 'stops'
    | 'stops quietly'
    | 'never stops'
    | 'ends by itself'
    | 'cannot prepare'
    | 'fails'
    | 'fails elsewhere'
    | 'fails with an item';
  readonly bytes: Uint8Array;
}

/** Rejects with the signal's reason. A timer keeps the process alive until then, as the work of a real module does. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const busy = setInterval(() => undefined, 60_000);
    const end = () => {
      clearInterval(busy);
      reject(signal.reason);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

runModule<TestStart>(async ({ does, bytes }, fabric, signal) => {
  if (does === 'cannot prepare') throw new RangeError('there is nothing to learn');
  await fabric.weights.set({ version: version(bytes.length), blob: bytes });
  const lessons = fabric.lessons.taker();
  return async () => {
    if (does === 'fails') throw new Error('out of weights');
    if (does === 'fails elsewhere') setTimeout(() => Promise.reject(new Error('a loose end')), 1);
    if (does === 'ends by itself') return;
    if (does === 'stops quietly') return await aborted(signal);
    if ((await fabric.lessons.depth()).waiting > 0) await lessons.take();
    await fabric.needs.set({ works: 1 });
    if (does === 'fails with an item') setTimeout(() => Promise.reject(new Error('a loose end')), 1);
    await aborted(signal).catch(() => undefined);
    await fabric.needs.set({ stops: 1 });
    if (does === 'never stops') await aborted(new AbortController().signal);
  };
});
