// Stored successes are loaded a few at a time; an unreadable one is skipped.

import { expect, test, vi } from 'vitest';
import type { Event } from '../../../runtime/core/event.ts';
import { runId, trajectoryId } from '../../../runtime/core/ids.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { SuccessSummary } from '../../../runtime/data/pool/success-selection.ts';
import { SuccessLoader, type SuccessStore } from '../../../runtime/discovery/replay/success-loader.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import { trajectory } from '../../data/trajectories.ts';
import { PATIENCE } from '../../patience.ts';

const RUN = runId('run');

const known = (id: string): SuccessSummary => ({
  id: trajectoryId(id),
  isMember: true,
  since: 1,
  instruction: 'do it',
});

function remembering(memory: Partial<SuccessStore>) {
  const fabric = embeddedFabric();
  const clock = new VirtualClock();
  const stop = new AbortController();
  const one = new SuccessLoader({
    ...{ run: RUN, fabric, clock },
    memory: {
      summaries: async () => [],
      statusOf: async () => 'open',
      load: async ({ id, ...rest }) => ({ trajectory: trajectory(id), ...rest }),
      ...memory,
    },
  });
  const events: Event[] = [];
  const listening = (async () => {
    for await (const { event } of fabric.events.listen({ signal: stop.signal })) events.push(event);
  })();
  const end = async () => {
    stop.abort();
    await listening;
  };
  return { fabric, clock, stop, one, events, end };
}

test('no more wait in memory than a few, however much is stored, and all of it comes', async () => {
  const all = Array.from({ length: 100 }, (_, index) => known(`t${index}`));
  const { fabric, clock, stop, one, end } = remembering({ summaries: async () => all });
  const running = one.all(stop.signal);
  const taker = fabric.recollections.taker();
  const came: string[] = [];
  await clock.run(1000);
  expect((await fabric.recollections.depth()).waiting).toBe(16);
  while (came.length < all.length) {
    const taken = await taker.tryTake();
    if (taken === undefined) {
      await clock.run(clock.now() + 100);
      continue;
    }
    came.push(taken.item.trajectory.id);
    await taken.acknowledge();
    expect((await fabric.recollections.depth()).waiting).toBeLessThanOrEqual(16);
  }
  await running;
  // The newest comes last, and remains in a full replay memory.
  expect(came).toEqual(all.map(({ id }) => id).reverse());
  await end();
});

test('one whose file cannot be read is told, one that gave way is not, and the others come', async () => {
  const { fabric, stop, one, events, end } = remembering({
    summaries: async () => ['first', 'gone', 'damaged', 'last'].map(known),
    load: async ({ id, ...rest }) => {
      if (id === 'gone') return undefined;
      if (id === 'damaged') throw new Error('it is no zip');
      return { trajectory: trajectory(id), ...rest };
    },
  });
  await one.all(stop.signal);
  expect((await fabric.recollections.depth()).waiting).toBe(2);
  await vi.waitUntil(() => events.length > 0, PATIENCE);
  expect(events).toMatchObject([{ kind: 'health', healthy: false, message: 'it is no zip' }]);
  await end();
});

test('the loader ends with the signal, even if nobody takes its successes', async () => {
  const { clock, stop, one, end } = remembering({
    summaries: async () => Array.from({ length: 100 }, (_, index) => known(`t${index}`)),
  });
  const running = one.all(stop.signal);
  await clock.run(1000);
  await end();
  await clock.run(2000);
  await running;
});

test.each([
  [known('member'), true, 1],
  ['open' as const, true, 0],
  ['out' as const, false, 0],
])(
  'where something is said of a trajectory that is now %j to the run, the run hears that',
  async (standing, isMember, comes) => {
    const { fabric, one, end } = remembering({ statusOf: async () => standing });
    await one.one(trajectoryId('member'));
    for await (const { entry } of fabric.commands.read(0)) {
      expect(entry).toEqual({ kind: 'pool', run: RUN, trajectory: 'member', isMember });
      break;
    }
    expect((await fabric.recollections.depth()).waiting).toBe(comes);
    await end();
  },
);

test('a change after the channels of the run have closed is left to its next start, without an error', async () => {
  const loaded: string[] = [];
  const { fabric, one, events, end } = remembering({
    statusOf: async id => known(id),
    load: async ({ id }) => {
      loaded.push(id);
      return undefined;
    },
  });
  await fabric.close();
  await one.one(trajectoryId('late'));
  await end();
  expect({ loaded, events }).toEqual({ loaded: [], events: [] });
});

test('a scripted demonstration that was rejected or changed before is withdrawn or replaced; another one is left alone', async () => {
  const changed = known('changed');
  const { fabric, one, end } = remembering({
    statusOf: async id => (id === 'rejected' ? 'out' : id === 'changed' ? changed : 'open'),
  });
  for (const id of ['plain', 'rejected', 'changed']) await one.demonstrated(trajectoryId(id));
  const told: unknown[] = [];
  for await (const { entry } of fabric.commands.read(0)) {
    told.push(entry);
    if (told.length === 2) break;
  }
  expect(told).toMatchObject([
    { kind: 'pool', trajectory: 'rejected', isMember: false },
    { kind: 'pool', trajectory: 'changed', isMember: true },
  ]);
  expect((await fabric.recollections.depth()).waiting).toBe(1);
  await end();
});

test('the demonstrations by people are loaded again, and nothing else', async () => {
  const others = { ...known('other'), isMember: false };
  const { fabric, one, end } = remembering({
    summaries: async () => [known('second'), known('by-a-policy'), others, known('first')],
    load: async ({ id, ...rest }) => ({
      ...rest,
      trajectory: trajectory(id, {
        provenance: id.startsWith('by') ? { kind: 'rollout' } : { kind: 'human', who: 'ada' },
      }),
    }),
  });
  await one.demonstrations();
  const taker = fabric.recollections.taker();
  expect((await fabric.recollections.depth()).waiting).toBe(2);
  for (const id of ['first', 'second']) {
    const taken = await taker.take();
    expect(taken.item.trajectory.id).toBe(id);
    await taken.acknowledge();
  }
  await end();
});
