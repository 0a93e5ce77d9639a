// The sample run in the package, as this version reads it. Needs the bundles that `npm test` builds.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { deleteSample, SAMPLE_RUN, unpackSample } from '../../../extension/sample/unpack.ts';
import { runId } from '../../../runtime/core/ids.ts';
import { RENDERER } from '../../../runtime/environments/pocket/machine.ts';
import { savedRunState } from '../../../runtime/protocol/daemon/state.ts';
import { MASKS_FILE, RunFolders } from '../../../runtime/run/folders/run-folders.ts';
import { readMask } from '../../../runtime/server/trajectories/mask-file.ts';
import { opened } from '../../data/opened.ts';
import { folder } from '../../data/trajectories.ts';

const PACKED = fileURLToPath(new URL('../../../media/sample.zip', import.meta.url));
const RUN = runId(SAMPLE_RUN);

async function unpacked() {
  const sample = join(folder(), 'sample');
  await unpackSample(PACKED, sample);
  return { sample, root: join(sample, '.dartboard', 'runs') };
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

test('an archive of the same size with other content is unpacked', async () => {
  const [archive, sample] = [join(folder(), 'sample.zip'), join(folder(), 'sample')];
  const sizes = new Set<number>();
  for (const text of ['one', 'two']) {
    const bytes = zipSync({ file: [new TextEncoder().encode(text), { level: 0, mtime: Date.UTC(2026, 0) }] });
    sizes.add(bytes.length);
    writeFileSync(archive, bytes);
    await unpackSample(archive, sample);
    expect(readFileSync(join(sample, 'file'), 'utf8')).toBe(text);
  }
  expect(sizes.size).toBe(1);
});

test('unpacks once per archive, and deletes the folder', async () => {
  const { sample } = await unpacked();
  const added = join(sample, 'added');
  writeFileSync(added, '');
  await unpackSample(PACKED, sample);
  expect(existsSync(added)).toBe(true);
  await deleteSample(sample);
  expect(existsSync(sample)).toBe(false);
  await deleteSample(sample);
});
