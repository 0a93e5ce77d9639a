import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { nodeDisk } from '../../runtime/core/disk.ts';
import { runId, trajectoryId } from '../../runtime/core/ids.ts';
import { thisProcess } from '../../runtime/core/process-identity.ts';
import { INDEX, LEDGER, LOCK, MARKS, placeOf } from '../../runtime/data/files/places.ts';
import type { TrajectoryIndex } from '../../runtime/data/index/queries.ts';
import { opened } from './open-stores.ts';
import { BROKEN, folder, judged, trajectory } from './trajectories.ts';

const ALL = { filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 99 } as const;

const numbered = (count: number, changes: Parameters<typeof trajectory>[1] = {}) =>
  Array.from({ length: count }, (_, number) => trajectory(`t${number}`, { endedAt: number, ...changes }));

test('an ingested trajectory can be read, also by the next process', async () => {
  const root = folder();
  const { store } = await opened({ root });
  const all = [...numbered(30), trajectory('shown-by-hand', { outcome: BROKEN })];
  await Promise.all(all.map(each => store.ingest(each)));
  await store.close();
  const { store: again, notices } = await opened({ root });
  expect(again.caughtUp).toEqual({ read: 0, complaints: [] });
  for (const each of all) expect(await again.read(each.id)).toEqual(each);
  expect(notices).toEqual([]);
});

test('a trajectory without a run is stored as well', async () => {
  const { store } = await opened({ root: folder() });
  const { run: _, group: __, ...unasked } = trajectory('imported');
  await store.ingest(unasked);
  expect(await store.read(unasked.id)).toEqual(unasked);
});

test('ingesting a trajectory again changes nothing', async () => {
  const { store } = await opened({ root: folder() });
  for (let time = 0; time < 3; time++) await store.ingest(trajectory('t'));
  await Promise.all([store.ingest(trajectory('t')), store.ingest(trajectory('t'))]);
  expect(await store.index.page(ALL)).toMatchObject({
    total: 1,
    rows: [{ id: 't', outcome: 'success' }],
  });
  expect((await store.index.rates({ filter: {} }))[0]?.trials).toBe(1);
});

test('an unknown id is an error', async () => {
  const root = folder();
  const { store } = await opened({ root });
  await expect(store.read(trajectoryId('none'))).rejects.toThrow(
    `No trajectory none in '${root}'. It does not exist, or retention deleted it.`,
  );
});

test('a query includes everything that was acknowledged before it', async () => {
  const { store } = await opened({ root: folder() });
  for (const each of numbered(20, { outcome: judged(0) })) {
    await store.ingest(each);
    expect((await store.index.row(each.id))?.outcome).toBe('failure');
    await store.label(each.id, { kind: 'verdict', success: true }, 'ada');
    expect((await store.index.row(each.id))?.outcome).toBe('success');
  }
});

test('a run with a deleted folder leaves the index, also for the next process', async () => {
  const root = folder();
  const { store } = await opened({ root });
  const run = runId('gone');
  for (const each of [...numbered(3), ...numbered(6, { run }).slice(3)]) await store.ingest(each);
  rmSync(join(root, run), { recursive: true });
  const sizes = await store.index.bytesByRun();
  expect([...sizes.keys()].sort()).toEqual(['gone', 'run-1']);
  expect((sizes.get(run) ?? 0) + (sizes.get(runId('run-1')) ?? 0)).toBe((await store.index.volume()).bytes);
  await store.forgetRun(run);
  const left = await store.index.page(ALL);
  expect(left.rows.map(({ id }) => id)).toEqual(['t2', 't1', 't0']);
  const steps = await store.index.steps({ filter: {}, offset: 0, limit: 99 });
  expect(new Set(steps.map(each => each.trajectory))).toEqual(new Set(['t0', 't1', 't2']));
  await store.close();
  const { store: again } = await opened({ root });
  expect(await again.index.page(ALL)).toEqual(left);
});

