// An index thread that stops answering. Needs its bundle, which `npm test` builds first. Virtual time alone decides when it is killed.

import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { IndexThread } from '../../../runtime/data/index/index-thread.ts';
import { EMBEDDED } from '../../../runtime/data/index/place.ts';
import { blockable } from '../../blockable.ts';
import { passUntil } from '../../pass-until.ts';
import { INDEX_ENTRY } from '../open-stores.ts';
import { folder, trajectory } from '../trajectories.ts';
import { headOf, write } from './filled-index.ts';

const ALL = { filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 99 } as const;

test('an index thread that stops answering is reported within 15 s and replaced; no trajectory is lost or counted twice', async () => {
  const [root, clock, notices] = [folder(), new VirtualClock(), [] as string[]];
  const thread = blockable(INDEX_ENTRY);
  const index = await IndexThread.start(
    thread.entry,
    { root, place: EMBEDDED },
    message => notices.push(message),
    clock,
  );
  onTestFinished(() => index.close());
  // As the store does: the file is durable before the index hears of it.
  const add = (id: string) => {
    write(root, trajectory(id));
    return index.call('add', headOf(trajectory(id)));
  };
  await Promise.all(['a', 'b', 'c'].map(add));
  await thread.block();
  const answers = Promise.all([add('d'), add('e'), index.index.page(ALL), index.index.page(ALL)]);
  expect(await passUntil(clock, () => notices.length > 0)).toBeLessThanOrEqual(15_000);
  const reason = 'The index thread sent no heartbeat for 10 s and was killed.';
  expect(notices).toEqual([expect.stringContaining(reason)]);
  const [, , page] = await answers;
  expect(page.rows.map(({ id }) => String(id)).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  await add('f');
  const [rate] = await index.index.rates({ filter: {} });
  expect([rate?.trials, (await index.index.volume()).count]).toEqual([6, 6]);
  expect(notices).toHaveLength(1);
});

test('an index thread that stops answering while nobody asks is replaced too', async () => {
  const [clock, notices] = [new VirtualClock(), [] as string[]];
  const thread = blockable(INDEX_ENTRY);
  const home = { root: folder(), place: EMBEDDED };
  const index = await IndexThread.start(thread.entry, home, message => notices.push(message), clock);
  onTestFinished(() => index.close());
  await thread.block();
  await passUntil(clock, () => notices.length > 0);
  expect((await index.index.page(ALL)).total).toBe(0);
  expect(notices).toHaveLength(1);
});

test('an index on a server that is away is an error of whole sentences', async () => {
  const place = { kind: 'postgres', url: 'postgres://me@127.0.0.1:1/dartboard' } as const;
  const start = IndexThread.start(INDEX_ENTRY, { root: folder(), place }, expect.unreachable);
  await expect(start).rejects.toThrow(/127\.0\.0\.1:1\/dartboard cannot be used.*[^.]\.$/);
});
