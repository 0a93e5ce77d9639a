// The sample run in the package, as this version reads it. Needs the bundles that `npm test` builds.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  deleteSample,
  deleteUnusedSamples,
  SAMPLE_RUN,
  samplesIn,
  unpackSample,
} from '../../../extension/sample/unpack.ts';
import { runId } from '../../../runtime/core/ids.ts';
import { RENDERER } from '../../../runtime/environments/pocket/machine.ts';
import { savedRunState } from '../../../runtime/protocol/daemon/state.ts';
import { MASKS_FILE, RunFolders } from '../../../runtime/run/folders/run-folders.ts';
import { readMask } from '../../../runtime/server/trajectories/mask-file.ts';
import { opened } from '../../data/open-stores.ts';
import { folder } from '../../data/trajectories.ts';

const PACKED = fileURLToPath(new URL('../../../media/sample.zip', import.meta.url));
const RUN = runId(SAMPLE_RUN);

async function unpacked() {
  const storage = folder();
  const sample = await unpackSample(PACKED, storage);
  return { storage, sample, root: join(sample, '.dartboard', 'runs') };
}

test('the archive is small and contains a complete run', async () => {
  expect(statSync(PACKED).size).toBeLessThan(1e6);
  const { root } = await unpacked();
  const { runs, damaged } = await new RunFolders(root).list();
  expect(damaged).toEqual([]);
  expect(runs).toMatchObject([{ run: RUN, status: 'ended', canResume: false }]);
  expect(runs[0]?.last?.rate).toBeGreaterThan(0.3);
  const state = savedRunState.parse(JSON.parse(readFileSync(join(root, RUN, 'state.json'), 'utf8')));
  expect(state.run).toBe(RUN);
  expect(state.curve.filter(({ split }) => split === 'test').length).toBeGreaterThan(3);

  const { store, notices } = await opened({ root });
  expect(notices).toEqual([]);
  const { total, rows } = await store.index.page({
    ...{ filter: { run: RUN }, sort: 'endedAt', descending: false, offset: 0, limit: 1000 },
  });
  expect(total).toBeGreaterThan(100);
  for (const outcome of ['success', 'failure']) expect(rows.some(row => row.outcome === outcome)).toBe(true);
  const masks = join(root, RUN, MASKS_FILE);
  const trained = rows.find(({ group, purpose }) => purpose === 'train' && group !== undefined);
  expect(trained?.group && (await readMask(masks, trained.group))).toBeDefined();
  // The current renderer redraws its frames.
  for (const { id } of rows)
    expect((await store.read(id)).frames).toEqual({ kind: 'redrawn', renderer: RENDERER });
});

/** Writes an archive of the same size for each text of the same length. */
function pack(archive: string, text: string): number {
  const bytes = zipSync({ file: [new TextEncoder().encode(text), { level: 0, mtime: Date.UTC(2026, 0) }] });
  writeFileSync(archive, bytes);
  return bytes.length;
}

const textOf = (sample: string) => readFileSync(join(sample, 'file'), 'utf8');

test('an archive of the same size with other content is unpacked, and the earlier folder stays', async () => {
  const [archive, storage] = [join(folder(), 'sample.zip'), folder()];
  const sizes = new Set<number>();
  const samples: string[] = [];
  for (const text of ['one', 'two']) {
    sizes.add(pack(archive, text));
    samples.push(await unpackSample(archive, storage));
  }
  expect(sizes.size).toBe(1);
  expect(samples.map(textOf)).toEqual(['one', 'two']);
  expect((await samplesIn(storage)).toSorted()).toEqual(samples.toSorted());
});

test('windows that unpack at the same time get the same complete folder, and leave nothing else', async () => {
  const storage = join(folder(), 'storage');
  const samples = await Promise.all(Array.from({ length: 4 }, () => unpackSample(PACKED, storage)));
  expect(new Set(samples).size).toBe(1);
  const { runs, damaged } = await new RunFolders(join(samples[0] ?? '', '.dartboard', 'runs')).list();
  expect({ runs: runs.length, damaged }).toEqual({ runs: 1, damaged: [] });
  expect(readdirSync(storage)).toHaveLength(1);
});

test('a folder that a failed deletion left is replaced', async () => {
  const [archive, storage] = [join(folder(), 'sample.zip'), folder()];
  pack(archive, 'one');
  const sample = await unpackSample(archive, storage);
  await deleteSample(sample);
  mkdirSync(sample);
  writeFileSync(join(sample, 'rest'), '');
  expect(await unpackSample(archive, storage)).toBe(sample);
  expect(readdirSync(sample).toSorted()).toEqual(['file', 'origin']);
});

test('other samples are deleted once no daemon serves them, and unfinished ones after an hour', async () => {
  const [archive, storage] = [join(folder(), 'sample.zip'), folder()];
  pack(archive, 'one');
  const old = await unpackSample(archive, storage);
  pack(archive, 'two');
  const sample = await unpackSample(archive, storage);
  for (const name of ['sample', 'sample.unfinished', 'sample.unfinished-a', 'other'])
    mkdirSync(join(storage, name));
  utimesSync(join(storage, 'sample.unfinished'), 0, 0);
  utimesSync(join(storage, 'sample.unfinished-a'), 7200, 7200);
  let served = [old];
  const isServed = async (each: string) => served.includes(each);
  const names = (...folders: readonly string[]) => folders.map(each => basename(each)).toSorted();
  await deleteUnusedSamples(storage, { folder: sample, isServed, now: 7_200_000 });
  expect(readdirSync(storage).toSorted()).toEqual(names('other', 'sample.unfinished-a', old, sample));
  expect(textOf(old)).toBe('one');
  served = [];
  await deleteUnusedSamples(storage, { folder: sample, isServed, now: 20_000_000 });
  expect(readdirSync(storage).toSorted()).toEqual(names('other', sample));
  expect(textOf(sample)).toBe('two');
});

test('a sample that may be in use, or that cannot be examined, stays', async () => {
  const storage = folder();
  mkdirSync(join(storage, 'sample'));
  const isServed = () => Promise.reject(new Error('EACCES'));
  await deleteUnusedSamples(storage, { folder: 'none', isServed, now: 0 });
  expect(readdirSync(storage)).toEqual(['sample']);
});

test('unpacks once per archive, and deletes the folder', async () => {
  const { storage, sample } = await unpacked();
  const added = join(sample, 'added');
  writeFileSync(added, '');
  expect(await unpackSample(PACKED, storage)).toBe(sample);
  expect(existsSync(added)).toBe(true);
  await deleteSample(sample);
  expect(existsSync(sample)).toBe(false);
  await deleteSample(sample);
});
