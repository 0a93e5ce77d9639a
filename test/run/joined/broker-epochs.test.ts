// The streams of a broker and the blobs that a workspace may remove: those of its own runs that no process has.

import { appendFileSync, cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type RunId, runId } from '../../../runtime/core/ids.ts';
import { RunFolders } from '../../../runtime/run/folders/run-folders.ts';
import {
  abandonedEpochs,
  BLOBS,
  recordEpoch,
  removeAbandonedBlobs,
} from '../../../runtime/run/joined/broker-epochs.ts';
import { temporaryFolder } from '../../temporary.ts';

const [HERE, THERE] = ['this machine', 'another machine'];

function workspace() {
  const root = join(temporaryFolder('epochs'), 'runs');
  const folders = new RunFolders(root);
  const add = async (run: RunId, ...epochs: readonly string[]) => {
    mkdirSync(folders.path(run), { recursive: true });
    for (const epoch of epochs) await recordEpoch(folders.path(run), epoch, HERE);
  };
  return { root, folders, add };
}
const NEW = runId('new');
const [ONE, OTHER] = [runId('2026-11-20-131949-dartboard'), runId('2026-11-20-131950-dartboard')];

test('all recorded epochs of runs without a process are abandoned, and those of a running one are not', async () => {
  const { folders, add } = workspace();
  await add(ONE, '00000001', '00000002');
  await add(OTHER, '00000003');
  await add(runId('embedded'));
  const release = await folders.lock(OTHER, 0);
  expect(await abandonedEpochs(folders, NEW, HERE)).toEqual([
    { run: ONE, epoch: '00000001' },
    { run: ONE, epoch: '00000002' },
  ]);
  await release();
  expect(await abandonedEpochs(folders, NEW, HERE)).toContainEqual({ run: OTHER, epoch: '00000003' });
});

test('a copy of the workspace does not have the epochs of its original', async () => {
  const { root, folders, add } = workspace();
  await add(ONE, '00000001');
  expect(await abandonedEpochs(folders, NEW, THERE)).toEqual([]);
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true });
  expect(await abandonedEpochs(new RunFolders(copy), NEW, HERE)).toEqual([]);
});

test('nor does a copy in which the same run starts', async () => {
  const { root, folders, add } = workspace();
  await add(ONE, '00000001');
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true });
  expect(await abandonedEpochs(new RunFolders(copy), ONE, HERE)).toEqual([]);
  expect(await abandonedEpochs(folders, ONE, THERE)).toEqual([]);
});

test('a run that starts has its own earlier epochs, though this process holds it', async () => {
  const { folders, add } = workspace();
  await add(ONE, '00000001');
  const release = await folders.lock(ONE, 0);
  expect(await abandonedEpochs(folders, ONE, HERE)).toEqual([{ run: ONE, epoch: '00000001' }]);
  await release();
});

test('a workspace that was moved keeps its epochs', async () => {
  const { root, add } = workspace();
  await add(ONE, '00000001');
  renameSync(root, `${root}-moved`);
  expect(await abandonedEpochs(new RunFolders(`${root}-moved`), NEW, HERE)).toEqual([
    { run: ONE, epoch: '00000001' },
  ]);
});

test('a run that was deleted still has abandoned epochs', async () => {
  const { folders, add } = workspace();
  await add(ONE, '00000001');
  await folders.delete(ONE, 0);
  expect(await abandonedEpochs(folders, NEW, HERE)).toEqual([{ run: ONE, epoch: '00000001' }]);
});

test('a killed run loses its blobs, and a running one and a copy keep theirs', async () => {
  const { root, folders, add } = workspace();
  const copied = new RunFolders(`${root}-copy`);
  const blobOf = (of: RunFolders, run: RunId) => join(of.path(run), BLOBS, '0b', '0badcafe');
  for (const run of [ONE, OTHER]) {
    await add(run, '00000001', '00000002');
    mkdirSync(join(blobOf(folders, run), '..'), { recursive: true });
    writeFileSync(blobOf(folders, run), 'blob');
  }
  cpSync(root, `${root}-copy`, { recursive: true });
  const release = await folders.lock(OTHER, 0);
  const failures: unknown[] = [];
  for (const each of [folders, copied])
    await removeAbandonedBlobs(each, await abandonedEpochs(each, NEW, HERE), error => failures.push(error));
  expect(failures).toEqual([]);
  expect(existsSync(join(folders.path(ONE), BLOBS))).toBe(false);
  expect([blobOf(folders, OTHER), blobOf(copied, ONE)].map(existsSync)).toEqual([true, true]);
  await release();
});

test('blobs that cannot be removed are reported, and those of the next run are removed', async () => {
  const { root, folders, add } = workspace();
  await add(ONE, '00000001');
  await add(OTHER, '00000002');
  mkdirSync(join(folders.path(OTHER), BLOBS));
  const abandoned = await abandonedEpochs(folders, NEW, HERE);
  renameSync(folders.path(ONE), `${root}-moved`);
  // No user, root neither, can delete what is in a file.
  writeFileSync(folders.path(ONE), '');
  const failures: unknown[] = [];
  await removeAbandonedBlobs(folders, abandoned, error => failures.push(error));
  expect(failures).toEqual([expect.objectContaining({ code: 'ENOTDIR' })]);
  expect(existsSync(join(folders.path(OTHER), BLOBS))).toBe(false);
});

test('the files of earlier versions, in the folders of the runs, are read', async () => {
  const { folders, add } = workspace();
  await add(ONE);
  const line = { epoch: '00000001', place: HERE, folder: resolve(folders.path(ONE)) };
  writeFileSync(join(folders.path(ONE), 'epochs.jsonl'), `${JSON.stringify(line)}\n`);
  expect(await abandonedEpochs(folders, NEW, HERE)).toEqual([{ run: ONE, epoch: '00000001' }]);
});

test('damaged lines are ignored, and the next one is read', async () => {
  const { root, folders, add } = workspace();
  await add(ONE, '00000001');
  appendFileSync(join(root, 'epochs.jsonl'), '{"epoch":"*"}\n{"ep');
  await add(ONE, '00000002');
  expect(await abandonedEpochs(folders, NEW, HERE)).toHaveLength(2);
});
