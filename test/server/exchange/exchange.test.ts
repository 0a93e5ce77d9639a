import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseConfig } from '../../../runtime/config/config.ts';
import { seed, type TrajectoryId, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { IndexedTrajectory } from '../../../runtime/data/index/queries.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { type ExchangeOptions, TrajectoryExchange } from '../../../runtime/server/exchange/exchange.ts';
import { folder, trajectory } from '../../data/trajectories.ts';

/** Trajectories in the order of their start, of which retention deletes the oldest after the first page. */
function shrinking(ids: readonly TrajectoryId[], forgotten: number) {
  let rows = ids.map((id, index) => {
    const instance = { task: taskId('notes-save-as'), seed: seed(index) };
    return { ...trajectory(id, { instance }), id } as unknown as IndexedTrajectory;
  });
  let pages = 0;
  const read: TrajectoryId[] = [];
  const store = {
    index: {
      page: async ({
        offset,
        limit,
        descending,
      }: Parameters<ExchangeOptions['store']['index']['page']>[0]) => {
        const sorted = descending ? rows.toReversed() : rows;
        const page = { total: rows.length, rows: sorted.slice(offset, offset + limit), upTo: ids.length };
        if (pages++ === 0) rows = rows.slice(forgotten);
        return page;
      },
    },
    read: async (id: TrajectoryId) => {
      read.push(id);
      throw new Error('It is not stored here.');
    },
  } as unknown as ExchangeOptions['store'];
  return { store, read };
}

test('retention during an export hides no trajectory that stays', async () => {
  const ids = Array.from({ length: 1200 }, (_, index) => trajectoryId(`t${index}`));
  const { store, read } = shrinking(ids, 300);
  const exchange = new TrajectoryExchange({
    ...{ store, clock: new VirtualClock(), config: async () => parseConfig({}) },
    redraw: () => Promise.reject(new Error('Nothing is drawn.')),
  });
  await exchange
    .export({ format: 'agentnet', out: join(folder(), 'out') })
    // Nothing can be read here.
    .catch(() => undefined);
  expect(read).toEqual(ids.slice(300));
});

test('a run that is named twice is exported once', async () => {
  const ids = [trajectoryId('t1'), trajectoryId('t2')];
  const { store, read } = shrinking(ids, 0);
  const exchange = new TrajectoryExchange({
    ...{ store, clock: new VirtualClock(), config: async () => parseConfig({}) },
    redraw: () => Promise.reject(new Error('Nothing is drawn.')),
  });
  await exchange.export({ format: 'agentnet', out: join(folder(), 'out'), runs: ['one', 'one'] });
  expect(read).toEqual(ids);
});

test('an instance that cannot be made ends no export of a split, and is in none', async () => {
  const { task } = POCKET;
  const failing = vi.spyOn(POCKET, 'task').mockImplementation((id, number) => {
    if (number === seed(1)) throw new RangeError('{what.sign} has no value.');
    return task(id, number);
  });
  onTestFinished(() => failing.mockRestore());
  const ids = [0, 1, 2].map(index => trajectoryId(`t${index}`));
  const { store, read } = shrinking(ids, 0);
  const exchange = new TrajectoryExchange({
    ...{ store, clock: new VirtualClock(), config: async () => parseConfig({}) },
    redraw: () => Promise.reject(new Error('Nothing is drawn.')),
  });
  await exchange.export({ format: 'agentnet', out: join(folder(), 'out'), split: 'train' });
  expect(read).toEqual([ids[0], ids[2]]);
});

test('an exchange is listed until it ends, also while it waits for another', async () => {
  const { store } = shrinking([trajectoryId('t1')], 0);
  const exchange = new TrajectoryExchange({
    ...{ store, clock: new VirtualClock(), config: async () => parseConfig({}) },
    redraw: () => Promise.reject(new Error('Nothing is drawn.')),
  });
  const root = folder();
  const first = exchange.export({ format: 'agentnet', out: join(root, 'out') });
  const second = exchange.import({ path: join(root, 'nowhere') });
  expect(exchange.now).toEqual(['export', 'import']);
  await first;
  expect(exchange.now).toEqual(['import']);
  // A failure ends it as well.
  await expect(second).rejects.toThrow(/nowhere/);
  expect(exchange.now).toEqual([]);
});
