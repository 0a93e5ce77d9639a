import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runId, trajectoryId } from '../../../runtime/core/ids.ts';
import { placeOf } from '../../../runtime/data/files/places.ts';
import { BatchImages } from '../../../runtime/run/trainer/batch-images.ts';
import { TokenBatchError } from '../../../runtime/trainer/tokens/prepare-tokens.ts';
import { temporaryFolder } from '../../temporary.ts';

const RUN = runId('r');

/** Trajectories whose files have no content. */
function folderWith(...stored: readonly string[]): string {
  const root = temporaryFolder('runs');
  for (const id of stored) {
    const path = join(root, placeOf(trajectoryId(id), RUN));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  return root;
}

test('a trajectory that was deleted before it trained is named with the reason', async () => {
  const images = new BatchImages(folderWith('kept'), RUN);
  const used = new Map([
    [trajectoryId('kept'), new Set(['one'])],
    [trajectoryId('gone'), new Set(['one', 'two'])],
  ]);
  const gone = await images.use(used);
  expect([...gone.keys()]).toEqual(['gone']);
  expect(gone.get(trajectoryId('gone'))).toMatch(/trajectory gone are gone.*data\.retention/);
  // An image that both have is read from the file that exists.
  await expect(images.source('one')).rejects.toThrow(/not an archive/);
  await expect(images.source('two')).rejects.toThrow(RangeError);
});

test('a trajectory that is deleted while its batch trains costs the batch, not the trainer', async () => {
  const root = folderWith('t');
  const images = new BatchImages(root, RUN);
  await images.use(new Map([[trajectoryId('t'), new Set(['hash'])]]));
  rmSync(join(root, placeOf(trajectoryId('t'), RUN)));
  await expect(images.source('hash')).rejects.toThrow(TokenBatchError);
  await expect(images.source('hash')).rejects.toThrow(/trajectory t are gone.*data\.retention/);
});
