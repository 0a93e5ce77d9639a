// Folders of runs: create, list, measure and delete, but not while a process trains in them.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolve } from '../../../runtime/config/config.ts';
import { NO_SETTINGS } from '../../../runtime/config/settings.ts';
import { type RunId, runId, trajectoryId } from '../../../runtime/core/ids.ts';
import { thisProcess } from '../../../runtime/core/process-identity.ts';
import { markOf } from '../../../runtime/data/files/marks.ts';
import { MARKS, placeOf } from '../../../runtime/data/files/places.ts';
import { findWeights, RunInPoolError } from '../../../runtime/run/folders/run-folder.ts';
import {
  CHECKPOINTS,
  RUN_FILE,
  RunFolders,
  type RunRecord,
} from '../../../runtime/run/folders/run-folders.ts';

let root: string;
let folders: RunFolders;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'dartboard-runs-'));
  folders = new RunFolders(root);
});
afterEach(() => rm(root, { recursive: true }));

const { config } = resolve(NO_SETTINGS);
const recordOf = (run: RunId, some: Partial<RunRecord> = {}): RunRecord => ({
  run,
  status: 'ended',
  startedAt: 1000,
  seconds: 300,
  of: 300,
  about: { preset: 'scratch', mode: config.mode, seed: 'dartboard', tiers: [1], tasks: 12 },
  config,
  ...some,
});

const made = async (seed: string, some: Partial<RunRecord> = {}): Promise<RunId> => {
  const run = await folders.create(new Date(2026, 10, 20, 13, 0, 0), seed);
  await folders.write(recordOf(run, some));
  return run;
};

/** Of a process that is gone, of an earlier start of the machine, or of another one that lives. */
const lockedBy = (run: RunId, holder: object): Promise<void> =>
  writeFile(
    join(folders.path(run), 'lock'),
    JSON.stringify({ since: 1, place: thisProcess().place, began: '', ...holder }),
  );
const bootNow = async (): Promise<string> => {
  const run = await folders.create(new Date(), 'probe');
  const release = await folders.lock(run, 1);
  const { boot } = JSON.parse(await readFile(join(folders.path(run), 'lock'), 'utf8'));
  await release();
  await folders.delete(run, 1);
  return boot;
};

test('two runs of one second and seed get different folders, which git ignores', async () => {
  const time = new Date(2026, 10, 20, 13, 0, 0);
  expect(await folders.create(time, 'a')).toBe('2026-11-20-130000-a');
  expect(await folders.create(time, 'a')).toBe('2026-11-20-130000-a-2');
  expect(await readFile(join(root, '.gitignore'), 'utf8')).toBe('*\n');
});

test('run.json is read as it was written, and the last of several writes counts', async () => {
  const run = await made('a', { status: 'running', seconds: 1 });
  const last = recordOf(run, { message: 'no disk', status: 'failed', from: 'checkpoint-7' });
  await folders.write(last);
  expect(await folders.read(run)).toEqual(last);
  expect(await folders.read(runId('nothing'))).toBeUndefined();
  expect(await readdir(folders.path(run))).toEqual([RUN_FILE]);
});

test('a run that began before a rule about its settings stays readable', async () => {
  const { trainer } = config;
  const passes = { ...trainer.passes, hindsight: 5 };
  for (const changed of [
    { ...trainer, passes, shares: { ...trainer.shares, hindsight: 0 } },
    { ...trainer, policyWeight: 0, cloneWeight: 0 },
  ]) {
    const run = await made('a', { config: { ...config, trainer: changed } });
    expect((await folders.read(run))?.config.trainer).toEqual(changed);
  }
});

