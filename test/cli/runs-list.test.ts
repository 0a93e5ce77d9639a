import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listRuns } from '../../runtime/cli/runs.ts';
import { deleteRun } from '../../runtime/cli/runs-delete.ts';
import { defaults } from '../../runtime/config/presets.ts';
import type { RunId } from '../../runtime/core/ids.ts';
import { thisProcess } from '../../runtime/core/process-identity.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { FolderLock } from '../../runtime/data/files/lock.ts';
import { LOCK } from '../../runtime/data/files/places.ts';
import { DAEMON_FILE } from '../../runtime/protocol/daemon/daemon-file.ts';
import { RUN_FILE, RunFolders } from '../../runtime/run/folders/run-folders.ts';
import { openDaemon } from '../../runtime/server/daemon.ts';
import { expectNamed } from '../named-values.ts';
import { pagesFolder } from '../server/client.ts';
import { modelRunState } from '../server/model-run-state.ts';
import { OwnedRuns } from '../server/owned-runs.ts';
import { playedState, STARTED } from '../server/played-state.ts';
import { file } from './terminal/screen.ts';

let root: string;
let folders: RunFolders;
let older: RunId;
let newer: RunId;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'dartboard-runs-'));
  folders = new RunFolders(root);
  [older, newer] = [await made('older', 0), await made('newer', 1000)];
});
afterEach(() => rm(root, { recursive: true }));

async function made(seed: string, later: number): Promise<RunId> {
  const startedAt = STARTED + later;
  const run = await folders.create(new Date(startedAt), seed);
  const { seconds, of, about } = playedState(300);
  await folders.write({ run, status: 'ended', startedAt, seconds, of, about, config: defaults({}) });
  return run;
}

async function asked(deleted?: string, json = false, output = file()) {
  const remarks: string[] = [];
  const context = {
    ...{ folder: root, output, clock: new VirtualClock(), environment: {} },
    printError: (text: string) => void remarks.push(text),
  };
  const done =
    deleted === undefined ? listRuns(context, folders, json) : deleteRun(context, folders, deleted, false);
  const failure = await done.then(
    () => undefined,
    error => error.message,
  );
  return { text: output.text, remarks, failure };
}

test('the newest run comes first', async () => {
  const { text, remarks } = await asked();
  expect(text.split('\n').map(line => line.trim().split(' ')[0])).toEqual(['', 'run', newer, older, '', '']);
  expect(remarks).toEqual([]);
});

test('a terminal without a size shows the runs', async () => {
  const output = file();
  output.columns = 0;
  expect((await asked(undefined, false, output)).text).toContain(newer);
});

test('with --json the output is one line', async () => {
  const { text } = await asked(undefined, true);
  expect(text.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject([{ run: newer, seconds: 300 }, { run: older }]);
});

test('with --json a run with a model agent has its learner, its servers and its cost', async () => {
  const { seconds, of, about, learner, servers, spent } = modelRunState(300);
  const config = defaults({});
  await folders.write({
    ...{ run: newer, status: 'ended', startedAt: STARTED + 1000, seconds, of, about, config },
    ...{ learner, servers, spent },
  });
  const [first, second] = JSON.parse((await asked(undefined, true)).text);
  expect(first).toMatchObject({ run: newer, about: { agent: 'tars' }, learner, servers, spent });
  for (const name of ['learner', 'servers', 'spent']) expect(second).not.toHaveProperty(name);
});

test('a run is deleted by its name', async () => {
  expect((await asked(older)).text).toBe(`Run '${older}' is deleted.\n`);
  expect((await folders.list()).runs.map(({ run }) => run)).toEqual([newer]);
});

test('a daemon of the workspace deletes the run, also one that it does not list', async () => {
  await writeFile(join(root, newer, RUN_FILE), '{');
  const runs = new OwnedRuns(playedState(300, { run: older, status: 'ended' }));
  const daemon = await openDaemon({
    ...{ pages: pagesFolder(), port: 0, file: join(root, DAEMON_FILE), keepTraining: true },
    ...{ clock: new VirtualClock(), say: () => undefined, open: async () => runs },
  });
  expect((await asked(older)).text).toBe(`Run '${older}' is deleted.\n`);
  expect((await asked(newer)).text).toBe(`Run '${newer}' is deleted.\n`);
  expect(runs.asked).toEqual([`delete ${older}`, `delete ${newer}`]);
  // The command itself deletes nothing.
  expect(await readdir(root)).toEqual(expect.arrayContaining([older, newer]));
  await daemon.close();
});

test('an unknown name deletes nothing, and the error suggests the closest name', async () => {
  const { failure, text } = await asked(older.slice(0, -1));
  expectNamed(failure, `'${older.slice(0, -1)}'`, `'${older}'`);
  expect(text).toBe('');
  expect((await folders.list()).runs).toHaveLength(2);
});

test('a run that another program trains is listed, and not deleted', async () => {
  const other = new RunFolders(root, { ...thisProcess(), pid: process.ppid, began: '' });
  const release = await other.lock(older, 0);
  expect((await asked()).text).toContain(older);
  expect((await asked(older)).failure).toContain('Stop it');
  await release();
});

test('no run is deleted while another command without a daemon uses the trajectories', async () => {
  const other = { ...thisProcess(), pid: process.ppid, began: '' };
  const lock = new FolderLock(join(root, LOCK), 'this folder', other);
  await lock.take(0);
  const { failure, text } = await asked(older);
  expectNamed(failure, `'${older}'`, `process ${process.ppid}`, `'${root}'`, 'Wait until it ends');
  expect(text).toBe('');
  expect((await folders.list()).runs).toHaveLength(2);
  await lock.release();
  expect((await asked(older)).failure).toBeUndefined();
});

test('a damaged run is reported on standard error, and can be deleted', async () => {
  await writeFile(join(root, older, RUN_FILE), '{');
  const { text, remarks } = await asked(undefined, true);
  expect(JSON.parse(text)).toMatchObject([{ run: newer }]);
  expect(remarks[0]).toContain(`${older}`);
  expect((await asked(older)).failure).toBeUndefined();
  expect((await folders.list()).damaged).toEqual([]);
});