test('labels have author and time, and survive a rebuild of the index', async () => {
  const root = folder();
  const { store } = await opened({ root });
  await store.ingest(trajectory('t', { outcome: judged(0) }));
  await store.label(trajectoryId('t'), { kind: 'label', label: 'odd' }, 'ada');
  await store.label(trajectoryId('t'), { kind: 'key-step', step: 0, isKey: true }, 'ada');
  await store.label(trajectoryId('t'), { kind: 'label', label: 'nice' }, 'bob');
  await store.close();
  expect(JSON.parse(readFileSync(join(root, MARKS), 'utf8').split('\n')[0] ?? '')).toEqual({
    ...{ trajectory: 't', who: 'ada', at: 7, kind: 'label', label: 'odd' },
  });
  rmSync(join(root, INDEX));
  const { store: again } = await opened({ root });
  expect(again.caughtUp.read).toBe(1);
  const { rows } = await again.index.page({ ...ALL, filter: { label: 'nice' } });
  expect(rows).toMatchObject([{ id: 't', label: 'nice', keySteps: [0] }]);
});

test('an incomplete record at the end of a journal is removed and reported', async () => {
  const root = folder();
  const { store } = await opened({ root });
  await store.ingest(trajectory('t'));
  await store.label(trajectoryId('t'), { kind: 'note', text: 'whole' }, 'ada');
  await store.close();
  appendFileSync(join(root, MARKS), '{"trajectory":"t","who":"ad');
  const { store: again, notices } = await opened({ root });
  expect(notices).toEqual([
    expect.stringMatching(/ended in an incomplete record, which was removed: {"trajectory"/),
  ]);
  await again.label(trajectoryId('t'), { kind: 'label', label: 'after' }, 'ada');
  expect(await again.index.row(trajectoryId('t'))).toMatchObject({ note: 'whole', label: 'after' });
});

test('a damaged file is reported by name, and the others are indexed', async () => {
  const root = folder();
  const { store } = await opened({ root });
  for (const each of numbered(3)) await store.ingest(each);
  await store.close();
  const { id, run } = trajectory('t1');
  writeFileSync(join(root, placeOf(id, run)), 'no archive at all, but long enough to look like one');
  rmSync(join(root, INDEX));
  const { store: again, notices } = await opened({ root });
  expect(notices).toEqual([expect.stringContaining(`${placeOf(id, run)}' cannot be read`)]);
  expect((await again.index.page(ALL)).total).toBe(2);
});

test('a deleted trajectory leaves a ledger line, still counts, and its file is deleted', async () => {
  const root = folder();
  const { store } = await opened({ root, budget: { count: 20, bytes: 1e9 } });
  const all = numbered(100, { outcome: judged(0) });
  await store.ingest(trajectory('success', { endedAt: 0 }));
  await store.ingest(trajectory('labelled', { endedAt: 0, outcome: judged(0) }));
  await store.label(trajectoryId('labelled'), { kind: 'label', label: 'odd' }, 'ada');
  for (const each of all) await store.ingest(each);
  await store.close();
  const { store: again } = await opened({ root });
  const { total, rows } = await again.index.page(ALL);
  expect(total).toBeLessThanOrEqual(20);
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(['success', 'labelled']));
  expect(await again.index.rates({ filter: {} })).toMatchObject([{ trials: 102, successes: 1 }]);
  const deleted = readFileSync(join(root, LEDGER), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(deleted).toHaveLength(102 - total);
  expect(deleted[0]).toMatchObject({
    purpose: 'train',
    outcome: 'failure',
    score: 0,
    steps: 1,
    deletedAt: 7,
  });
  for (const { id, run } of deleted) expect(existsSync(join(root, placeOf(id, run)))).toBe(false);
  await again.close();
  rmSync(join(root, INDEX));
  const { store: anew } = await opened({ root });
  expect(await anew.index.rates({ filter: {} })).toMatchObject([{ trials: 102, successes: 1 }]);
});

test('the budget holds when trajectories arrive during a deletion', async () => {
  for (const arriving of [23, 30, 42]) {
    const root = folder();
    const { store } = await opened({ root, budget: { count: 20, bytes: 1e9 } });
    for (const each of numbered(arriving, { outcome: judged(0) })) await store.ingest(each);
    await store.close();
    const { store: again } = await opened({ root });
    expect((await again.index.page(ALL)).total).toBeLessThanOrEqual(20);
    await again.close();
  }
});

test('a store that a live process holds cannot be opened twice', async () => {
  const root = folder();
  // The parent process is alive.
  const { place, boot } = thisProcess();
  const lockedBy = (pid: number) =>
    writeFileSync(join(root, LOCK), JSON.stringify({ pid, place, boot, began: '', since: 1 }));
  lockedBy(process.ppid);
  await expect(opened({ root })).rejects.toThrow(`process ${process.ppid} `);
  // No process has a number that high.
  lockedBy(2_000_000_000);
  await (await opened({ root })).store.close();
  expect(existsSync(join(root, LOCK))).toBe(false);
});

test('if all trajectories are marked, nothing is deleted, and that is reported', async () => {
  const root = folder();
  const { store } = await opened({ root });
  for (const each of numbered(10)) {
    await store.ingest(each);
    await store.label(each.id, { kind: 'pool', isMember: true }, 'ada');
  }
  await store.close();
  const { store: again, notices } = await opened({ root, budget: { count: 5, bytes: 1e9 } });
  await expect.poll(() => notices).toEqual([expect.stringContaining('exceed the storage budget')]);
  // An unmarked one is deleted at once.
  await again.ingest(trajectory('one-more', { endedAt: 99 }));
  await again.close();
  const { store: last } = await opened({ root });
  expect((await last.index.page({ ...ALL, filter: { isInPool: true } })).total).toBe(10);
  expect((await last.index.page(ALL)).total).toBe(10);
});

/** A scripted solution, which every run receives. */
function shown(id: string, changes: Parameters<typeof trajectory>[1] = {}) {
  const { run: _, group: __, ...unasked } = trajectory(id, { purpose: 'demonstrate', ...changes });
  return unasked;
}

test('a scripted solution that every run stores again does not add to the volume', async () => {
  const { store, notices } = await opened({ root: folder(), budget: { count: 20, bytes: 1e9 } });
  for (let run = 0; run < 5; run++)
    for (let number = 0; number < 10; number++) await store.ingest(shown(`shown-${number}`));
  for (const each of numbered(12)) await store.ingest(each);
  await store.close();
  expect(notices).toEqual([]);
});

test('a marked solution is replaced by a new one only on request, and keeps its marks', async () => {
  const { store } = await opened({ root: folder() });
  const id = trajectoryId('t');
  await store.ingest(shown(id));
  await store.ingest(shown(id, { endedAt: 3000 }));
  expect(await store.read(id)).toMatchObject({ endedAt: 3000 });
  await store.label(id, { kind: 'trim', part: { from: 0, to: 1 } }, 'ada');
  await store.ingest(shown(id, { endedAt: 4000 }));
  expect(await store.read(id)).toMatchObject({ endedAt: 3000 });
  await store.ingest(shown(id, { endedAt: 5000 }), { replacesMarked: true });
  expect(await store.read(id)).toMatchObject({ endedAt: 5000 });
  expect(await store.index.row(id)).toMatchObject({ endedAt: 5000, trim: { from: 0, to: 1 } });
});

test('while the index does not answer, a new solution is stored, and a stored one stays, since it may be marked', async () => {
  const { store } = await opened({ root: folder() });
  const id = trajectoryId('t');
  await store.ingest(shown(id, { endedAt: 3000 }));
  await store.label(id, { kind: 'trim', part: { from: 0, to: 1 } }, 'ada');
  const row = vi.spyOn(store.index, 'row').mockRejectedValue(new Error('The index is away.'));
  await store.ingest(shown(id, { endedAt: 4000 }));
  await store.ingest(shown('new'));
  row.mockRestore();
  expect(await store.read(id)).toMatchObject({ endedAt: 3000 });
  expect(await store.read(trajectoryId('new'))).toEqual(shown('new'));
});

test('a file that cannot be deleted is reported once, stays indexed and counts once', async () => {
  const root = folder();
  const { store, notices } = await opened({ root });
  const all = numbered(30, { outcome: judged(0) });
  for (const each of all) await store.ingest(each);
  const [first] = all;
  const path = join(root, placeOf(trajectoryId('t0'), first?.run));
  const bytes = readFileSync(path);
  rmSync(path);
  mkdirSync(path);
  store.keepWithin({ count: 20, bytes: 1e9 });
  for (const each of all) await store.ingest({ ...each, id: trajectoryId(`more-${each.id}`) });
  await store.close();
  expect(notices).toEqual([expect.stringMatching(/^Cannot delete 1 old trajectories/)]);
  rmSync(path, { recursive: true });
  writeFileSync(path, bytes);
  const { store: again } = await opened({ root });
  expect((await again.index.rates({ filter: {} }))[0]?.trials).toBe(60);
  // Its second deletion adds a second line to the ledger.
  again.keepWithin({ count: 2, bytes: 1e9 });
  await again.close();
  expect(existsSync(path)).toBe(false);
  rmSync(join(root, INDEX));
  const { store: rebuilt } = await opened({ root });
  expect((await rebuilt.index.rates({ filter: {} }))[0]?.trials).toBe(60);
});

test('a store whose index cannot be saved closes, reports it, and loses nothing', async () => {
  const root = folder();
  const { store, notices } = await opened({ root });
  await store.ingest(trajectory('t'));
  // A file does not replace a folder.
  rmSync(join(root, INDEX));
  mkdirSync(join(root, INDEX));
  await store.close();
  expect(notices).toEqual([
    expect.stringMatching(
      /^The index '.*' cannot be saved: .+\. The next start reads what it lacks from the trajectories\.$/,
    ),
  ]);
  expect(existsSync(join(root, LOCK))).toBe(false);
  rmSync(join(root, INDEX), { recursive: true });
  const { store: again } = await opened({ root });
  expect((await again.index.page(ALL)).total).toBe(1);
});

test('a removed folder is created again', async () => {
  const root = folder();
  const { store } = await opened({ root });
  await store.ingest(trajectory('t'));
  rmSync(join(root, 'run-1'), { recursive: true });
  await store.ingest(trajectory('t')).catch(() => undefined);
  await store.ingest(trajectory('t'));
  expect(await store.read(trajectoryId('t'))).toMatchObject({ id: 't' });
});

test('an index that does not start is an error and releases the folder', async () => {
  const root = folder();
  const nothing = new URL('file:///nowhere/index.js');
  await expect(opened({ root, indexEntry: nothing })).rejects.toThrow(
    /index thread did not get ready: .*nowhere/,
  );
  expect(existsSync(join(root, LOCK))).toBe(false);
});

test('an index that fails while the store opens is closed, and the folder is released', async () => {
  const closed: string[] = [];
  const index: Partial<TrajectoryIndex> = { volume: () => Promise.reject(new Error('The index is away.')) };
  const machine = {
    disk: nodeDisk,
    lock: async () => async () => void closed.push('lock'),
    startIndex: async () => ({
      ...{ caughtUp: { read: 0, complaints: [] }, index: index as TrajectoryIndex },
      call: async () => undefined as never,
      close: async () => void closed.push('index'),
    }),
  };
  await expect(opened({ root: folder(), machine })).rejects.toThrow('The index is away.');
  expect(closed).toEqual(['index', 'lock']);
});

test('a later budget applies at once', async () => {
  const root = folder();
  const { store } = await opened({ root });
  await Promise.all(numbered(40, { outcome: judged(0) }).map(each => store.ingest(each)));
  store.keepWithin({ count: 20, bytes: 1e9 });
  await store.close();
  const { store: again } = await opened({ root });
  expect((await again.index.volume()).count).toBe(18);
  expect((await again.index.rates({ filter: {} })).reduce((sum, { trials }) => sum + trials, 0)).toBe(40);
});

test('trajectories that a run needs stay while it needs them', async () => {
  const { store } = await opened({ root: folder() });
  const needed = trajectory('needed', { endedAt: 0 });
  await store.ingest(needed);
  await Promise.all(numbered(40, { outcome: judged(1), endedAt: 5 }).map(each => store.ingest(each)));
  store.protect(() => new Set([needed.id]));
  store.keepWithin({ count: 20, bytes: 1e9 });
  await expect.poll(async () => (await store.index.volume()).count).toBe(18);
  expect(await store.index.row(needed.id)).toBeDefined();
  store.protect();
  store.keepWithin({ count: 10, bytes: 1e9 });
  await expect.poll(async () => (await store.index.volume()).count).toBe(9);
  expect(await store.index.row(needed.id)).toBeUndefined();
});

test('a trajectory that a run needs since its selection for deletion stays', async () => {
  const { store } = await opened({ root: folder() });
  const needed = trajectory('needed', { endedAt: 0 });
  await store.ingest(needed);
  await Promise.all(numbered(40, { outcome: judged(1), endedAt: 5 }).map(each => store.ingest(each)));
  let isSelected = false;
  store.protect(() => {
    const ids = isSelected ? [needed.id] : [];
    isSelected = true;
    return new Set(ids);
  });
  store.keepWithin({ count: 20, bytes: 1e9 });
  await expect.poll(async () => (await store.index.volume()).count).toBe(19);
  expect(await store.index.row(needed.id)).toBeDefined();
});