test('runs are listed newest first; other folders are skipped, and damaged runs are named', async () => {
  await made('old', { startedAt: 1 });
  await made('new', { startedAt: 2 });
  const bad = await made('bad');
  await writeFile(join(folders.path(bad), RUN_FILE), '{"format"');
  await mkdir(join(root, '_'));
  await mkdir(join(root, 'of an earlier program'));
  await writeFile(join(root, 'latest'), 'x');
  const { runs, damaged } = await folders.list();
  expect(runs.map(({ about, startedAt }) => [about.seed, startedAt])).toEqual([
    ['dartboard', 2],
    ['dartboard', 1],
  ]);
  expect(damaged).toEqual([
    { run: bad, why: expect.stringMatching(/run\.json' cannot be read: .*\. Restore .*delete /) },
  ]);
});

test('a workspace without the folder has no runs', async () => {
  expect(await new RunFolders(join(root, 'none')).list()).toEqual({ runs: [], damaged: [] });
});

test('a running run whose process is gone is listed as failed', async () => {
  const run = await made('a', { status: 'running' });
  const release = await folders.lock(run, 5);
  expect((await folders.list()).runs[0]).toMatchObject({ status: 'running', canResume: false });
  await release();
  expect((await folders.list()).runs[0]).toMatchObject({ status: 'failed', canResume: false });
});

test.each([
  'checkpoint-3.safetensors',
  // A model agent: its learner has the weights.
  'progress.json',
])('a run with %s and without a process can be resumed', async file => {
  const run = await made('a');
  await mkdir(join(folders.path(run), CHECKPOINTS));
  await writeFile(join(folders.path(run), CHECKPOINTS, file), 'weights');
  expect((await folders.list()).runs[0]?.canResume).toBe(true);
  await folders.lock(run, 5);
  expect((await folders.list()).runs[0]?.canResume).toBe(false);
});

test('the size of a run is that of all its files; a known size of its trajectories is not measured again', async () => {
  const run = await made('a');
  const put = async (place: string, bytes: number) => {
    await mkdir(join(folders.path(run), place, '..'), { recursive: true });
    await writeFile(join(folders.path(run), place), new Uint8Array(bytes));
  };
  const bytesOf = async (trajectories?: ReadonlyMap<RunId, number>) =>
    (await folders.list(trajectories)).runs[0]?.bytes ?? Number.NaN;
  const before = await bytesOf();
  await put('trajectories/ab/one.zip', 100);
  await put('trajectories/cd/two.zip', 50);
  await put('checkpoints/checkpoint-1.safetensors', 30);
  await put('curve.csv', 7);
  expect((await bytesOf()) - before).toBe(187);
  expect((await bytesOf(new Map([[run, 5000]]))) - before).toBe(5037);
  expect((await bytesOf(new Map())) - before).toBe(37);
});

test('deleting a run removes its files and the remains of earlier deletions', async () => {
  const run = await made('a');
  const other = await made('b');
  await mkdir(join(root, '.deleted-half', 'trajectories'), { recursive: true });
  await folders.delete(run, 1);
  expect((await readdir(root)).sort()).toEqual(['.gitignore', other]);
  await expect(folders.delete(run, 1)).rejects.toThrow(`The run '${run}' does not exist`);
});

test('a run with members of the success pool is deleted only with withPool', async () => {
  const run = await made('a');
  const other = await made('b');
  const put = async (of: RunId, id: string) => {
    const place = join(root, placeOf(trajectoryId(id), of));
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, '');
  };
  for (const id of ['accepted', 'withdrawn', 'unjudged']) await put(run, id);
  await put(other, 'elsewhere');
  const mark = (id: string, isMember: boolean) =>
    `${JSON.stringify(markOf({ kind: 'pool', isMember }, trajectoryId(id), 'ada', 1))}\n`;
  const marks = mark('withdrawn', true) + mark('elsewhere', true) + mark('withdrawn', false);
  await writeFile(join(root, MARKS), `${marks}${mark('accepted', true)}{"half`);
  await expect(folders.delete(run, 1)).rejects.toThrow(RunInPoolError);
  await expect(folders.delete(run, 1)).rejects.toThrow(new RegExp(`success pool.* 1 .*'${run}'`));
  expect(await readdir(folders.path(run))).toContain(RUN_FILE);
  await folders.delete(run, 1, { withPool: true });
  expect((await folders.list()).runs.map(each => each.run)).toEqual([other]);
});

test('a locked run cannot be deleted or locked again', async () => {
  const run = await made('a');
  const release = await folders.lock(run, Date.UTC(2026, 10, 20));
  await expect(folders.delete(run, 1)).rejects.toThrow(
    new RegExp(`process ${process.pid} .*2026-11-20T00:00:00.000Z.*delete`),
  );
  await expect(folders.lock(run, 1)).rejects.toThrow('has held this run');
  await release();
  await lockedBy(run, { pid: process.ppid, boot: await bootNow() });
  await expect(folders.delete(run, 1)).rejects.toThrow(`process ${process.ppid} `);
  expect(await folders.read(run)).toBeDefined();
});

test.each([
  ['its process is gone', async () => ({ pid: 2 ** 30, boot: await bootNow() })],
  ['the machine was restarted', async () => ({ pid: process.ppid, boot: 'another' })],
  ['its process had the id of this process', async () => ({ pid: process.pid, boot: await bootNow() })],
  ['it was written in part', async () => ({ pid: 'x' })],
])('a lock is stale if %s: it is reported, and the run can be locked', async (_, holder) => {
  const run = await made('a');
  await lockedBy(run, await holder());
  expect(await folders.stale()).toEqual([run]);
  const release = await folders.lock(run, 1);
  expect(await folders.stale()).toEqual([]);
  await release();
  expect(await readdir(folders.path(run))).toEqual([RUN_FILE]);
});

test('a lock that is being taken is not stale', async () => {
  const run = await made('a');
  await writeFile(join(folders.path(run), 'lock'), '');
  await expect(folders.lock(run, 1)).rejects.toThrow('Another process is locking this run');
  expect(await folders.stale()).toEqual([]);
});

test('after the latest run is deleted, the newest other run is the latest', async () => {
  for (const name of ['run-1', 'run-2', 'run-3']) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, 'weights.safetensors'), '');
  }
  await writeFile(join(root, 'latest'), 'run-3\n');
  await folders.delete(runId('run-1'), 1);
  expect(await findWeights(undefined, root)).toBe(join(root, 'run-3', 'weights.safetensors'));
  await folders.delete(runId('run-3'), 1);
  expect(await findWeights(undefined, root)).toBe(join(root, 'run-2', 'weights.safetensors'));
});
