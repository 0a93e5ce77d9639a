import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { SharedSample } from '../../../extension/sample/shared-sample.ts';
import { deleteSample, isComplete, unpackSample } from '../../../extension/sample/unpack.ts';
import { folder } from '../../data/trajectories.ts';

/** A window with its sample. `log` has what happens to the sample, in order. */
function windowWithSample() {
  const storage = folder();
  const archive = join(folder(), 'sample.zip');
  writeFileSync(archive, zipSync({ file: new TextEncoder().encode('one') }));
  const log: string[] = [];
  const shared = new SharedSample({
    unpack: () => unpackSample(archive, storage),
    open: sample => {
      log.push('open');
      const close = (): void => {
        log.push('close');
        // As the last panel does.
        shared.close();
      };
      return { folder: sample, close };
    },
  });
  return { shared, log };
}

test('a sample that another window deleted is unpacked and opened again', async () => {
  const { shared, log } = windowWithSample();
  const first = await shared.use(async () => undefined);
  expect(await shared.use(async () => undefined)).toBe(first);
  await deleteSample(first.folder);
  const second = await shared.use(async () => undefined);
  expect(log).toEqual(['open', 'close', 'open']);
  expect(await isComplete(second.folder)).toBe(true);
});

test('the files are deleted after a use that is under way has ended, also if it fails', async () => {
  const { shared, log } = windowWithSample();
  let fail: () => void = () => undefined;
  const start = new Promise<void>((_, reject) => {
    fail = () => reject(new Error('The daemon did not start.'));
  });
  const isRejected = expect(shared.use(() => start)).rejects.toThrow('did not start');
  const deleted = shared.delete(async () => void log.push('delete'));
  await expect.poll(() => log).toEqual(['open']);
  fail();
  await Promise.all([isRejected, deleted]);
  expect(log).toEqual(['open', 'close', 'delete']);
  await shared.use(async () => undefined);
  expect(log.at(-1)).toBe('open');
});

test('a sample is closed once, also if its last panel closes it', async () => {
  const { shared, log } = windowWithSample();
  await shared.use(async () => undefined);
  shared.close();
  shared.close();
  expect(log).toEqual(['open', 'close']);
});
