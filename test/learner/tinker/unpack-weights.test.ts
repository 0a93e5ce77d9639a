import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { unpackWeights } from '../../../runtime/learner/tinker/unpack-weights.ts';
import { temporaryFolder } from '../../temporary.ts';
import { LIVE } from './lab.ts';

/** Checkpoints with one archive, as SkyRL writes them. */
function checkpointsWith(text: string, options: string): string {
  const checkpoints = temporaryFolder('checkpoints');
  const [folder, source] = [join(checkpoints, 'model_1/sampler_weights'), join(checkpoints, 'source')];
  for (const each of [folder, source]) mkdirSync(each, { recursive: true });
  writeFileSync(join(source, 'adapter_model.safetensors'), text);
  execFileSync('tar', [options, join(folder, 'step-3-0.tar.gz'), '-C', source, '.']);
  return checkpoints;
}

test.each([
  ['a compressed archive', '-czf', 'tinker://model_1/step-3-0'],
  ['an archive that is not compressed', '-cf', 'tinker://model_1/sampler_weights/step-3-0'],
])('%s becomes a folder beside it, once', async (_, options, path) => {
  const checkpoints = checkpointsWith('the weights', options);
  const unpacked = await unpackWeights({ step: 3, path }, checkpoints, systemClock, LIVE);
  const folder = join(checkpoints, 'model_1/sampler_weights/step-3-0');
  expect(unpacked).toEqual({ step: 3, path: folder });
  const file = join(folder, 'adapter_model.safetensors');
  expect(readFileSync(file, 'utf8')).toBe('the weights');
  writeFileSync(file, 'not unpacked again');
  expect(await unpackWeights({ step: 3, path }, checkpoints, systemClock, LIVE)).toEqual(unpacked);
  expect(readFileSync(file, 'utf8')).toBe('not unpacked again');
});

test('what a crash left half unpacked is unpacked again', async () => {
  const checkpoints = checkpointsWith('the weights', '-czf');
  const part = join(checkpoints, 'model_1/sampler_weights/step-3-0.part');
  mkdirSync(part);
  writeFileSync(join(part, 'half'), '');
  const { path } = await unpackWeights(
    { step: 3, path: 'tinker://model_1/step-3-0' },
    checkpoints,
    systemClock,
    LIVE,
  );
  expect([existsSync(join(path, 'half')), existsSync(part)]).toEqual([false, false]);
});

test('weights that are a folder already stay as they are', async () => {
  const weights = { step: 3, path: '/weights/step-3', sha256: 'a'.repeat(64) };
  expect(await unpackWeights(weights, '/nowhere', systemClock, LIVE)).toBe(weights);
});

test('a missing archive is an error that names it, and the setting', async () => {
  const checkpoints = temporaryFolder('checkpoints');
  const unpacking = unpackWeights(
    { step: 3, path: 'tinker://model_1/step-3-0' },
    checkpoints,
    systemClock,
    LIVE,
  );
  await expect(unpacking).rejects.toThrow(
    /'tinker:\/\/model_1\/step-3-0' cannot be unpacked from '.*step-3-0\.tar\.gz': .*Set 'checkpoints'/s,
  );
});

test('an archive that cannot be read to its end is an error after ten minutes', async () => {
  const checkpoints = temporaryFolder('checkpoints');
  const folder = join(checkpoints, 'model_1/sampler_weights');
  mkdirSync(folder, { recursive: true });
  // Nobody writes to it.
  execFileSync('mkfifo', [join(folder, 'step-3-0.tar.gz')]);
  const clock = new VirtualClock();
  const weights = { step: 3, path: 'tinker://model_1/step-3-0' };
  const failure = unpackWeights(weights, checkpoints, clock, LIVE).catch(String);
  // The clock stands until tar runs.
  while (clock.now() === 0) await clock.run();
  expect(clock.now()).toBe(600_000);
  expect(await failure).toMatch(/step-3-0\.tar\.gz.*tar/s);
});

describe('unpacked folders beyond the newest four are removed', () => {
  const NAMES = Array.from({ length: 6 }, (_, index) => `step-${index + 6}-${index}`);

  /** The folder after all of these were unpacked, one after another. */
  async function unpackedIn(whenUnpacked: (archive: string) => void): Promise<readonly string[]> {
    const checkpoints = checkpointsWith('the weights', '-czf');
    const parent = join(checkpoints, 'model_1/sampler_weights');
    mkdirSync(join(parent, 'of-somebody-else'));
    for (const [index, name] of NAMES.entries()) {
      const archive = join(parent, `${name}.tar.gz`);
      copyFileSync(join(parent, 'step-3-0.tar.gz'), archive);
      const weights = { step: index + 6, path: `tinker://model_1/${name}` };
      await unpackWeights(weights, checkpoints, systemClock, LIVE);
      whenUnpacked(archive);
    }
    rmSync(join(parent, 'step-3-0.tar.gz'));
    return readdirSync(parent).sort();
  }

  test('their archives and other folders stay', async () => {
    expect(await unpackedIn(() => undefined)).toEqual(
      ['of-somebody-else', ...NAMES.slice(2), ...NAMES.map(name => `${name}.tar.gz`)].sort(),
    );
  });

  test('also without their archives', async () => {
    expect(await unpackedIn(archive => rmSync(archive))).toEqual(
      ['of-somebody-else', ...NAMES.slice(2)].sort(),
    );
  });
});
