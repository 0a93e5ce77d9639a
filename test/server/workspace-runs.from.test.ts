// Runs that begin with the weights of another, with model processes for host and trainer. Needs the bundles that `npm test` builds first.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { firstWeights } from '../../runtime/agents/compact/programs.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { BASE } from '../../runtime/core/agent.ts';
import { version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { tensor } from '../../runtime/graph/tensor.ts';
import { baseWeights } from '../../runtime/run/folders/base-weights.ts';
import { decodePolicy, encodePolicy } from '../../runtime/run/folders/policy-file.ts';
import { RunFolders } from '../../runtime/run/folders/run-folders.ts';
import { WorkspaceRuns } from '../../runtime/server/workspace-runs.ts';
import {
  type Checkpoint,
  CheckpointError,
  checkpointOf,
  encodeCheckpoint,
  restartFrom,
} from '../../runtime/trainer/checkpoint.ts';
import { CheckpointFolder } from '../../runtime/trainer/checkpoint-folder.ts';
import { forkStreams, saveStreams } from '../../runtime/trainer/random-streams.ts';
import { SHAPE } from '../agents/compact/running-policy.ts';
import { INDEX_ENTRY } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { program } from '../e2e/program.ts';

const vector = () => tensor('float32', [2], Float32Array.of(1, 2));

const CHECKPOINT: Checkpoint = {
  version: version(41),
  shape: SHAPE,
  state: {
    ...{ weights: vector(), 'adam.mean': vector(), 'adam.variance': vector() },
    'adam.step': tensor('int64', [], BigInt64Array.of(12n)),
  },
  mean: Float32Array.of(3, 4),
  updates: 340,
  milliseconds: 56_000,
  chances: saveStreams(forkStreams(seeded('other'))),
};

const CONFIG = parseConfig({ suite: { tasks: ['settings-theme'] }, seed: 'works', minutes: 60 });

async function opened() {
  const root = folder();
  const entry = await program(new URL('../run/model-modules.ts', import.meta.url));
  const entries = { host: entry, trainer: entry, worker: entry, engine: entry, index: INDEX_ENTRY };
  const frames = new URL('../../dist/frames.js', import.meta.url);
  const notice = () => undefined;
  const runs = await WorkspaceRuns.open({
    root,
    entries: { ...entries, frames },
    clock: systemClock,
    notice,
  });
  onTestFinished(() => runs.close());
  return { root, runs };
}

test('a run that starts from a checkpoint has its weights, and its own time, counts and random numbers', async () => {
  const { root, runs } = await opened();
  const file = join(root, 'cloned.safetensors');
  await writeFile(file, encodeCheckpoint(CHECKPOINT));
  const run = await runs.start(CONFIG, { from: file });
  await runs.stop(run);
  const found = await new CheckpointFolder(join(root, run, 'checkpoints')).newest();
  expect(found?.checkpoint).toEqual(restartFrom(CHECKPOINT, seeded('works')));
  expect(found?.newest).toBe(0);
  expect(runs.state(run)?.seconds).toBeLessThan(56);
  // By its name as well, and by its newest.
  const other = await runs.start({ ...CONFIG, seed: 'works too' }, { from: run });
  await runs.stop(other);
  const again = await new CheckpointFolder(join(root, other, 'checkpoints')).newest();
  expect(again?.checkpoint).toEqual(restartFrom(CHECKPOINT, seeded('works too')));
  // And by its folder.
  const third = await runs.start({ ...CONFIG, seed: 'works again' }, { from: join(root, run) });
  await runs.stop(third);
  expect(await runs.list()).toHaveLength(3);
});

test('a run that starts from weights alone begins without moments', async () => {
  const { root, runs } = await opened();
  const weights = firstWeights(SHAPE, () => 0.5);
  const file = join(root, 'weights.safetensors');
  await writeFile(file, encodePolicy({ shape: SHAPE, mode: 'a11y_tree', tasks: [], seed: 's', weights }));
  const run = await runs.start(CONFIG, { from: file });
  await runs.stop(run);
  const found = await new CheckpointFolder(join(root, run, 'checkpoints')).newest();
  expect(found?.checkpoint).toEqual(checkpointOf({ shape: SHAPE, weights }, seeded('works')));
  expect(found?.checkpoint.state['adam.variance']?.data).toEqual(new Float32Array(weights.length));
});

test('a run can start from the base weights', async () => {
  const { root, runs } = await opened();
  const run = await runs.start(CONFIG, { from: BASE });
  await runs.stop(run);
  const { weights } = decodePolicy(await readFile(baseWeights()), BASE);
  const found = await new CheckpointFolder(join(root, run, 'checkpoints')).newest();
  expect(found?.checkpoint.mean).toEqual(weights);
  expect((await new RunFolders(root).read(run))?.from).toBe(BASE);
});

test.each(['./old/checkpoint-12.safetensors', 'no-such-run', '..'])(
  'that there is none at %s is said',
  async from => {
    const { runs } = await opened();
    await expect(runs.start(CONFIG, { from })).rejects.toThrow(`'${from}' has no checkpoint`);
    expect(await runs.list()).toEqual([]);
  },
);

test('an unusable checkpoint is rejected by name, and no run is created', async () => {
  const { root, runs } = await opened();
  const file = join(root, 'cloned.safetensors');
  await writeFile(file, encodeCheckpoint(CHECKPOINT).slice(0, -1));
  await expect(runs.start(CONFIG, { from: file })).rejects.toThrow(CheckpointError);
  await expect(runs.start(CONFIG, { from: file })).rejects.toThrow(/cloned.safetensors' cannot be read/);
  expect(await runs.list()).toEqual([]);
  expect((await readdir(root)).filter(name => name.includes('works'))).toEqual([]);
});

test('a run over several machines that does not reach its broker leaves no folder with the checkpoint', async () => {
  const { root, runs } = await opened();
  const file = join(root, 'cloned.safetensors');
  await writeFile(file, encodeCheckpoint(CHECKPOINT));
  const fabric = { kind: 'nats', servers: ['nats://127.0.0.1:1'] };
  await expect(runs.start(parseConfig({ fabric }), { from: file })).rejects.toThrow(
    /nats:\/\/127\.0\.0\.1:1/,
  );
  expect(await runs.list()).toEqual([]);
  expect((await readdir(root)).filter(name => name.endsWith('-dartboard'))).toEqual([]);
});
