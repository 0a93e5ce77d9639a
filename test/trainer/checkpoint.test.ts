import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../runtime/core/disk.ts';
import { version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { DurableFolder } from '../../runtime/data/files/durable.ts';
import { decodeSafetensors, encodeSafetensors } from '../../runtime/graph/safetensors.ts';
import { type Tensors, tensor } from '../../runtime/graph/tensor.ts';
import {
  type Checkpoint,
  CheckpointError,
  checkSameNetwork,
  decodeCheckpoint,
  encodeCheckpoint,
  restartFrom,
} from '../../runtime/trainer/checkpoint.ts';
import { CheckpointFolder } from '../../runtime/trainer/checkpoint-folder.ts';
import { forkStreams, saveStreams } from '../../runtime/trainer/random-streams.ts';
import { SHAPE } from '../agents/compact/running-policy.ts';

const vector = (...values: readonly number[]) =>
  tensor('float32', [values.length], Float32Array.from(values));

const checkpoint = (number: number, weights: readonly number[] = [1, 2]): Checkpoint => ({
  version: version(number),
  shape: SHAPE,
  state: {
    weights: vector(...weights),
    'adam.mean': vector(...weights.map(each => each / 2)),
    'adam.variance': vector(...weights.map(each => each ** 2)),
    'adam.step': tensor('int64', [], BigInt64Array.of(12n)),
  },
  mean: Float32Array.from(weights, each => each - 0.5),
  updates: 34,
  milliseconds: 5600.25,
  chances: saveStreams(forkStreams(seeded(number))),
});

async function folder(): Promise<{
  readonly path: string;
  readonly made: CheckpointFolder;
  readonly files: DurableFolder;
}> {
  const path = await mkdtemp(join(tmpdir(), 'dartboard-checkpoints-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const kept = join(path, 'kept');
  return { path, made: new CheckpointFolder(kept), files: new DurableFolder(kept) };
}

test('a checkpoint is read as it was written, bit for bit', () => {
  const weights = fc.array(fc.float({ noNaN: true }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(weights, fc.nat(), fc.boolean(), (values, number, isHeld) => {
      const reference = Float32Array.from(values, each => 2 * each);
      const written = { ...checkpoint(number, values), ...(isHeld && { reference }) };
      expect(decodeCheckpoint(encodeCheckpoint(written), 'file')).toEqual(written);
    }),
  );
});

test('a new training from a checkpoint takes weights, moments and mean, and starts its own counters and random streams', () => {
  const before = { ...checkpoint(3), reference: Float32Array.of(1, 2) };
  const { state, mean, shape, ...begun } = restartFrom(before, seeded('own'));
  expect({ state, mean, shape }).toEqual({ state: before.state, mean: before.mean, shape: before.shape });
  const chances = saveStreams(forkStreams(seeded('own')));
  expect(begun).toEqual({ version: 0, updates: 0, milliseconds: 0, chances });
  expect(chances).not.toEqual(before.chances);
});

describe('an unusable file is an error with its name and what to do', () => {
  const whole = encodeCheckpoint(checkpoint(3));
  const changed = (
    change: (tensors: Record<string, Tensors[string]>, metadata: Record<string, string>) => void,
  ) => {
    const { tensors, metadata } = decodeSafetensors(whole);
    const [ours, words] = [{ ...tensors }, { ...metadata }];
    change(ours, words);
    return encodeSafetensors({ tensors: ours, metadata: words });
  };
  test.each<[string, Uint8Array, RegExp]>([
    ['cut short', whole.slice(0, -1), /'the file' cannot be read.*Move the file away/],
    ['with a bit turned over', whole.with(-3, (whole.at(-3) ?? 0) ^ 4), /damaged.*Move the file away/],
    ['empty', new Uint8Array(), /'the file' cannot be read/],
    ['of something else', encodeSafetensors({ tensors: {}, metadata: {} }), /'unnamed'.*move the file away/],
    [
      'of a later version',
      changed((_, words) => {
        words['format'] = 'dartboard-checkpoint-2';
      }),
      /'dartboard-checkpoint-2'.*Use the program that wrote it/,
    ],
    [
      'that reads screens otherwise',
      changed((_, words) => {
        words['encoding'] = 'dartboard-seen-0';
      }),
      /'dartboard-seen-0'.*train from the start/,
    ],
    [
      'with a counter that is none',
      changed((_, words) => {
        words['updates'] = '-1';
      }),
      /'the file' has invalid metadata.*updates/s,
    ],
    [
      'without moments',
      changed(tensors => {
        delete tensors['adam.variance'];
      }),
      /no 'adam.variance' of the size/,
    ],
    [
      'with a mean of something else',
      changed(tensors => {
        tensors['mean'] = vector(1);
      }),
      /no 'mean' of the size/,
    ],
  ])('%s', (_, file, message) => {
    const read = () => decodeCheckpoint(file, 'the file');
    expect(read).toThrow(CheckpointError);
    expect(read).toThrow(message);
  });

  test('of another network', () => {
    const saved = checkpoint(1);
    checkSameNetwork(saved, { ...SHAPE }, 2, 'the file');
    const refused = (shape: typeof SHAPE, size: number) => () =>
      checkSameNetwork(saved, shape, size, 'the file');
    expect(refused({ ...SHAPE, width: 32 }, 2)).toThrow(/'the file'.*"width":16.*"width":32/);
    expect(refused(SHAPE, 3)).toThrow(/'the file' has 2 weights, .* has 3\. Use the version/);
  });
});

describe('the folder', () => {
  test('has no newest checkpoint at first', async () => {
    const { made } = await folder();
    expect(await made.newest()).toBeUndefined();
  });

  test('stores the newest two and finds the newest', async () => {
    const { made, path, files } = await folder();
    for (const number of [2, 9, 10, 11]) await made.write(checkpoint(number), files);
    expect((await readdir(join(path, 'kept'))).sort()).toEqual([
      'checkpoint-10.safetensors',
      'checkpoint-11.safetensors',
    ]);
    const found = await made.newest();
    expect(found).toMatchObject({ checkpoint: checkpoint(11), skipped: [], newest: 11 });
  });

  test('takes new checkpoints while old ones cannot be removed, and removes them later', async () => {
    const { path, files } = await folder();
    let isRefused = true;
    const remove = (file: string) =>
      isRefused ? Promise.reject(new Error('EPERM: operation not permitted')) : nodeDisk.remove(file);
    const made = new CheckpointFolder(join(path, 'kept'), { ...nodeDisk, remove });
    const undeleted: string[] = [];
    const write = (number: number) =>
      made.write(checkpoint(number), files, (file, error) => void undeleted.push(`${file}: ${error}`));
    for (const number of [1, 2, 3]) await write(number);
    expect(await made.newest()).toMatchObject({ newest: 3 });
    isRefused = false;
    await write(4);
    const first = join(path, 'kept', 'checkpoint-1.safetensors');
    expect(undeleted).toEqual([`${first}: Error: EPERM: operation not permitted`]);
    expect((await readdir(join(path, 'kept'))).sort()).toEqual([
      'checkpoint-3.safetensors',
      'checkpoint-4.safetensors',
    ]);
  });

  test('skips a damaged file, reports it and uses the one before', async () => {
    const { made, path, files } = await folder();
    for (const number of [1, 2]) await made.write(checkpoint(number), files);
    const newest = join(path, 'kept', 'checkpoint-2.safetensors');
    await writeFile(newest, (await readFile(newest)).subarray(0, 200));
    const found = await made.newest();
    expect(found).toMatchObject({ checkpoint: checkpoint(1), newest: 2 });
    expect(found?.skipped).toEqual([{ file: newest, why: expect.stringContaining(newest) }]);
  });

  test('stores two usable files even if one between them is damaged', async () => {
    const { made, path, files } = await folder();
    for (const number of [1, 2]) await made.write(checkpoint(number), files);
    const newest = join(path, 'kept', 'checkpoint-2.safetensors');
    await rm(newest);
    await mkdir(newest);
    const found = await made.newest();
    expect(found).toMatchObject({ checkpoint: checkpoint(1), newest: 2 });
    expect(found?.skipped).toEqual([
      { file: newest, why: expect.stringContaining(`'${newest}' cannot be read`) },
    ]);
    await rm(newest, { recursive: true });
    await writeFile(newest, 'harmed');
    const numbers = async () =>
      (await readdir(join(path, 'kept'))).map(name => Number(/\d+/.exec(name))).sort((a, b) => a - b);
    await made.write(checkpoint(3), files);
    expect(await numbers()).toEqual([1, 2, 3]);
    await made.write(checkpoint(4), files);
    expect(await numbers()).toEqual([3, 4]);
  });

  test('rejects if every file is damaged', async () => {
    const { made, path, files } = await folder();
    await made.write(checkpoint(1), files);
    await writeFile(join(path, 'kept', 'checkpoint-1.safetensors'), 'harmed');
    await expect(made.newest()).rejects.toThrow(/No checkpoint in .* can be used. Move the files away/);
  });

  test('ignores unfinished and foreign files, and removes only the unfinished', async () => {
    const { made, path, files } = await folder();
    await made.write(checkpoint(1), files);
    for (const name of ['checkpoint-7.safetensors.unfinished', 'notes.txt', 'weights.unfinished'])
      await writeFile(join(path, 'kept', name), 'half');
    expect(await made.newest()).toMatchObject({ newest: 1 });
    await made.write(checkpoint(2), files);
    expect((await readdir(join(path, 'kept'))).sort()).toEqual([
      'checkpoint-1.safetensors',
      'checkpoint-2.safetensors',
      'notes.txt',
      'weights.unfinished',
    ]);
  });
});
